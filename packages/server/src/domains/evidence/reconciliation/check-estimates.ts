import type { ReconciliationFinding } from '@decision-ledger/contract/chain';
import { LedgerError } from '@decision-ledger/contract/errors';
import { readChain } from '../../../platform/chain/head.js';
import { uuidToId } from '../../../platform/ids.js';
import type { Ledger } from '../../../platform/ledger.js';
import {
  type EstimateFault,
  findEstimateFaults,
  findHistoryFaults,
  type HistoryFault,
  selectStrayHistory,
  storeEstimates,
} from '../../judgement/liability/index.js';
import { selectErasures } from '../../record/decisions/index.js';
import type { ReconciliationTally } from './rules/tally.js';

/** Decisions that are estimated together. */
const STEP = 500;
const TABLE = 'liability_estimates';

/**
 * Estimates every decision again, from the decision, its links and the snapshot that its estimate names,
 * and compares the stored estimates.
 */
export async function checkEstimates(ledger: Ledger, tally: ReconciliationTally): Promise<void> {
  const head = (await readChain(ledger, 'decisions'))?.seq ?? 0;
  // What is not stored yet is no fault.
  await storeEstimates(ledger).catch(passDamage);
  for (let after = 0; after < head; after += STEP) {
    const span = { after, until: Math.min(after + STEP, head) };
    const faults = await ledger.read((snapshot) => findEstimateFaults(snapshot, span));
    for (const fault of faults) tally.add(findingOf(KINDS[fault.kind], fault));
    tally.checked(span.until - after);
  }
}

/** An estimate that cannot be made is found missing. An outage is no fault of a row. */
function passDamage(error: unknown): void {
  if (error instanceof LedgerError) throw error;
}

const KINDS = {
  missing: 'missing_row',
  unexpected: 'unexpected_row',
  copy: 'changed_row',
  figure: 'changed_sum',
} as const;

function findingOf(
  kind: ReconciliationFinding['kind'],
  { decisionId, column, expected, actual }: EstimateFault,
): ReconciliationFinding {
  return { kind, table: TABLE, key: uuidToId('dec', decisionId), column, expected, actual };
}

/** Decisions whose earlier estimates are read together: there may be hundreds of each. */
const HISTORY_STEP = 100;
const HISTORY_TABLE = 'liability_history';
const MAX_STRAY = 101;
const HISTORY_KINDS = {
  missing: 'missing_row',
  unexpected: 'unexpected_row',
  figure: 'changed_sum',
} as const;

/** Makes all earlier estimates again from the decisions and the snapshots that they name. */
export async function checkHistory(ledger: Ledger, tally: ReconciliationTally): Promise<void> {
  const head = (await readChain(ledger, 'decisions'))?.seq ?? 0;
  for (let after = 0; after < head; after += HISTORY_STEP) {
    const span = { after, until: Math.min(after + HISTORY_STEP, head) };
    const { faults, unproven, erased } = await ledger.read(async (tx) => {
      const found = await findHistoryFaults(tx, span);
      const ids = [...new Set(found.faults.map(({ decisionId }) => uuidToId('dec', decisionId)))];
      const erasures = ids.length === 0 ? [] : await selectErasures(tx, ids);
      return { ...found, erased: new Set(erasures.map(({ subject }) => subject)) };
    });
    for (const [column, rows] of unproven) tally.unproven(HISTORY_TABLE, column, rows);
    for (const fault of faults) {
      const id = uuidToId('dec', fault.decisionId);
      // An erasure explains a difference, but no row that is too many.
      const isExplained = erased.has(id) && fault.kind !== 'unexpected';
      if (isExplained) tally.unproven(HISTORY_TABLE, fault.column ?? 'revision');
      else tally.add(findingOfHistory(fault, id));
    }
  }
  for (const seq of await selectStrayHistory(ledger, head, MAX_STRAY)) {
    const nothing = { column: null, expected: null, actual: null };
    tally.add({ kind: 'unexpected_row', table: HISTORY_TABLE, key: `seq ${seq}`, ...nothing });
  }
}

function findingOfHistory({ kind, revisions, column, expected, actual }: HistoryFault, id: string) {
  const [first, last] = revisions;
  const which = first === last ? `revision ${first}` : `revisions ${first} to ${last}`;
  return {
    kind: HISTORY_KINDS[kind],
    table: HISTORY_TABLE,
    key: `${id} ${which}`,
    column,
    expected,
    actual,
  };
}
