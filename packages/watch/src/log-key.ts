import { createPublicKey, verify } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeAtomically } from '@decision-ledger/embedded/atomic-file';
import type { Verify } from '@decision-ledger/proof/tlog/note';
import { readOrigin } from '@decision-ledger/proof/tlog/origin';
import {
  parseVerifierKey,
  type VerifierKey,
  verifierKeyText,
} from '@decision-ledger/proof/tlog/verifier-key';
import { type Chain, type LogSource, SourceError } from './source.js';

/** The key of a log is not the one that was kept, or is not one of a log. */
export class KeyChange extends Error {
  override readonly name = 'KeyChange';
}

/** The key of a log that was kept; null if the log was never seen. */
export async function readKeptKey(folder: string, chain: Chain): Promise<VerifierKey | null> {
  try {
    return parseVerifierKey((await readFile(join(folder, chain, 'key'), 'utf8')).trim());
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/**
 * The key of a log: the one that was kept, or the given one, or the one that the service states. It is kept from
 * then on, and a log with another key is not the same log.
 * @param given verifier keys
 * @throws KeyChange, SourceError
 */
export async function openKey(
  folder: string,
  chain: Chain,
  given: readonly string[],
  source: LogSource,
): Promise<VerifierKey> {
  const kept = await readKeptKey(folder, chain);
  const own = given.map(parseVerifierKey).find(({ name }) => readOrigin(name)?.chain === chain);
  if (kept !== null) {
    if (own === undefined || verifierKeyText(own) === verifierKeyText(kept)) return kept;
    const message = `the kept key of the ${chain} is ${verifierKeyText(kept)}, not the given one`;
    throw new KeyChange(message);
  }
  const key = own ?? parseVerifierKey(await source.verifierKey(chain));
  if (readOrigin(key.name)?.chain !== chain) {
    throw new SourceError(`${key.name} is not the log of the ${chain} of a ledger`);
  }
  await mkdir(join(folder, chain), { recursive: true });
  await writeAtomically(join(folder, chain, 'key'), `${verifierKeyText(key)}\n`);
  return key;
}

/** SubjectPublicKeyInfo of an Ed25519 key (RFC 8410), without the 32 bytes of the key. */
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');

export const verifyEd25519: Verify = (publicKey, message, signature) => {
  const der = Buffer.concat([SPKI, publicKey]);
  try {
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
    return verify(null, message, key, signature);
  } catch {
    return false;
  }
};
