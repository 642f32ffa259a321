import sql from 'sql-template-tag';
import type { Queryable } from '../../../../platform/database.js';
import { type Scope, type StoredScope, toScope } from '../../../../platform/scope.js';

/** Lets whoever compared features before notice that some of them were made again. */
export async function countErasure(tx: Queryable, { ledgerId }: Scope): Promise<void> {
  await tx.query(sql`
    update attribution_states set erasures = erasures + 1 where ledger_id = ${ledgerId}`);
}

export interface AttributionState {
  /** How far a ledger's decisions were extracted, which is also how many. */
  readonly features_seq: number;
  /** How often features were made again because fields were erased. */
  readonly erasures: number;
}

const NOTHING_EXTRACTED: AttributionState = { features_seq: 0, erasures: 0 };

export async function selectState(db: Queryable, { ledgerId }: Scope): Promise<AttributionState> {
  const [row] = await db.query<AttributionState>(sql`
    select features_seq, erasures from attribution_states where ledger_id = ${ledgerId}`);
  return row ?? NOTHING_EXTRACTED;
}

/** Locks how far a ledger's decisions were extracted, and tells it. */
export async function lockState(tx: Queryable, { ledgerId }: Scope): Promise<AttributionState> {
  await tx.query(sql`
    insert into attribution_states (ledger_id, features_seq) values (${ledgerId}, 0)
    on conflict (ledger_id) do nothing`);
  const [row] = await tx.query<AttributionState>(sql`
    select features_seq, erasures from attribution_states where ledger_id = ${ledgerId} for update`);
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

/** Every ledger with events that were never correlated. */
export async function selectWaitingLedgers(db: Queryable): Promise<Scope[]> {
  const rows = await db.query<StoredScope>(sql`
    select org_id, ledger_id, mode from ledgers l
    where exists (select from financial_events e where e.ledger_id = l.ledger_id
      and e.correlated_at is null and e.deleted_at is null)`);
  return rows.map(toScope);
}
