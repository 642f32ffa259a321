import {
  type DecisionRecord,
  disclosureProblem,
  FIELDS,
  hashOfRecord,
  type Problem,
} from './decision-record.js';
import { isInRange } from './entries.js';
import type { Manifest } from './manifest.js';
import type { Shape } from './shape.js';

/** A record of article12.json in its own form, which has all that its hash was made from. */
interface Article12 extends DecisionRecord {
  readonly epoch: number;
  /** Absent although they have a commitment: erased, or not in a form that can be written. */
  readonly absent: readonly string[];
}

/**
 * Works the hash of a record out again.
 * @throws ShapeError when the record is not in its form
 */
export function* checkArticle12(shape: Shape, manifest: Manifest): Generator<Problem> {
  const record = readArticle12(shape);
  const hash = hashOfRecord(record, { ledger: manifest.ledger, epoch: record.epoch });
  if (hash !== record.hash) {
    const message = `The record makes up an entry with the hash ${hash}, and says ${record.hash}.`;
    yield { code: 'decision_hash', message };
  }
  const { timestamp } = record.columns;
  if (!isInRange(manifest, timestamp)) {
    const message = `The record is dated ${timestamp}, which is not in the range.`;
    yield { code: 'decision_outside', message };
  }
  for (const field of record.fields) {
    const { name, value, commitment } = field;
    const problem = disclosureProblem(field);
    if (problem !== null) yield problem;
    if (value === null && commitment !== null && !record.absent.includes(name)) {
      const message = `${name} is absent, and the record does not say that it was erased.`;
      yield { code: 'erasure_listed', message };
    }
  }
}

function readArticle12(shape: Shape): Article12 {
  const evidence = shape.object('tamper_evidence');
  const [salts, commitments] = [evidence.object('salts'), evidence.object('commitments')];
  const unreadable = shape.has('unreadable_fields') ? shape.texts('unreadable_fields') : [];
  const erasedFields = shape.texts('erased_fields');
  return {
    columns: {
      seq: evidence.count('seq'),
      prev_hash: evidence.hash('prev_hash'),
      decision_id: shape.text('decision_id'),
      agent_id: shape.text('agent_id'),
      action_type: shape.text('action_type'),
      confidence: shape.number('confidence'),
      human_in_loop: shape.object('verifier').flag('human_in_loop'),
      timestamp: shape.time('timestamp'),
      created_at: shape.time('created_at'),
    },
    hash: evidence.hash('hash'),
    epoch: evidence.count('epoch'),
    fields: FIELDS.map((name) => ({
      name,
      value: shape.opt(name),
      salt: salts.optText(name),
      commitment: commitments.optText(name),
    })),
    erasedFields,
    absent: [...erasedFields, ...unreadable],
  };
}
