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
import { GateError, type JsonValue } from '@decision-ledger/proof/gate';
import { leafHash } from '@decision-ledger/proof/hash';
import {
  type DisclosedLeaf,
  PRESENTED_FIELDS,
  type Presentation,
  type PresentedField,
  type PresentedLeaf,
  type PresentedLog,
} from '@decision-ledger/proof/presentation/format';
import { decodeBase64 } from '@decision-ledger/proof/tlog/base64';
import { type Checkpoint, openCheckpoint } from '@decision-ledger/proof/tlog/checkpoint';
import { TlogError } from '@decision-ledger/proof/tlog/error';
import { type LogOrigin, readOrigin } from '@decision-ledger/proof/tlog/origin';
import { checkInclusion } from '@decision-ledger/proof/tlog/proofs';
import { parseVerifierKey } from '@decision-ledger/proof/tlog/verifier-key';
import { requireEd25519 } from '../ed25519.js';
import type { PresentationFinding, PresentationReport } from './report.js';

/** Where a problem is reported. */
export type Fail = (code: PresentationFinding['code'], message: string) => void;

/** What the entry of a record says about its place. */
interface Place {
  readonly ledger: string;
  readonly seq: number;
}

/** @returns the tree that the log signed, under the key in the presentation; null if there is none */
export async function openLog(
  { verifier_key, checkpoint }: PresentedLog,
  chain: LogOrigin['chain'],
  ledger: string,
  fail: Fail,
): Promise<Checkpoint | null> {
  try {
    const opened = await openCheckpoint(checkpoint, parseVerifierKey(verifier_key), requireEd25519);
    const origin = readOrigin(opened.origin);
    if (origin?.chain === chain && origin.ledger === ledger) return opened;
    fail('log_other', `${opened.origin} is not the log of the ${chain} of ${ledger}.`);
  } catch (error) {
    if (!(error instanceof TlogError)) throw error;
    fail('checkpoint_invalid', `The checkpoint of the ${chain} cannot be used: ${error.message}`);
  }
  return null;
}

/** Checks that an entry is at its place in a tree. */
export function checkLeaf(
  { entry, index, path }: PresentedLeaf,
  { seq }: Place,
  tree: Checkpoint | null,
  fail: Fail,
): void {
  if (index !== seq - 1) {
    fail('entry_position', `The entry has the number ${seq}, but the index ${index}.`);
  }
  if (tree === null) return;
  const { size, root } = tree;
  try {
    checkInclusion({ index, size, leaf: leafOf(entry), proof: path.map(decodeBase64), root });
  } catch (error) {
    if (!(error instanceof TlogError)) throw error;
    fail('path_invalid', `The path of number ${seq} in ${tree.origin}: ${error.message}`);
  }
}

function leafOf(entry: string): Uint8Array {
  const hex = leafHash(entry).match(/../g) ?? [];
  return Uint8Array.from(hex, (byte) => Number.parseInt(byte, 16));
}

/** The disclosed values that the entry commits to. */
export function checkValues(
  { disclosures }: Presentation,
  { commitments }: DecisionEntry,
  fail: Fail,
): { [field in PresentedField]?: JsonValue } {
  const values: { [field in PresentedField]?: JsonValue } = {};
  for (const field of PRESENTED_FIELDS) {
    const disclosure = disclosures[field];
    if (disclosure === undefined) continue;
    const commitment = commitments[field];
    if (commitment === undefined) {
      fail('value_unknown', `${field} is disclosed, but the decision was recorded without it.`);
    } else if (commitmentOf(disclosure) !== commitment) {
      fail('value_differs', `${field} is not the value that the entry commits to.`);
    } else {
      const value = disclosed(disclosure, field, fail);
      if (value !== undefined) values[field] = value;
    }
  }
  return values;
}

function disclosed(disclosure: string, field: PresentedField, fail: Fail): JsonValue | undefined {
  try {
    return disclosedValue(disclosure, field);
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof GateError)) throw error;
    fail('value_differs', `${field} has no readable value: ${error.message}`);
    return undefined;
  }
}

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

/** Whether a presentation is of test data: the origin of its log says so. */
export function isTest(log: PresentationReport['log']): boolean {
  return log !== null && readOrigin(log.origin)?.mode === 'test';
}
