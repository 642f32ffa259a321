import sql from 'sql-template-tag';
import type { Queryable } from '../../../../platform/database.js';
import { type Scope, type StoredScope, toScope } from '../../../../platform/scope.js';

/** Invalidates suggestions that were computed from features before an erasure. */
export async function countErasure(tx: Queryable, { ledgerId }: Scope): Promise<void> {
  await tx.query(sql`
    update attribution_states set erasures = erasures + 1 where ledger_id = ${ledgerId}`);
}

export interface AttributionState {
  /** Position in the chain of the last extracted decision; also the number of extracted decisions. */
  readonly features_seq: number;
  /** How often features were extracted again because of an erasure. */
  readonly erasures: number;
  /** How many events have exactly one candidate with a rare identifier of theirs. */
  readonly identified: number;
}

const NOTHING_EXTRACTED: AttributionState = { features_seq: 0, erasures: 0, identified: 0 };

export async function selectState(db: Queryable, { ledgerId }: Scope): Promise<AttributionState> {
  const [row] = await db.query<AttributionState>(sql`
    select features_seq, erasures, identified from attribution_states
    where ledger_id = ${ledgerId}`);
  return row ?? NOTHING_EXTRACTED;
}

/** Locks the state of a ledger and returns it. */
export async function lockState(tx: Queryable, { ledgerId }: Scope): Promise<AttributionState> {
  await tx.query(sql`
    insert into attribution_states (ledger_id, features_seq) values (${ledgerId}, 0)
    on conflict (ledger_id) do nothing`);
  const [row] = await tx.query<AttributionState>(sql`
    select features_seq, erasures, identified from attribution_states
    where ledger_id = ${ledgerId} for update`);
  return row ?? NOTHING_EXTRACTED;
}

export async function updateState(
  tx: Queryable,
  { ledgerId }: Scope,
  featuresSeq: number,
): Promise<void> {
  await tx.query(sql`
    update attribution_states set features_seq = ${featuresSeq} where ledger_id = ${ledgerId}`);
}

/** @param events may be negative */
export async function addIdentified(
  tx: Queryable,
  { ledgerId }: Scope,
  events: number,
): Promise<void> {
  if (events === 0) return;
  await tx.query(sql`
    update attribution_states set identified = identified + ${events}
    where ledger_id = ${ledgerId}`);
}

/** Every ledger with events that wait for correlation. */
export async function selectWaitingLedgers(db: Queryable): Promise<Scope[]> {
  const rows = await db.query<StoredScope>(sql`
    select org_id, ledger_id, mode from ledgers l
    where exists (select from financial_events e where e.ledger_id = l.ledger_id
      and e.correlated_at is null and e.deleted_at is null)`);
  return rows.map(toScope);
}
