import { readChain } from '../../../platform/chain/head.js';
import { uuidToId } from '../../../platform/ids.js';
import type { Ledger } from '../../../platform/ledger.js';
import {
  findHistoryFaults,
  type HistoryFault,
  selectStrayHistory,
} from '../../judgement/liability/index.js';
import { selectErasures } from '../../record/decisions/index.js';
import type { ReconciliationTally } from './rules/tally.js';

/** Decisions whose earlier estimates are read together: there may be hundreds of each. */
const STEP = 100;
const TABLE = 'liability_history';
const MAX_STRAY = 101;
const KINDS = {
  missing: 'missing_row',
  unexpected: 'unexpected_row',
  figure: 'changed_sum',
} as const;

/** Makes all earlier estimates again from the decisions and the snapshots that they name. */
export async function checkHistory(ledger: Ledger, tally: ReconciliationTally): Promise<void> {
  const head = (await readChain(ledger, 'decisions'))?.seq ?? 0;
  for (let after = 0; after < head; after += STEP) {
    const span = { after, until: Math.min(after + STEP, head) };
    const { faults, unproven, erased } = await ledger.read(async (tx) => {
      const found = await findHistoryFaults(tx, span);
      const ids = [...new Set(found.faults.map(({ decisionId }) => uuidToId('dec', decisionId)))];
      const erasures = ids.length === 0 ? [] : await selectErasures(tx, ids);
      return { ...found, erased: new Set(erasures.map(({ subject }) => subject)) };
    });
    for (const [column, rows] of unproven) tally.unproven(TABLE, column, rows);
    for (const fault of faults) {
      const id = uuidToId('dec', fault.decisionId);
      // An erasure explains a difference, but no row that is too many.
      const isExplained = erased.has(id) && fault.kind !== 'unexpected';
      if (isExplained) tally.unproven(TABLE, fault.column ?? 'revision');
      else tally.add(findingOf(fault, id));
    }
  }
  for (const seq of await selectStrayHistory(ledger, head, MAX_STRAY)) {
    const nothing = { column: null, expected: null, actual: null };
    tally.add({ kind: 'unexpected_row', table: TABLE, key: `seq ${seq}`, ...nothing });
  }
}

function findingOf({ kind, revisions, column, expected, actual }: HistoryFault, id: string) {
  const [first, last] = revisions;
  const which = first === last ? `revision ${first}` : `revisions ${first} to ${last}`;
  return { kind: KINDS[kind], table: TABLE, key: `${id} ${which}`, column, expected, actual };
}
