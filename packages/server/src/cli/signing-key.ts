import {
  describeSigningKey,
  ensureKey,
  everySigningKey,
  replaceSigningKey,
} from '../domains/evidence/signing-keys/index.js';
import { type LedgerOptions, withOrganisation } from './ledger.js';
import type { Access } from './open.js';
import { print, printJson } from './output.js';

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
