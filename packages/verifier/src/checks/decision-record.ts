import { PAYLOAD_FIELDS, type PayloadField } from '@decision-ledger/proof/bundle/format';
import { type Shape, ShapeError } from '@decision-ledger/proof/bundle/shape';
import { canonicalJson } from '@decision-ledger/proof/canonical';
import { commitmentOf, disclosureText } from '@decision-ledger/proof/commitment';
import { type DecisionEntry, decisionEntry } from '@decision-ledger/proof/entry';
import type { JsonValue } from '@decision-ledger/proof/gate';
import { leafHash } from '@decision-ledger/proof/hash';
import { isCommitment } from '@decision-ledger/proof/shapes';
import type { FindingCode } from '../report/codes.js';

/** A payload field of a record. */
export interface FieldRecord {
  readonly name: PayloadField;
  /** Null if it is absent; a payload is never null. */
  readonly value: JsonValue;
  readonly salt: string | null;
  readonly commitment: string | null;
}

/** A decision in a record of decisions.json. */
export interface DecisionRecord {
  readonly columns: Omit<DecisionEntry, 'ledger' | 'epoch' | 'commitments'>;
  readonly hash: string;
  readonly fields: readonly FieldRecord[];
  readonly erasedFields: readonly string[];
}

/**
 * The liability is an estimate outside the chain and is not checked.
 * @throws ShapeError
 */
export function readDecision(record: Shape): DecisionRecord {
  const columns = {
    seq: record.count('seq'),
    prev_hash: record.hash('prev_hash'),
    decision_id: record.text('decision_id'),
    agent_id: record.text('agent_id'),
    action_type: record.text('action_type'),
    confidence: record.number('confidence'),
    human_in_loop: record.flag('human_in_loop'),
    timestamp: record.time('timestamp'),
    created_at: record.time('created_at'),
  };
  const [salts, commitments] = [record.object('salts'), record.object('commitments')];
  const fields = PAYLOAD_FIELDS.map((name) => ({
    name,
    value: record.opt(name),
    salt: salts.optText(name),
    commitment: commitments.optText(name),
  }));
  salts.done();
  commitments.done();
  const decision = {
    columns,
    hash: record.hash('hash'),
    fields,
    erasedFields: record.texts('erased_fields'),
  };
  record.optObject('liability');
  record.done();
  return decision;
}

/** The reason why a record does not match its hash. */
export interface Problem {
  readonly code: FindingCode;
  readonly message: string;
}

/**
 * The reason why a value, its salt and its commitment do not match. A value needs both; an absent value
 * has no salt.
 */
export function disclosureProblem(field: FieldRecord): Problem | null {
  const { name, value, salt, commitment } = field;
  if (value === null) {
    if (salt === null) return null;
    return { code: 'commitment_missing', message: `${name} has a salt but no value.` };
  }
  if (salt === null || commitment === null) {
    const message = `${name} has a value but no salt or commitment.`;
    return { code: 'commitment_missing', message };
  }
  if (commitmentFor(name, value, salt) === commitment) return null;
  const message = `The value of ${name} does not match its commitment.`;
  return { code: 'commitment_differs', message };
}

/** The reason why `erased_fields` is not the list of the absent fields in the same order. */
export function listingProblem(
  listed: readonly string[],
  absent: readonly string[],
): Problem | null {
  const isSame = listed.length === absent.length && listed.every((name, at) => name === absent[at]);
  if (isSame) return null;
  const message = `erased_fields is ${JSON.stringify(listed)}; the absent fields are ${JSON.stringify(absent)}.`;
  return { code: 'erasure_listed', message };
}

/** Returns null if the salt is malformed. */
function commitmentFor(name: PayloadField, value: JsonValue, salt: string): string | null {
  try {
    return commitmentOf(disclosureText(salt, name, canonicalJson(value)));
  } catch {
    return null;
  }
}

/**
 * The hash of the entry made from the columns and commitments of the record.
 * @throws TypeError if they make no entry
 */
export function hashOfRecord(
  { columns, fields }: DecisionRecord,
  position: { readonly ledger: string; readonly epoch: number },
): string {
  const commitments: { [name in PayloadField]?: string } = {};
  for (const { name, commitment } of fields) {
    if (commitment === null) continue;
    if (!isCommitment(commitment)) throw new ShapeError(`commitments.${name} is not a commitment.`);
    commitments[name] = commitment;
  }
  return leafHash(decisionEntry({ ...columns, ...position, commitments }));
}
