import { formatTimestamp } from '@decision-ledger/contract/time';
import { briefText } from '@decision-ledger/proof/replay/state';
import { readChain } from '../../../platform/chain/read-head.js';
import { uuidToId } from '../../../platform/ids.js';
import type { Ledger } from '../../../platform/ledger.js';
import {
  type AssignmentFault,
  findAssignmentFaults,
  selectStrayAssignments,
} from '../../record/decisions/index.js';
import type { Tally } from './rules/tally.js';
import { selectDecisionIds } from './store/decision-ids.js';

/** Decisions that are read together. */
const STEP = 1000;
const TABLE = 'experiment_assignments';
const MAX_STRAY = 101;
const KINDS = {
  missing: 'missing_row',
  unexpected: 'unexpected_row',
  changed: 'changed_row',
} as const;

/** Reads the assignments to experiments again from the metadata of all decisions. */
export async function checkAssignments(ledger: Ledger, tally: Tally): Promise<void> {
  const head = (await readChain(ledger, 'decisions'))?.seq ?? 0;
  for (let after = 0; after < head; after += STEP) {
    const span = { after, until: Math.min(after + STEP, head) };
    const faults = await ledger.read((tx) => findAssignmentFaults(tx, span));
    const seqs = faults.map(({ seq }) => seq);
    const ids = await selectDecisionIds(ledger, seqs);
    for (const fault of faults) add(tally, fault, ids.get(fault.seq));
  }
  for (const seq of await selectStrayAssignments(ledger, head, MAX_STRAY)) {
    const nothing = { column: null, expected: null, actual: null };
    add(tally, { seq, kind: 'unexpected', ...nothing }, undefined);
  }
}

/** @param decisionId UUID; undefined if the chain has no decision at this position */
function add(tally: Tally, fault: AssignmentFault, decisionId: string | undefined): void {
  const { seq, kind, column } = fault;
  const key = decisionId === undefined ? `seq ${seq}` : uuidToId('dec', decisionId);
  const [expected, actual] = [textOf(fault, 'expected'), textOf(fault, 'actual')];
  tally.add({ kind: KINDS[kind], table: TABLE, key, column, expected, actual });
}

function textOf(fault: AssignmentFault, side: 'expected' | 'actual'): string | null {
  const value = fault[side];
  if (value === null) return null;
  return briefText(fault.column === 'timestamp' ? formatTimestamp(Number(value)) : value);
}
