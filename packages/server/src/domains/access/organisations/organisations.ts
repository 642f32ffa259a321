import { invalidField, LedgerError } from '@decision-ledger/contract/errors';
import { type Mode, PERMISSIONS } from '@decision-ledger/contract/permissions';
import { createChain } from '../../../platform/chain/genesis.js';
import type { Database } from '../../../platform/database.js';
import { uuidToId } from '../../../platform/ids.js';
import type { Ledger, LedgerWriter, Transaction } from '../../../platform/ledger.js';
import type { Installation } from '../../../platform/statement.js';
import { issueKey } from '../keys/index.js';
import {
  insertLedger,
  insertOrganisation,
  selectLedger,
  selectLedgersOf,
} from './store/organisations.js';

/** A new organisation, with a key that has all permissions for each of its two ledgers. */
export interface NewOrganisation {
  readonly org_id: string;
  readonly live: string;
  readonly test: string;
}

/** Names the installation in its database, and certifies its ledgers beside the master key. */
export interface Certifier {
  enter(tx: Transaction): Promise<void>;
  certify(): Promise<void>;
}

export interface OrganisationTools {
  readonly certificate: Certifier;
}

/**
 * Creates an organisation, which is certified before it is acknowledged.
 * @param beforeCommit stores the keys; if it rejects, nothing is created
 * @throws LedgerError `validation_error`, or `conflict` if the name is taken
 */
export async function createOrganisation(
  tools: OrganisationTools,
  db: Database,
  name: string,
  beforeCommit: (created: NewOrganisation) => Promise<void> = () => Promise.resolve(),
): Promise<NewOrganisation> {
  if (name.trim() === '' || name.length > 200) {
    throw invalidField('name', 'must be 1 to 200 characters');
  }
  const orgId = db.context.ids.uuid();
  const createdAt = db.context.clock.now();
  const created = await db.transaction(async (tx) => {
    await tools.certificate.enter(tx);
    if (!(await insertOrganisation(tx, { orgId }, name, createdAt))) {
      throw new LedgerError('conflict', `an organisation named ${name} already exists`);
    }
    const keyOf = (mode: Mode) =>
      createLedger(tx.ledger({ orgId, ledgerId: db.context.ids.uuid(), mode }), createdAt);
    const live = await keyOf('live');
    const test = await keyOf('test');
    const made = { org_id: uuidToId('org', orgId), live, test };
    await beforeCommit(made);
    return made;
  });
  await tools.certificate.certify();
  return created;
}

async function createLedger(tx: LedgerWriter, createdAt: number): Promise<string> {
  await insertLedger(tx, createdAt);
  await createChain(tx, 'decisions', createdAt);
  await createChain(tx, 'activity', createdAt);
  const operator = { scope: tx.scope, actor: 'operator', permissions: new Set(PERMISSIONS) };
  const body = { name: `first ${tx.scope.mode} key`, permissions: [...PERMISSIONS] };
  return (await issueKey(tx, operator, body)).key;
}

/**
 * The ledger with an id, of any organisation; null if there is none.
 * @param ledgerId UUID
 */
export async function findLedger(db: Database, ledgerId: string): Promise<Ledger | null> {
  const scope = await selectLedger(db, ledgerId);
  return scope === null ? null : db.ledger(scope);
}

type LedgersOf = Awaited<ReturnType<typeof selectLedgersOf>>;

/** By organisation. They never change, and most requests of test ledgers need them. */
const read = new Map<string, LedgersOf>();
const MOST_READ = 10_000;

/** Ids (UUIDs) of the ledgers of an organisation. */
export async function ledgersOf(installation: Installation, orgId: string): Promise<LedgersOf> {
  const known = read.get(orgId);
  if (known !== undefined) return known;
  const ledgers = await selectLedgersOf(installation, orgId);
  if (read.size >= MOST_READ) read.clear();
  read.set(orgId, ledgers);
  return ledgers;
}
