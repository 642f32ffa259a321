import type { Mode } from '@decision-ledger/contract/permissions';
import sql from 'sql-template-tag';
import type { LedgerReader, LedgerWriter } from '../../../../platform/ledger.js';
import type { Scope } from '../../../../platform/principal.js';
import type { Installation, Queryable } from '../../../../platform/statement.js';

export async function insertLedger(tx: LedgerWriter, createdAt: number): Promise<void> {
  await tx.query(sql`
    insert into ledgers (ledger_id, org_id, mode, created_at)
    values (${tx.ledgerId}, ${tx.scope.orgId}, ${tx.scope.mode}, to_timestamp(${createdAt}::bigint / 1000.0))`);
}

/** @returns false if an organisation with that name exists */
export async function insertOrganisation(
  tx: Queryable,
  { orgId }: Pick<Scope, 'orgId'>,
  name: string,
  createdAt: number,
): Promise<boolean> {
  const rows = await tx.query<{ org_id: string }>(sql`
    insert into organisations (org_id, name, created_at)
    values (${orgId}, ${name}, to_timestamp(${createdAt}::bigint / 1000.0))
    on conflict (name) do nothing returning org_id`);
  return rows.length === 1;
}

/** @returns the name of the organisation */
export async function selectOrganisation(ledger: LedgerReader): Promise<string> {
  const [row] = await ledger.query<{ name: string }>(sql`
    select o.name from organisations o join ledgers l on l.org_id = o.org_id
    where l.ledger_id = ${ledger.ledgerId}`);
  if (row === undefined) throw new Error('a ledger has no organisation');
  return row.name;
}

export interface LedgerRow {
  readonly org_id: string;
  readonly name: string;
  readonly ledger_id: string;
  readonly mode: Mode;
}

/** All ledgers of the installation with the names of their organisations: only for the operator. */
export async function selectLedgers(installation: Installation): Promise<LedgerRow[]> {
  return installation.queryAcross<LedgerRow>(sql`
    select o.org_id, o.name, l.ledger_id, l.mode
    from organisations o join ledgers l on l.org_id = o.org_id
    order by o.created_at, o.org_id, l.mode`);
}

/** All ledgers of the installation, by id: only for the operator. */
export async function selectAllLedgers(installation: Installation): Promise<Scope[]> {
  return installation.queryAcross<Scope>(sql`
    select org_id as "orgId", ledger_id as "ledgerId", mode from ledgers order by ledger_id`);
}

/** Ids of the ledgers of an organisation, by their mode. They are made with it, and never change. */
export async function selectLedgersOf(
  installation: Installation,
  orgId: string,
): Promise<Record<Mode, string>> {
  const [ids] = await installation.queryAcross<Record<Mode, string>>(sql`
    select (array_agg(ledger_id) filter (where mode = 'live'))[1] as live,
      (array_agg(ledger_id) filter (where mode = 'test'))[1] as test
    from ledgers where org_id = ${orgId}`);
  if (ids === undefined) throw new Error('an organisation has no ledgers');
  return ids;
}

/** The ledger with an id, of any organisation; null if there is none. */
export async function selectLedger(db: Queryable, ledgerId: string): Promise<Scope | null> {
  const [row] = await db.query<Scope>(sql`
    select org_id as "orgId", ledger_id as "ledgerId", mode from ledgers
    where ledger_id = ${ledgerId}`);
  return row ?? null;
}
