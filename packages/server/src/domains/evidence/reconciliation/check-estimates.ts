import { LedgerError } from '@decision-ledger/contract/errors';
import type { ReconciliationFinding } from '@decision-ledger/contract/reconciliation';
import { readChain } from '../../../platform/chain/head.js';
import { uuidToId } from '../../../platform/ids.js';
import type { Ledger } from '../../../platform/ledger.js';
import {
  type EstimateFault,
  findEstimateFaults,
  storeEstimates,
} from '../../judgement/liability/index.js';
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
