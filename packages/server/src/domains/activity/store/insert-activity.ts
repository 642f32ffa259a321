import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

export interface ActivityRow {
  readonly seq: number;
  readonly epoch: number;
  /** UUID. */
  readonly activityId: string;
  readonly type: string;
  readonly actor: string;
  readonly subject: string;
  /** ms. */
  readonly createdAt: number;
  readonly entry: string;
  /** Hexadecimal, like prevHash. */
  readonly hash: string;
  readonly prevHash: string;
  /** Disclosure of the data. */
  readonly data: string | null;
}

export async function insertActivity(
  tx: Queryable,
  { ledgerId }: Scope,
  row: ActivityRow,
): Promise<void> {
  await tx.query(sql`
    insert into activity (ledger_id, seq, epoch, activity_id, type, actor, subject, created_at,
      entry, hash, prev_hash, data)
    values (${ledgerId}, ${row.seq}, ${row.epoch}, ${row.activityId}, ${row.type}, ${row.actor},
      ${row.subject}, to_timestamp(${row.createdAt}::bigint / 1000.0), ${row.entry},
      decode(${row.hash}, 'hex'), decode(${row.prevHash}, 'hex'), ${row.data})`);
}
