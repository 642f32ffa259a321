import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';
import { type VerifierKey, verifierKey } from '@decision-ledger/proof/tlog/verifier-key';
import type { Resealed } from '../../../platform/keyring/keyring.js';
import { type Keyring, type MasterKey, sealUnder } from '../../../platform/keyring/keyring.js';
import type { LedgerWriter } from '../../../platform/ledger.js';
import { SealError } from '../../../platform/secrets.js';
import { type LogKeyRow, selectLogKeys, updateLogKey } from './store/tlog-keys.js';

/** The private key of a log cannot be decrypted. */
export class LogKeyError extends Error {
  override readonly name = 'LogKeyError';
}

const PURPOSE = 'log keys';
const KEY_BYTES = 32;

/** A new Ed25519 key (RFC 8032). `privateKey` is PKCS #8 in DER; it is only used to be sealed. */
export interface LogPair {
  /** 32 bytes. */
  readonly publicKey: Buffer;
  readonly privateKey: Buffer;
}

export function makeLogPair(): LogPair {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519', {
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'der' },
  });
  return { publicKey: publicKey.subarray(-KEY_BYTES), privateKey };
}

/** Seals a private key; the result is bound to its ledger and its public key. */
export function sealLogKey(
  under: MasterKey,
  ledgerId: string,
  { publicKey, privateKey }: LogPair,
): Buffer {
  return sealUnder(under, PURPOSE, privateKey, associated(ledgerId, publicKey));
}

/**
 * Decrypts a private key that was sealed for this ledger and public key.
 * @returns PKCS #8 in DER
 * @throws LogKeyError
 */
function openLogKey(
  keyring: Keyring,
  ledgerId: string,
  { public_key, private_key }: LogKeyRow,
): Buffer {
  try {
    return keyring.open(PURPOSE, private_key, associated(ledgerId, public_key));
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    throw new LogKeyError(
      'the key of a transparency log cannot be decrypted: it was sealed under another master key or was ' +
        'altered. The operator has to start the service with the master key that sealed it ' +
        '(LEDGER_MASTER_KEY), or restore it from a backup',
      { cause: error },
    );
  }
}

/** Signs for a log without exposing its private key. */
export interface LogSigner {
  readonly key: VerifierKey;
  readonly sign: (message: Uint8Array) => Buffer;
}

/** @throws LogKeyError */
export function openLogSigner(
  keyring: Keyring,
  ledgerId: string,
  origin: string,
  stored: LogKeyRow,
): LogSigner {
  const key = openLogKey(keyring, ledgerId, stored);
  const privateKey = createPrivateKey({ key, format: 'der', type: 'pkcs8' });
  key.fill(0);
  return {
    key: verifierKey(origin, stored.public_key),
    sign: (message) => sign(null, message, privateKey),
  };
}

function associated(ledgerId: string, publicKey: Buffer): string {
  return `${ledgerId} ${publicKey.toString('hex')}`;
}

/** Seals the keys of the logs of a ledger under a master key. */
export async function resealLogKeys(
  tx: LedgerWriter,
  keyring: Keyring,
  under: MasterKey,
): Promise<Resealed> {
  const unreadable: string[] = [];
  let values = 0;
  for (const row of await selectLogKeys(tx)) {
    const plain = openOrNull(keyring, tx.ledgerId, row);
    if (plain === null) {
      unreadable.push(`the log key ${row.public_key.toString('hex')}`);
      continue;
    }
    const pair = { publicKey: row.public_key, privateKey: plain };
    const sealed = sealLogKey(under, tx.ledgerId, pair);
    plain.fill(0);
    await updateLogKey(tx, { public_key: row.public_key, private_key: sealed });
    values += 1;
  }
  return { values, unreadable };
}

function openOrNull(keyring: Keyring, ledgerId: string, row: LogKeyRow): Buffer | null {
  try {
    return openLogKey(keyring, ledgerId, row);
  } catch (error) {
    if (error instanceof LogKeyError) return null;
    throw error;
  }
}
