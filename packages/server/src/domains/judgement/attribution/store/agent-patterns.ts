import sql from 'sql-template-tag';
import type { LedgerReader, LedgerWriter } from '../../../../platform/ledger.js';
import {
  type ComparedColumns,
  type Comparison,
  compareRows,
} from '../../../../platform/projections/differences.js';
import { replayedPatterns } from './link-reviews.js';

/** How often reviews of one day confirmed and rejected an agent's action as the cause of an event type. */
export interface PatternRow {
  readonly event_type: string;
  readonly action_type: string;
  readonly agent_id: string;
  /** Days since the epoch. */
  readonly day: number;
  readonly confirmed: number;
  readonly rejected: number;
}

/** Adds counts, which may be negative, to those of a pattern and day. */
export async function addToPattern(tx: LedgerWriter, row: PatternRow): Promise<void> {
  const { event_type, action_type, agent_id, day, confirmed, rejected } = row;
  await tx.query(sql`
    insert into agent_patterns as p (ledger_id, event_type, action_type, agent_id, day, confirmed,
      rejected)
    values (${tx.ledgerId}, ${event_type}, ${action_type}, ${agent_id}, ${day}, ${confirmed},
      ${rejected})
    on conflict (ledger_id, event_type, action_type, agent_id, day) do update
      set confirmed = p.confirmed + excluded.confirmed, rejected = p.rejected + excluded.rejected`);
  await tx.query(sql`
    delete from agent_patterns
    where ledger_id = ${tx.ledgerId} and event_type = ${event_type} and action_type = ${action_type}
      and agent_id = ${agent_id} and day = ${day} and confirmed = 0 and rejected = 0`);
}

const PATTERNS: ComparedColumns = {
  table: 'agent_patterns',
  key: ['event_type', 'action_type', 'agent_id', 'day'],
  values: ['confirmed', 'rejected'],
};

/** Compares the stored counts with those that the log of reviews gives. */
export async function comparePatterns(ledger: LedgerReader): Promise<Comparison> {
  return compareRows(ledger, PATTERNS, replayedPatterns(ledger.ledgerId), sql`true`);
}

/** @param keys JSON */
export async function deletePatternRows(tx: LedgerWriter, keys: string): Promise<void> {
  await tx.query(sql`
    delete from agent_patterns p
    using json_populate_recordset(null::agent_patterns, ${keys}::json) k
    where p.ledger_id = ${tx.ledgerId} and p.event_type = k.event_type
      and p.action_type = k.action_type and p.agent_id = k.agent_id and p.day = k.day`);
}

/** @param rows JSON */
export async function insertPatternRows(tx: LedgerWriter, rows: string): Promise<void> {
  await tx.query(sql`
    insert into agent_patterns (ledger_id, event_type, action_type, agent_id, day, confirmed,
      rejected)
    select ${tx.ledgerId}, event_type, action_type, agent_id, day, confirmed, rejected
    from json_populate_recordset(null::agent_patterns, ${rows}::json)`);
}
