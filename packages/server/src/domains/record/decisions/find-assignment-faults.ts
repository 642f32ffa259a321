import { legibleValue } from '@decision-ledger/proof/disclosed-value';
import type { LedgerReader } from '../../../platform/ledger.js';
import { type Assignment, readAssignment } from './rules/assignment.js';
import {
  type MarkedRow,
  type StoredAssignment,
  selectAssignments,
  selectMarked,
} from './store/experiment-assignments.js';

/** An assignment to an experiment that is not what the metadata of its decision says. */
export interface AssignmentFault {
  readonly seq: number;
  readonly kind: 'missing' | 'unexpected' | 'changed';
  /** Null: the whole row. */
  readonly column: string | null;
  readonly expected: Value;
  readonly actual: Value;
}

type Value = string | number | boolean | null;

/**
 * Reads the assignments of decisions again from their metadata and compares what is stored. An erased
 * field says nothing, and its assignment is gone as well.
 * @param span decisions by seq: `after` exclusive, `until` inclusive
 */
export async function findAssignmentFaults(
  ledger: LedgerReader,
  span: { readonly after: number; readonly until: number },
): Promise<AssignmentFault[]> {
  const stored = new Map((await selectAssignments(ledger, span)).map((row) => [row.seq, row]));
  const faults: AssignmentFault[] = [];
  for (const decision of await selectMarked(ledger, span)) {
    const { seq } = decision;
    const assignment = assignmentOf(decision);
    const row = stored.get(seq);
    if (assignment === null) continue;
    stored.delete(seq);
    if (row === undefined) faults.push(wholeRow('missing', seq));
    else faults.push(...differences(row, assignment, decision.timestamp));
  }
  return [...faults, ...[...stored.keys()].map((seq) => wholeRow('unexpected', seq))];
}

/** Metadata that was tampered with says nothing; the walk over the chain reports it. */
function assignmentOf({ metadata }: MarkedRow): Assignment | null {
  const value = legibleValue(metadata, 'metadata');
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  return readAssignment(value as Parameters<typeof readAssignment>[0]);
}

function differences(
  row: StoredAssignment,
  { experimentId, arm, propensity, isValid }: Assignment,
  timestamp: number,
): AssignmentFault[] {
  const { seq, ...actual } = row;
  const expected = { experiment_id: experimentId, arm, propensity, is_valid: isValid, timestamp };
  return COMPARED.flatMap((column) =>
    Object.is(expected[column], actual[column])
      ? []
      : [
          {
            ...{ seq, kind: 'changed' as const, column },
            ...{ expected: expected[column], actual: actual[column] },
          },
        ],
  );
}

const COMPARED = ['experiment_id', 'arm', 'propensity', 'is_valid', 'timestamp'] as const;

function wholeRow(kind: 'missing' | 'unexpected', seq: number): AssignmentFault {
  return { seq, kind, column: null, expected: null, actual: null };
}
