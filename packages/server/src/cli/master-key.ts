import {
  describeSigningKey,
  ensureKey,
  everySigningKey,
  replaceSigningKey,
} from '../domains/evidence/signing-keys/index.js';
import {
  type Rotation,
  resetMasterKey,
  rotateMasterKey,
} from '../domains/operations/master-key/index.js';
import { newsLogin } from '../platform/connection.js';
import type { Service } from '../service.js';
import { type LedgerOptions, withOrganisation } from './ledger.js';
import { type Access, withLedgers } from './open.js';
import { CommandError, print, printJson, progressBar } from './output.js';

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
  if (storage.address.kind === 'postgres' && newsLogin(storage.address) === null) {
    throw new CommandError(
      'behind a pooler in transaction mode, processes that lack the new key cannot be seen: set DATABASE_DIRECT_URL, ' +
        'here and for every process',
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

interface SigningKeyOptions extends Omit<LedgerOptions, 'mode'> {
  readonly json?: boolean;
}

const ACCESS: Access = { needsKey: true };

/** Creates a key if there is none, so that it can be published before the first export. */
export async function printSigningKeys(options: SigningKeyOptions): Promise<void> {
  const signing_keys = await withOrganisation(
    options,
    ACCESS,
    async (ledger, service, { actor }) => {
      await ensureKey(service, ledger.scope, actor);
      return everySigningKey(service.db, ledger.scope);
    },
  );
  if (options.json === true) return printJson({ signing_keys });
  for (const { fingerprint, created_at, retired_at } of signing_keys) {
    const state = retired_at === null ? 'current' : `retired ${retired_at}`;
    print(`${fingerprint}  made ${created_at}  ${state}`);
  }
}

export async function rotateSigningKey(options: SigningKeyOptions): Promise<void> {
  const row = await withOrganisation(options, ACCESS, (ledger, service, { actor }) =>
    replaceSigningKey(service, ledger.scope, actor),
  );
  const key = describeSigningKey(row);
  if (options.json === true) return printJson(key);
  print(
    `${key.fingerprint} is now the signing key.`,
    'Publish this fingerprint, and keep the earlier ones published for earlier exports.',
  );
}
