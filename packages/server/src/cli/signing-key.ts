import {
  describeKey,
  ensureKey,
  listSigningKeys,
  rotateKey,
  type SigningKeyTools,
} from '../domains/signing-keys/index.js';
import type { Principal } from '../platform/principal.js';
import { chooseLedger } from './ledger.js';
import { withLedgers } from './open.js';
import { print, printJson } from './output.js';

interface SigningKeyOptions {
  readonly org?: string;
  readonly json?: boolean;
}

/** Before the first export there is none: it is made, so that it can be published ahead of it. */
export async function printSigningKeys(options: SigningKeyOptions): Promise<void> {
  const signing_keys = await withOrganisation(options, async (service, { scope, actor }) => {
    await ensureKey(service, scope, actor);
    return listSigningKeys(service.db, scope);
  });
  if (options.json === true) return printJson({ signing_keys });
  for (const { fingerprint, created_at, retired_at } of signing_keys) {
    const state = retired_at === null ? 'signs now' : `retired ${retired_at}`;
    print(`${fingerprint}  made ${created_at}  ${state}`);
  }
}

export async function rotateSigningKey(options: SigningKeyOptions): Promise<void> {
  const row = await withOrganisation(options, (service, { scope, actor }) =>
    rotateKey(service, scope, actor),
  );
  const key = describeKey(row);
  if (options.json === true) return printJson(key);
  print(
    `${key.fingerprint} signs from now on.`,
    'Publish this fingerprint; keep the former ones published for the exports of before.',
  );
}

/** A key is the organisation's: either of its ledgers leads to it. */
function withOrganisation<Result>(
  { org }: SigningKeyOptions,
  work: (tools: SigningKeyTools, principal: Principal) => Promise<Result>,
): Promise<Result> {
  return withLedgers(
    async (service) => {
      const choice = { mode: 'live', ...(org !== undefined && { org }) } as const;
      return work(service, await chooseLedger(service.db, choice));
    },
    { needsKey: true },
  );
}
