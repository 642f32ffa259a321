import { canonicalJson } from '@decision-ledger/proof/canonical';
import { commitmentOf, disclosureText } from '@decision-ledger/proof/commitment';
import { type DecisionEntry, decisionEntry } from '@decision-ledger/proof/entry';
import type { JsonValue } from '@decision-ledger/proof/gate';
import { leafHash } from '@decision-ledger/proof/hash';
import { isCommitment } from '@decision-ledger/proof/shapes';
import type { FindingCode } from '../report/codes.js';
import { type Shape, ShapeError } from './shape.js';

export const FIELDS = ['inputs', 'outputs', 'alternatives', 'metadata'] as const;
export type Field = (typeof FIELDS)[number];

/** What a record of decisions.json says about one field of the payload. */
export interface FieldRecord {
  readonly name: Field;
  /** Null where it is absent: no payload is null. */
  readonly value: JsonValue;
  readonly salt: string | null;
  readonly commitment: string | null;
}

/** A record of decisions.json. */
export interface DecisionRecord {
  readonly columns: Omit<DecisionEntry, 'ledger' | 'epoch' | 'commitments'>;
  readonly hash: string;
  readonly fields: readonly FieldRecord[];
  readonly erasedFields: readonly string[];
}

/**
 * The liability is an estimate and no part of the chain: it is taken as it stands.
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
  const fields = FIELDS.map((name) => ({
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

/** Why a record is not what its hash says. */
export interface Problem {
  readonly code: FindingCode;
  readonly message: string;
}

/**
 * Why a value, its salt and its commitment are not what was recorded: a value that is there needs
 * both, and one that is gone has no salt.
 */
export function disclosureProblem(field: FieldRecord): Problem | null {
  const { name, value, salt, commitment } = field;
  if (value === null) {
    if (salt === null) return null;
    return { code: 'commitment_missing', message: `${name} has a salt and no value.` };
  }
  if (salt === null || commitment === null) {
    const message = `${name} has a value and no salt or commitment.`;
    return { code: 'commitment_missing', message };
  }
  if (commitmentFor(name, value, salt) === commitment) return null;
  const message = `The value of ${name} does not fit its commitment.`;
  return { code: 'commitment_differs', message };
}

/** Why `erased_fields` is not the list of the fields that are absent, in the same order. */
export function listingProblem(
  listed: readonly string[],
  absent: readonly string[],
): Problem | null {
  const isSame = listed.length === absent.length && listed.every((name, at) => name === absent[at]);
  if (isSame) return null;
  const message = `erased_fields is ${JSON.stringify(listed)}; absent are ${JSON.stringify(absent)}.`;
  return { code: 'erasure_listed', message };
}

/** The commitment that a value and its salt make, or null where they make none. */
function commitmentFor(name: Field, value: JsonValue, salt: string): string | null {
  try {
    return commitmentOf(disclosureText(salt, name, canonicalJson(value)));
  } catch {
    return null;
  }
}

/**
 * The hash of the entry that the record makes up.
 * @throws TypeError when it makes none
 */
export function hashOfRecord(
  { columns, fields }: DecisionRecord,
  position: { readonly ledger: string; readonly epoch: number },
): string {
  const commitments: { [name in Field]?: string } = {};
  for (const { name, commitment } of fields) {
    if (commitment === null) continue;
    if (!isCommitment(commitment)) throw new ShapeError(`commitments.${name} is no commitment.`);
    commitments[name] = commitment;
  }
  return leafHash(decisionEntry({ ...columns, ...position, commitments }));
}
