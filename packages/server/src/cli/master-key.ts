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

/** Processes query the database every 15 s and keep the connection for 10 s, so 6 s are enough to see them. */
const LOOK_MS = 6000;

const ROTATES: Access = { needsKey: true, changesKey: true };

/** Encrypts everything with the new key. Resumes an interrupted rotation. */
export async function changeMasterKey({ json }: MasterKeyOptions): Promise<void> {
  const rotation = await withLedgers(rotate, ROTATES);
  if (json === true) return printJson(rotation);
  const { key_id, previous_key_id, resumed, ledgers, values, unreadable } = rotation;
  if (previous_key_id === null) {
    return print(`Everything is already encrypted with the master key ${key_id}.`);
  }
  print(
    `The master key ${key_id} replaced ${previous_key_id}` +
      `${resumed ? ', completing an earlier run' : ''}.`,
    `Re-encrypted: ${values} values of ${ledgers} ledgers.`,
    'Keep the old key with the earlier backups, which need it.',
  );
  if (unreadable.length === 0) return;
  print(
    'These could not be decrypted with either key and are unchanged; set them again:',
    ...unreadable.map(({ ledger, what }) => `  ${ledger}: ${what}`),
  );
}

async function rotate(service: Service): Promise<Rotation> {
  const { storage, keyring } = service;
  const lookMs = storage.address.kind === 'postgres' ? LOOK_MS : null;
  if (keyring.keys.length === 1) {
    throw new CommandError(
      'there is no key to change to: set LEDGER_MASTER_KEY to the new key and ' +
        'LEDGER_MASTER_KEY_PREVIOUS to the current one',
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

/** Replaces a lost key. */
export async function resetKey({
  json,
  lost,
}: MasterKeyOptions & { readonly lost?: boolean }): Promise<void> {
  if (lost !== true) {
    throw new CommandError(
      'data encrypted with the current key becomes unreadable: confirm with --lost that the key is ' +
        'permanently lost. To change a key that you still have, use master-key rotate',
    );
  }
  const done = await withLedgers((service) => resetMasterKey(service), { replacesKey: true });
  if (json === true) return printJson(done);
  print(
    `The master key is now ${done.key_id}.`,
    'Set again the data that the lost key encrypted: the secrets in the settings of each organisation',
    '(PATCH /settings), and its signing key (decision-ledger signing-key rotate).',
    'Earlier idempotency keys are no longer recognised: do not repeat old requests or imports.',
  );
}
