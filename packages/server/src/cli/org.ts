import type { Key } from '@decision-ledger/contract/access';
import { type Mode, PERMISSIONS, type Permission } from '@decision-ledger/contract/permissions';
import { everyKey, issueKey, revokeKey } from '../domains/access/keys/index.js';
import { createOrganisation, selectLedgers } from '../domains/access/organisations/index.js';
import { uuidToId } from '../platform/ids.js';
import { type LedgerOptions, withLedger } from './ledger.js';
import { withLedgers, withService } from './open.js';
import { CommandError, print, printJson } from './output.js';

export async function createOrg(name: string, options: { json?: boolean }): Promise<void> {
  const created = await withService((service) => createOrganisation(service, service.db, name));
  if (options.json === true) return printJson(created);
  print(
    `Organisation ${name} (${created.org_id})`,
    `  live key  ${created.live}`,
    `  test key  ${created.test}`,
    'The keys are shown only once: store them safely.',
  );
}

interface ListedOrg {
  readonly org_id: string;
  readonly name: string;
  readonly ledgers: { readonly ledger_id: string; readonly mode: Mode }[];
}

/** Prints all organisations, oldest first. */
export async function printOrgs(options: { json?: boolean }): Promise<void> {
  const organisations = new Map<string, ListedOrg>();
  for (const ledger of await withLedgers(({ installation }) => selectLedgers(installation))) {
    const org_id = uuidToId('org', ledger.org_id);
    const org = organisations.get(org_id) ?? { org_id, name: ledger.name, ledgers: [] };
    org.ledgers.push({ ledger_id: uuidToId('led', ledger.ledger_id), mode: ledger.mode });
    organisations.set(org_id, org);
  }
  const all = [...organisations.values()];
  if (options.json === true) return printJson({ organisations: all });
  if (all.length === 0)
    return print('There is no organisation yet. Create one with `org create NAME`.');
  for (const { org_id, name, ledgers } of all) {
    print([org_id, name, ...ledgers.map((own) => `${own.mode} ${own.ledger_id}`)].join('  '));
  }
}

interface KeyOptions extends LedgerOptions {
  readonly json?: boolean;
}

export interface CreateKeyOptions extends KeyOptions {
  readonly name: string;
  readonly permissions: string;
  readonly agents?: string;
  readonly expires?: string;
}

export async function createKey(options: CreateKeyOptions): Promise<void> {
  const body = {
    name: options.name,
    permissions: readPermissions(options.permissions),
    ...(options.agents !== undefined && {
      agents: options.agents.split(',').map((agent) => agent.trim()),
    }),
    ...(options.expires !== undefined && { expires_at: options.expires }),
  };
  const issued = await withLedger(options, (ledger, _service, operator) =>
    ledger.write((tx) => issueKey(tx, operator, body)),
  );
  if (options.json === true) return printJson(issued);
  print(`${issued.key_id}  ${issued.key}`, 'The key is shown only once: store it safely.');
}

export async function printKeys(options: KeyOptions): Promise<void> {
  const keys = await withLedger(options, async (ledger) => everyKey(ledger));
  if (options.json === true) return printJson({ keys });
  for (const key of keys) {
    const { key_id, name, permissions, agents } = key;
    const limit = agents === null ? '' : `  agents ${agents}`;
    print(`${key_id}  ${name}  ${stateOf(key)}  ${permissions}${limit}`);
  }
}

export async function revokeKeyById(keyId: string, options: KeyOptions): Promise<void> {
  const key = await withLedger(options, (ledger, _service, operator) =>
    ledger.write((tx) => revokeKey(tx, operator, keyId)),
  );
  if (options.json === true) return printJson(key);
  print(`${key.key_id} is revoked.`);
}

function stateOf({ revoked_at, expires_at }: Key): string {
  if (revoked_at !== null) return `revoked ${revoked_at}`;
  return expires_at === null ? 'no expiry' : `until ${expires_at}`;
}

function readPermissions(text: string): Permission[] {
  if (text === 'all') return [...PERMISSIONS];
  return text.split(',').map((part) => {
    const permission = PERMISSIONS.find((name) => name === part.trim());
    if (permission === undefined) {
      throw new CommandError(
        `unknown permission ${part}: choose from ${PERMISSIONS.join(', ')}, or all`,
      );
    }
    return permission;
  });
}
