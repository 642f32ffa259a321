import {
  type Rotation,
  resetMasterKey,
  rotateMasterKey,
} from '../domains/operations/master-key/index.js';
import type { Service } from '../service.js';
import { type Access, withLedgers } from './open.js';
import { CommandError, print, printJson } from './output.js';
import { progressBar } from './progress.js';

interface MasterKeyOptions {
  readonly json?: boolean;
}

/** Every process looks at the database every 15 s, and keeps that connection for 10 s. */
const LOOK_MS = 6000;

const ROTATES: Access = { needsKey: true, changesKey: true };

/** Seals everything under the new key. Run again, it goes on where it was interrupted. */
export async function rotateKey({ json }: MasterKeyOptions): Promise<void> {
  const rotation = await withLedgers(rotate, ROTATES);
  if (json === true) return printJson(rotation);
  const { key_id, previous_key_id, resumed, ledgers, values, unreadable } = rotation;
  if (previous_key_id === null) {
    return print(`Everything is sealed under the master key ${key_id} already.`);
  }
  print(
    `The master key ${key_id} has taken the place of ${previous_key_id}` +
      `${resumed ? ', which an earlier run had begun' : ''}.`,
    `Sealed anew: ${values} values of ${ledgers} ledgers.`,
    'Keep the former key with the backups of before: they open with it alone.',
  );
  if (unreadable.length === 0) return;
  print(
    'These opened with neither key, before as after, and stay as they are; set them again:',
    ...unreadable.map(({ ledger, what }) => `  ${ledger}: ${what}`),
  );
}

async function rotate(service: Service): Promise<Rotation> {
  const { storage, keyring } = service;
  const lookMs = storage.address.kind === 'postgres' ? LOOK_MS : null;
  if (keyring.keys.length === 1) {
    throw new CommandError(
      'there is no key to change to: set LEDGER_MASTER_KEY to the new one and ' +
        'LEDGER_MASTER_KEY_PREVIOUS to the present one',
    );
  }
  const bar = progressBar('master key');
  try {
    const rotation = await rotateMasterKey({ ...service, lookMs }, (done, total) =>
      bar.update(done, total),
    );
    storage.replaceKey();
    return rotation;
  } finally {
    bar.stop();
  }
}

/** Takes a new key in place of one that is lost. */
export async function resetKey({
  json,
  lost,
}: MasterKeyOptions & { readonly lost?: boolean }): Promise<void> {
  if (lost !== true) {
    throw new CommandError(
      'what is sealed under the present key cannot be read any more after this: confirm with --lost ' +
        'that it is lost for good. To change a key that you have, use master-key rotate',
    );
  }
  const done = await withLedgers((service) => resetMasterKey(service), { changesKey: false });
  if (json === true) return printJson(done);
  print(
    `The master key is ${done.key_id} now.`,
    'Set again what was sealed under the lost one: the secrets in the settings of each organisation',
    '(PATCH /settings), and its signing key (decision-ledger signing-key rotate).',
    'Idempotency keys of before are not recognised any more: do not repeat old requests or imports.',
  );
}
