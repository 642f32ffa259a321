import type { Decision, DecisionQuery } from '@decision-ledger/contract/decision';
import type { ErasableField } from '@decision-ledger/contract/erasure';
import { notFound } from '@decision-ledger/contract/errors';
import { formatTimestamp } from '@decision-ledger/contract/time';
import { disclosedValue } from '@decision-ledger/proof/disclosed-value';
import { idToUuid, uuidToId } from '../../../platform/ids.js';
import type { LedgerReader } from '../../../platform/ledger.js';
import { mapPageInTurns, type PageRows, type Place, type Slice } from '../../../platform/page.js';
import { readDecisionFilter } from './rules/filter.js';
import {
  type DatedDecision,
  type DecisionViewRow,
  selectDecision,
  selectNeighbours,
  selectTime,
} from './store/decisions.js';
import { selectDecisionPage } from './store/select-page.js';

/** @throws LedgerError `not_found` */
export async function readDecision(ledger: LedgerReader, decisionId: string): Promise<Decision> {
  const uuid = idToUuid('dec', decisionId);
  const row = uuid === null ? null : await selectDecision(ledger, uuid);
  if (row === null) throw notFound('decision');
  return describeDecision(row);
}

type Neighbour = Pick<Decision, 'decision_id' | 'seq' | 'hash'>;

/** The decisions before and after a position of the chain; null where there is none. */
export async function readNeighbours(
  ledger: LedgerReader,
  seq: number,
): Promise<{ readonly previous: Neighbour | null; readonly next: Neighbour | null }> {
  const rows = await selectNeighbours(ledger, seq);
  const at = (wanted: number): Neighbour | null => {
    const row = rows.find((one) => one.seq === wanted);
    return row === undefined ? null : { ...row, decision_id: uuidToId('dec', row.decision_id) };
  };
  return { previous: at(seq - 1), next: at(seq + 1) };
}

export interface ListedDecision {
  readonly decision: Decision;
  readonly place: Place;
}

/**
 * Decisions of a ledger, newest first.
 * @throws LedgerError `validation_error` for an invalid range
 */
export async function listDecisions(
  ledger: LedgerReader,
  query: DecisionQuery,
  slice: Slice<Place>,
): Promise<PageRows<ListedDecision>> {
  const page = await selectDecisionPage(ledger, readDecisionFilter(query), slice);
  return mapPageInTurns(page, (row) => ({
    decision: describeDecision(row),
    place: { at: row.timestamp, id: row.decision_id },
  }));
}

/** Whether an agent has a decision in the ledger. */
export async function isAgent(ledger: LedgerReader, agentId: string): Promise<boolean> {
  const filter = readDecisionFilter({ agent_id: agentId });
  const { rows } = await selectDecisionPage(ledger, filter, { after: null, limit: 1 });
  return rows.length > 0;
}

/**
 * The UUID and the time of a decision of the ledger.
 * @throws LedgerError `not_found`
 */
export async function findDecision(
  ledger: LedgerReader,
  decisionId: string,
): Promise<DatedDecision> {
  const uuid = idToUuid('dec', decisionId);
  const found = uuid === null ? null : await selectTime(ledger, uuid);
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
