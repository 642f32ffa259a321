import { ChainWalk, type Position, type Walk, type WalkStart } from './chain-walk.js';
import {
  type ActivityEntry,
  activityText,
  DECISION_TYPE,
  type DecisionEntry,
  decisionText,
  EntryError,
  readEntry,
} from './entry.js';

export type { Finding, FindingKind, StoredRecord, Walk, WalkStart } from './chain-walk.js';

/** The columns that repeat members of a decision's entry, in the same form. */
export type DecisionColumns = Omit<DecisionEntry, keyof Position | 'commitments'>;

/** The columns that repeat members of an activity's entry, in the same form. */
export type ActivityColumns = Omit<ActivityEntry, keyof Position | 'commitments'>;

export interface DecisionWalkOptions {
  /** Whether a verified activity record says that this field was erased. */
  isErased(decisionId: string, field: string): boolean;
}

/**
 * Starts the verification of a decision chain after the record (or genesis) in `start`.
 *
 * @example
 * ```ts
 * import { type DecisionColumns, decisionWalk } from '@decision-ledger/proof/chain';
 * import type { StoredRecord, WalkStart } from '@decision-ledger/proof/chain';
 *
 * function firstBreak(genesis: WalkStart, records: Iterable<StoredRecord<DecisionColumns>>) {
 *   const walk = decisionWalk(genesis, { isErased: () => false });
 *   for (const record of records) {
 *     const finding = walk.step(record);
 *     if (finding !== null) return finding;
 *   }
 *   return null;
 * }
 * ```
 */
export function decisionWalk(
  start: WalkStart,
  options: DecisionWalkOptions,
): Walk<DecisionColumns> {
  return new ChainWalk(
    {
      fields: ['inputs', 'outputs', 'alternatives', 'metadata'],
      columns: [
        'decision_id',
        'agent_id',
        'action_type',
        'confidence',
        'human_in_loop',
        'timestamp',
        'created_at',
      ],
      idOf: (columns) => columns.decision_id,
      write: writeDecision,
      read: readDecision,
      isErased: (id, field) => options.isErased(id, field),
    },
    start,
  );
}

/**
 * Starts the verification of an activity chain after the record (or genesis) in `start`.
 *
 * @example
 * ```ts
 * import { activityWalk } from '@decision-ledger/proof/chain';
 *
 * const walk = activityWalk({ ledger: 'org_1/live', epoch: 1, seq: 0, hash: '0'.repeat(64) });
 * walk.finish({ seq: 0, hash: '0'.repeat(64) }); // => null
 * walk.finish({ seq: 1, hash: '0'.repeat(64) })?.kind; // => 'head'
 * ```
 */
export function activityWalk(start: WalkStart): Walk<ActivityColumns> {
  return new ChainWalk(
    {
      fields: ['data', 'when'],
      columns: ['activity_id', 'type', 'actor', 'subject', 'created_at'],
      idOf: (columns) => columns.activity_id,
      write: writeActivity,
      read: readActivity,
      isErased: () => false,
    },
    start,
  );
}

// Members are copied by name: spreading two objects is slower than hashing one.
function writeDecision(
  at: Position,
  columns: DecisionColumns,
  commitments: DecisionEntry['commitments'],
): string {
  return decisionText({
    ledger: at.ledger,
    epoch: at.epoch,
    seq: at.seq,
    prev_hash: at.prev_hash,
    decision_id: columns.decision_id,
    agent_id: columns.agent_id,
    action_type: columns.action_type,
    confidence: columns.confidence,
    human_in_loop: columns.human_in_loop,
    timestamp: columns.timestamp,
    created_at: columns.created_at,
    commitments,
  });
}

function writeActivity(
  at: Position,
  columns: ActivityColumns,
  commitments: ActivityEntry['commitments'],
): string {
  return activityText({
    ledger: at.ledger,
    epoch: at.epoch,
    seq: at.seq,
    prev_hash: at.prev_hash,
    activity_id: columns.activity_id,
    type: columns.type,
    actor: columns.actor,
    subject: columns.subject,
    created_at: columns.created_at,
    commitments,
  });
}

function readDecision(text: string): DecisionEntry {
  const entry = readEntry(text);
  if (entry._type !== DECISION_TYPE) {
    throw new EntryError(`The entry is not a decision but ${entry._type}.`);
  }
  return entry;
}

function readActivity(text: string): ActivityEntry {
  const entry = readEntry(text);
  if (!('activity_id' in entry)) {
    throw new EntryError(`The entry is not an activity but ${entry._type}.`);
  }
  return entry;
}
