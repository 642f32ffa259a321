import type { Decision, DecisionQuery } from '@decision-ledger/contract/decision';
import type { ErasableField } from '@decision-ledger/contract/erasure';
import { notFound } from '@decision-ledger/contract/errors';
import { formatTimestamp } from '@decision-ledger/contract/time';
import { disclosedValue } from '@decision-ledger/proof/disclosed-value';
import type { Queryable } from '../../../platform/database.js';
import { idToUuid, uuidToId } from '../../../platform/ids.js';
import { mapPageInTurns, type PageRows } from '../../../platform/page.js';
import type { Scope } from '../../../platform/scope.js';
import { readFilter } from './rules/filter.js';
import {
  type DatedDecision,
  type DecisionViewRow,
  selectDecision,
  selectNeighbours,
  selectTime,
} from './store/decisions.js';
import { type PagePosition, selectPage } from './store/select-page.js';

/** @throws LedgerError `not_found` */
export async function readDecision(
  db: Queryable,
  scope: Scope,
  decisionId: string,
): Promise<Decision> {
  const uuid = idToUuid('dec', decisionId);
  const row = uuid === null ? null : await selectDecision(db, scope, uuid);
  if (row === null) throw notFound('decision');
  return describeDecision(row);
}

type Neighbour = Pick<Decision, 'decision_id' | 'seq' | 'hash'>;

/** The decisions before and after a position of the chain; null where there is none. */
export async function readNeighbours(
  db: Queryable,
  scope: Scope,
  seq: number,
): Promise<{ readonly previous: Neighbour | null; readonly next: Neighbour | null }> {
  const rows = await selectNeighbours(db, scope, seq);
  const at = (wanted: number): Neighbour | null => {
    const row = rows.find((one) => one.seq === wanted);
    return row === undefined ? null : { ...row, decision_id: uuidToId('dec', row.decision_id) };
  };
  return { previous: at(seq - 1), next: at(seq + 1) };
}

export interface ListedDecision {
  readonly decision: Decision;
  readonly position: PagePosition;
}

/**
 * Decisions of a ledger, newest first.
 * @throws LedgerError `validation_error` for an invalid range
 */
export async function listDecisions(
  db: Queryable,
  scope: Scope,
  query: DecisionQuery,
  after: PagePosition | null,
  limit: number,
): Promise<PageRows<ListedDecision>> {
  const page = await selectPage(db, scope, readFilter(query), after, limit);
  return mapPageInTurns(page, (row) => ({
    decision: describeDecision(row),
    position: { timestamp: row.timestamp, decisionId: row.decision_id },
  }));
}

/** Whether an agent has a decision in the ledger. */
export async function isAgent(db: Queryable, scope: Scope, agentId: string): Promise<boolean> {
  const { rows } = await selectPage(db, scope, readFilter({ agent_id: agentId }), null, 1);
  return rows.length > 0;
}

/**
 * The UUID and the time of a decision of the ledger.
 * @throws LedgerError `not_found`
 */
export async function findDecision(
  db: Queryable,
  scope: Scope,
  decisionId: string,
): Promise<DatedDecision> {
  const uuid = idToUuid('dec', decisionId);
  const found = uuid === null ? null : await selectTime(db, scope, uuid);
  if (found === null) throw notFound('decision');
  return found;
}

/** A stored decision as the API returns it. Payload fields without a value are omitted. */
function describeDecision(row: DecisionViewRow): Decision {
  return {
    decision_id: uuidToId('dec', row.decision_id),
    seq: row.seq,
    agent_id: row.agent_id,
    action_type: row.action_type,
    ...payload('inputs', row.inputs),
    ...payload('outputs', row.outputs),
    confidence: row.confidence,
    human_in_loop: row.human_in_loop,
    ...payload('alternatives', row.alternatives),
    ...payload('metadata', row.metadata),
    ...(row.erased.length > 0 && { erased_fields: [...row.erased] }),
    timestamp: formatTimestamp(row.timestamp),
    created_at: formatTimestamp(row.created_at),
    hash: row.hash,
    prev_hash: row.prev_hash,
  };
}

function payload(
  name: ErasableField,
  disclosure: string | null,
): Partial<Pick<Decision, ErasableField>> {
  if (disclosure === null) return {};
  return { [name]: disclosedValue(disclosure, name) };
}
