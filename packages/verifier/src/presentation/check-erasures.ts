import { Shape, ShapeError } from '@decision-ledger/proof/bundle/shape';
import { commitmentOf } from '@decision-ledger/proof/commitment';
import { disclosedValue } from '@decision-ledger/proof/disclosed-value';
import {
  ACTIVITY_TYPE,
  type ActivityEntry,
  type DecisionEntry,
  EntryError,
  readEntry,
} from '@decision-ledger/proof/entry';
import { GateError } from '@decision-ledger/proof/gate';
import {
  type DisclosedLeaf,
  PRESENTED_FIELDS,
  type Presentation,
  type PresentedField,
} from '@decision-ledger/proof/presentation/format';
import { checkLeaf, type Fail, openLog } from './check-leaf.js';

const ERASED = 'decision.field_erased';

/** The fields whose erasure is recorded in the log of the activity. */
export async function checkErasures(
  { erasures, disclosures }: Presentation,
  decision: DecisionEntry,
  fail: Fail,
): Promise<ReadonlySet<PresentedField>> {
  const erased = new Set<PresentedField>();
  if (erasures === null) return erased;
  const tree = await openLog(erasures, 'activity', decision.ledger, fail);
  for (const record of erasures.records) {
    const activity = readErasure(record, decision, fail);
    if (activity === null) continue;
    checkLeaf(record, activity, tree, fail);
    for (const field of fieldsOf(record, activity, fail)) erased.add(field);
  }
  for (const field of erased) {
    if (disclosures[field] !== undefined) {
      fail('erasure_contradicted', `${field} is disclosed, and its erasure is recorded.`);
    } else if (decision.commitments[field] === undefined) {
      fail('erasure_contradicted', `${field} is erased, but the decision was recorded without it.`);
    }
  }
  return erased;
}

/** The entry of an erasure of this decision; null if it is another one. */
function readErasure(
  { entry }: DisclosedLeaf,
  { decision_id, ledger }: DecisionEntry,
  fail: Fail,
): ActivityEntry | null {
  try {
    const activity = readEntry(entry);
    const isErasure = activity._type === ACTIVITY_TYPE && activity.type === ERASED;
    if (isErasure && activity.subject === decision_id && activity.ledger === ledger) {
      return activity;
    }
    fail('erasure_shape', `An entry is not about an erasure of ${decision_id}.`);
  } catch (error) {
    if (!(error instanceof EntryError)) throw error;
    fail('erasure_shape', `The entry of an erasure cannot be read: ${error.message}`);
  }
  return null;
}

/** The fields that the data of an erasure name. */
function fieldsOf(
  { data }: DisclosedLeaf,
  { seq, commitments }: ActivityEntry,
  fail: Fail,
): readonly PresentedField[] {
  if (commitments.data === undefined || commitmentOf(data) !== commitments.data) {
    fail('erasure_differs', `The data of activity ${seq} are not those that its entry commits to.`);
    return [];
  }
  try {
    const named = new Shape(disclosedValue(data, 'data')).texts('fields');
    return PRESENTED_FIELDS.filter((field) => named.includes(field));
  } catch (error) {
    if (!isMalformed(error)) throw error;
    fail('erasure_shape', `The data of activity ${seq} name no fields: ${error.message}`);
    return [];
  }
}

function isMalformed(error: unknown): error is Error {
  return error instanceof ShapeError || error instanceof GateError || error instanceof TypeError;
}
