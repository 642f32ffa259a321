import type { Mode } from '@decision-ledger/contract/access';
import { createOrganisation, selectLedgers } from '../domains/access/organisations/index.js';
import { uuidToId } from '../platform/ids.js';
import { withLedgers, withService } from './open.js';
import { print, printJson } from './output.js';

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
