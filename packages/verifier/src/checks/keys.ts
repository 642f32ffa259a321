import { readJson, Shape } from '@decision-ledger/proof/bundle/shape';
import { reason } from '../archive/open.js';
import type { Findings } from '../report/findings.js';
import type { Files } from './files.js';
import { type PublicKey, readPem } from './public-key.js';

const KEYS = 'keys.json';

/** Fingerprints of all signing keys that the organisation ever had, with their retirement times. */
export type SigningKeys = ReadonlyMap<string, string | null>;

/** Checks that keys.json lists signing keys with correct fingerprints, including that of the bundle. */
export async function checkKeys(
  files: Files,
  own: PublicKey | null,
  findings: Findings,
): Promise<SigningKeys> {
  const text = await files.text(KEYS);
  if (text === null) return new Map();
  let keys: SigningKeys;
  try {
    keys = readKeys(text);
  } catch (error) {
    const message = `keys.json does not have the required form: ${reason(error)}.`;
    findings.fail('integrity', { code: 'keys_shape', file: KEYS, message });
    return new Map();
  }
  if (own !== null && !keys.has(own.fingerprint)) {
    const message = `keys.json does not list the key of the bundle, ${own.fingerprint}.`;
    findings.fail('integrity', { code: 'key_unlisted', file: KEYS, message });
  }
  return keys;
}

function readKeys(text: string): SigningKeys {
  const keys = new Map<string, string | null>();
  const listed = new Shape(readJson(text)).array('signing_keys');
  for (const [index, value] of listed.entries()) {
    const key = new Shape(value, `signing_keys[${index}]`);
    const fingerprint = key.hash('fingerprint');
    if (readPem(key.text('public_key')).fingerprint !== fingerprint) {
      throw new Error(`signing_keys[${index}].fingerprint is not that of its public_key`);
    }
    if (keys.has(fingerprint)) throw new Error(`signing_keys[${index}] appears twice`);
    key.time('created_at');
    keys.set(fingerprint, key.optTime('retired_at'));
  }
  return keys;
}
