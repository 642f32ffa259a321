import { LedgerError } from '@decision-ledger/contract/errors';
import type { ReconciliationFinding } from '@decision-ledger/contract/reconciliation';
import { readChain } from '../../../platform/chain/read-head.js';
import { uuidToId } from '../../../platform/ids.js';
import type { Ledger, LedgerReader } from '../../../platform/ledger.js';
import {
  type EstimateFault,
  findEstimateFaults,
  storeEstimates,
} from '../../judgement/liability/index.js';
import { selectErasures } from '../../record/decisions/index.js';
import type { Tally } from './rules/tally.js';

/** Decisions that are estimated together. */
const STEP = 500;
const TABLE = 'liability_estimates';

/**
 * Estimates every decision again, from the decision, its links and the snapshot that its estimate names,
 * and compares the stored estimates.
 */
export async function checkEstimates(ledger: Ledger, tally: Tally): Promise<void> {
  const head = (await readChain(ledger, 'decisions'))?.seq ?? 0;
  // What is not stored yet is no fault.
  await storeEstimates(ledger).catch(passDamage);
  for (let after = 0; after < head; after += STEP) {
    const span = { after, until: Math.min(after + STEP, head) };
    const faults = await ledger.read((snapshot) => faultsOf(snapshot, span));
    for (const fault of faults) tally.add(findingOf(KINDS[fault.kind], fault));
    tally.checked(span.until - after);
  }
}

type Span = Parameters<typeof findEstimateFaults>[1];

/** An estimate that cannot be made is found missing. An outage is no fault of a row. */
function passDamage(error: unknown): void {
  if (error instanceof LedgerError) throw error;
}

/** Only where something differs does it matter whether fields were erased. */
async function faultsOf(tx: LedgerReader, span: Span): Promise<EstimateFault[]> {
  const faults = await findEstimateFaults(tx, span, new Set());
  const ids = new Map(faults.map(({ decisionId, seq }) => [uuidToId('dec', decisionId), seq]));
  const erasures = faults.length === 0 ? [] : await selectErasures(tx, [...ids.keys()]);
  if (erasures.length === 0) return faults;
  const erased = new Set(erasures.flatMap(({ subject }) => ids.get(subject) ?? []));
  return findEstimateFaults(tx, span, erased);
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
