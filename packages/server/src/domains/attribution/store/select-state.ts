import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

export interface AttributionState {
  /** How far a ledger's decisions were extracted, which is also how many. */
  readonly features_seq: number;
  /** How often features were made again because fields were erased. */
  readonly erasures: number;
}

export const NOTHING_EXTRACTED: AttributionState = { features_seq: 0, erasures: 0 };

export async function selectState(db: Queryable, { ledgerId }: Scope): Promise<AttributionState> {
  const [row] = await db.query<AttributionState>(sql`
    select features_seq, erasures from attribution_states where ledger_id = ${ledgerId}`);
  return row ?? NOTHING_EXTRACTED;
}
