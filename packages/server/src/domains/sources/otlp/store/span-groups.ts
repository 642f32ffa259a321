import sql from 'sql-template-tag';
import type { LedgerReader, LedgerWriter } from '../../../../platform/ledger.js';
import { type Scope, type StoredScope, toScope } from '../../../../platform/principal.js';
import { type Installation, instant, LEDGERS } from '../../../../platform/statement.js';
import type { KeptGroup } from '../rules/span-groups.js';

interface GroupsRow {
  readonly groups: readonly KeptGroup[];
}

export async function selectSpanGroups(ledger: LedgerReader): Promise<readonly KeptGroup[]> {
  const [row] = await ledger.query<GroupsRow>(sql`
    select groups from span_groups where ledger_id = ${ledger.ledgerId}`);
  return row?.groups ?? [];
}

/** Locks the groups of the ledger until the transaction ends. */
export async function lockSpanGroups(tx: LedgerWriter): Promise<readonly KeptGroup[]> {
  const lock = () =>
    tx.query<GroupsRow>(sql`
      select groups from span_groups where ledger_id = ${tx.ledgerId} for update`);
  const [row] = await lock();
  if (row !== undefined) return row.groups;
  await tx.query(sql`
    insert into span_groups (ledger_id, groups, stale_at)
    values (${tx.ledgerId}, '[]', 'infinity') on conflict do nothing`);
  const [fresh] = await lock();
  return fresh?.groups ?? [];
}

/** @param staleAt when a part of them is too old, in ms */
export async function updateSpanGroups(
  tx: LedgerWriter,
  groups: readonly KeptGroup[],
  staleAt: number,
): Promise<void> {
  await tx.query(sql`
    update span_groups set groups = ${JSON.stringify(groups)}::jsonb, stale_at = ${instant(staleAt)}
    where ledger_id = ${tx.ledgerId}`);
}

export async function deleteSpanGroups(tx: LedgerWriter): Promise<void> {
  await tx.query(sql`delete from span_groups where ledger_id = ${tx.ledgerId}`);
}

export async function selectLedgersWithStale(
  installation: Installation,
  now: number,
): Promise<Scope[]> {
  const rows = await installation.queryAcross<StoredScope>(sql`
    select l.org_id, l.ledger_id, l.mode from ${LEDGERS} as l
    where exists (select from span_groups g
      where g.ledger_id = l.ledger_id and g.stale_at <= ${instant(now)})`);
  return rows.map(toScope);
}
