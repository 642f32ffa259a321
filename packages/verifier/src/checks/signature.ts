import { type Archive, reason } from '../archive/open.js';
import type { FindingCode } from '../report/codes.js';
import type { Findings } from '../report/findings.js';
import { readWhole } from './files.js';
import { ALGORITHM, importKey, type PublicKey, readPem } from './keys.js';
import type { ReadManifest } from './manifest.js';

const MAX_KEY_BYTES = 16 * 1024;
const MAX_SIGNATURE_BYTES = 2048;
const KEY = 'ledger-pubkey.pem';
const SIGNATURE = 'manifest.sig';

export interface Signer {
  /** Null without a valid key. */
  readonly key: PublicKey | null;
  /** Whether the manifest was signed with it. */
  readonly isValid: boolean;
}

/** Checks that the manifest is signed with the key in the bundle, and names that key. */
export async function checkSignature(
  archive: Archive,
  { manifest, bytes }: ReadManifest,
  findings: Findings,
): Promise<Signer> {
  const fail = (code: FindingCode, file: string, message: string) =>
    findings.fail('integrity', { code, file, message });
  const key = await readKey(archive, fail);
  if (key === null) return { key: null, isValid: false };
  if (key.fingerprint !== manifest.signing_key.fingerprint) {
    const message = `${KEY} has the fingerprint ${key.fingerprint}; the manifest names ${manifest.signing_key.fingerprint}.`;
    fail('key_fingerprint', KEY, message);
  }
  const file = archive.files.get(SIGNATURE);
  if (file === undefined) {
    fail('signature_missing', SIGNATURE, 'The archive has no manifest.sig: it is not signed.');
    return { key, isValid: false };
  }
  try {
    const signature = await readWhole(file, MAX_SIGNATURE_BYTES);
    const usable = await importKey(key);
    const isValid = await crypto.subtle.verify(ALGORITHM, usable, signature, bytes);
    if (!isValid) {
      const message = 'manifest.sig does not belong to manifest.json and the key in the bundle.';
      fail('signature_invalid', SIGNATURE, message);
    }
    return { key, isValid };
  } catch (error) {
    fail('signature_invalid', SIGNATURE, `The signature cannot be checked: ${reason(error)}.`);
    return { key, isValid: false };
  }
}

async function readKey(
  archive: Archive,
  fail: (code: FindingCode, file: string, message: string) => void,
): Promise<PublicKey | null> {
  const file = archive.files.get(KEY);
  try {
    if (file === undefined) throw new Error('it is not in the archive');
    const text = new TextDecoder().decode(await readWhole(file, MAX_KEY_BYTES));
    const key = readPem(text);
    await importKey(key);
    return key;
  } catch (error) {
    fail('key_shape', KEY, `${KEY} cannot be used: ${reason(error)}.`);
    return null;
  }
}
