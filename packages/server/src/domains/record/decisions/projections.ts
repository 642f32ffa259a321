import { lockHead, readChain } from '../../../platform/chain/head.js';
import type { LedgerReader, LedgerWriter } from '../../../platform/ledger.js';
import type { RowComparison } from '../../../platform/projections/derived-rows.js';
import {
  type Projection,
  type SeqRange,
  spansUntil,
} from '../../../platform/projections/projection.js';
import { readAssignment, readMetadata, termsText } from './rules/metadata.js';
import { readRunningCost } from './rules/running-cost.js';
import {
  ASSIGNMENTS,
  compareAssignments,
  compareTerms,
  type MarkedRow,
  type NewAssignment,
  selectMarked,
  selectSearchable,
  TERMS,
} from './store/metadata.js';
import {
  type CostedRow,
  compareRunningCosts,
  type NewRunningCost,
  RUNNING_COSTS,
  selectCosted,
} from './store/running-costs.js';

/** Decisions that are compared together. */
const STEP = 500;

/** The terms by which decisions are found. */
export const searchTerms: Projection = {
  name: 'search-terms',
  makes: ['decisions.terms'],
  after: [],
  rows: TERMS,
  parts: (ledger) => inSpans(ledger, compareSpanOfTerms),
  lock,
};

async function compareSpanOfTerms(reader: LedgerReader, span: SeqRange): Promise<RowComparison> {
  const rows = await selectSearchable(reader, span);
  const { ledgerId } = reader;
  const expected = rows.map(({ seq, agent_id, action_type, metadata }) => ({
    seq,
    terms: termsText(ledgerId, agent_id, action_type, readMetadata(metadata)),
  }));
  return compareTerms(reader, span, expected);
}

/** How decisions were assigned to the arms of experiments. An erased field says nothing, and its assignment is gone. */
export const experimentAssignments: Projection = {
  name: 'assignments',
  makes: ['experiment_assignments.*'],
  after: [],
  rows: ASSIGNMENTS,
  parts: (ledger) => inSpans(ledger, compareSpanOfAssignments),
  lock,
};

async function compareSpanOfAssignments(
  reader: LedgerReader,
  span: SeqRange,
): Promise<RowComparison> {
  const marked = await selectMarked(reader, span);
  return compareAssignments(reader, span, marked.flatMap(assignmentOf));
}

function assignmentOf({ seq, timestamp, metadata }: MarkedRow): NewAssignment[] {
  const assignment = readAssignment(readMetadata(metadata));
  return assignment === null ? [] : [{ seq, timestamp, ...assignment }];
}

/** What decisions say of their running cost. An erased field says nothing, and its cost is gone. */
export const runningCosts: Projection = {
  name: 'running-costs',
  makes: ['running_costs.*'],
  after: [],
  rows: RUNNING_COSTS,
  parts: (ledger) => inSpans(ledger, compareSpanOfCosts),
  lock,
};

async function compareSpanOfCosts(reader: LedgerReader, span: SeqRange): Promise<RowComparison> {
  const rows = await selectCosted(reader, span);
  return compareRunningCosts(reader, span, rows.flatMap(runningCostOf));
}

function runningCostOf({
  seq,
  agent_id: agentId,
  action_type: actionType,
  timestamp,
  metadata,
}: CostedRow): NewRunningCost[] {
  const cost = readRunningCost(readMetadata(metadata));
  return cost === null ? [] : [{ ...cost, seq, agentId, actionType, timestamp }];
}

async function* inSpans(
  ledger: LedgerReader,
  compare: (reader: LedgerReader, span: SeqRange) => Promise<RowComparison>,
) {
  const head = async () => (await readChain(ledger, 'decisions'))?.seq ?? 0;
  yield* spansUntil(head, STEP, compare);
}

/** Appends insert the rows with the decision, and erasures change them. */
async function lock(tx: LedgerWriter): Promise<void> {
  await lockHead(tx, 'decisions');
  await lockHead(tx, 'activity');
}
