import type { ReconciliationFinding } from '@decision-ledger/contract/chain';
import { briefText } from '@decision-ledger/proof/replay/state';
import { uuidToId } from '../../../platform/ids.js';
import type { Ledger } from '../../../platform/ledger.js';
import { type RowDifference, rowOf } from '../../../platform/projections/derived-rows.js';
import { comparePart, type Projection } from '../../../platform/projections/projection.js';
import { linkReviews } from '../../judgement/attribution/index.js';
import { exposureCells, linkAllocations } from '../../judgement/liability/index.js';
import { experimentAssignments, runningCosts } from '../../record/decisions/index.js';
import { countedAmounts, movementLeads } from '../../record/financial-events/index.js';
import type { ReconciliationTally } from './rules/tally.js';
import { selectDecisionIds } from './store/rows.js';

type Row = Readonly<Record<string, unknown>>;

/** How the differences of derived rows are reported. */
interface Reported {
  readonly projection: Projection;
  readonly table: string;
  /** What another value is called. */
  readonly kind: 'changed_row' | 'changed_sum';
  /** Names a row for people. @param decisions ids by the place of the decision in its chain */
  key(row: Row, decisions: ReadonlyMap<number, string>): string;
}

const text = (value: unknown): string => String(value);

function keyOfDecision({ seq }: Row, decisions: ReadonlyMap<number, string>): string {
  const id = decisions.get(Number(seq));
  return id === undefined ? `seq ${text(seq)}` : uuidToId('dec', id);
}

/** The derived rows on which evidence depends. */
export const DERIVED = {
  reviews: {
    projection: linkReviews,
    table: 'link_reviews',
    kind: 'changed_row',
    key: ({ link_id, verdict }) => `${uuidToId('lnk', text(link_id))} ${text(verdict)}`,
  },
  assignments: {
    projection: experimentAssignments,
    table: 'experiment_assignments',
    kind: 'changed_row',
    key: keyOfDecision,
  },
  costs: {
    projection: runningCosts,
    table: 'running_costs',
    kind: 'changed_row',
    key: keyOfDecision,
  },
  movements: {
    projection: movementLeads,
    table: 'financial_events',
    kind: 'changed_row',
    key: ({ event_id }) => uuidToId('evt', text(event_id)),
  },
  counted: {
    projection: countedAmounts,
    table: 'financial_events',
    kind: 'changed_sum',
    key: ({ event_id }) => uuidToId('evt', text(event_id)),
  },
  allocations: {
    projection: linkAllocations,
    table: 'link_allocations',
    kind: 'changed_sum',
    key: ({ link_id }) => uuidToId('lnk', text(link_id)),
  },
  cells: {
    projection: exposureCells,
    table: 'exposure_cells',
    kind: 'changed_sum',
    key: ({ hour, agent_id, action_type, variant }) =>
      [hour, agent_id, action_type, variant].filter((part) => part !== '').join(' '),
  },
} as const satisfies Readonly<Record<string, Reported>>;

/** Makes derived rows again and compares the stored ones. */
export async function checkDerived(
  ledger: Ledger,
  reported: Reported,
  tally: ReconciliationTally,
): Promise<void> {
  const { projection, table } = reported;
  for await (const part of projection.parts(ledger)) {
    const { rows, differences, waits_for } = await ledger.read((reader) =>
      comparePart(reader, projection, part),
    );
    if (waits_for === null) tally.checked(rows);
    else tally.skip(table, waits_for, rows);
    const keys = differences.map(({ key }) => rowOf(key));
    const seqs = keys.flatMap(({ seq }) => (seq === undefined ? [] : [Number(seq)]));
    const decisions = await selectDecisionIds(ledger, seqs);
    for (const [place, difference] of differences.entries()) {
      const key = reported.key(keys[place] ?? {}, decisions);
      for (const finding of findingsOf(reported, key, difference)) tally.add(finding);
    }
  }
}

function findingsOf(
  { table, kind }: Reported,
  key: string,
  { expected, actual }: RowDifference,
): ReconciliationFinding[] {
  if (expected === null || actual === null) {
    const whole = { column: null, expected: null, actual: null };
    return [{ kind: expected === null ? 'unexpected_row' : 'missing_row', table, key, ...whole }];
  }
  const [should, is] = [rowOf(expected), rowOf(actual)];
  return Object.keys(should).flatMap((column): ReconciliationFinding[] => {
    const [wanted, found] = [shown(should[column]), shown(is[column])];
    return wanted === found ? [] : [{ kind, table, key, column, expected: wanted, actual: found }];
  });
}

function shown(value: unknown): string | null {
  return value === null || value === undefined ? null : briefText(text(value));
}
