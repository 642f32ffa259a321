import { PAYLOAD_FIELDS } from '@decision-ledger/proof/bundle/format';
import type { Shape } from '@decision-ledger/proof/bundle/shape';
import type { DecisionRecord, Problem } from './decision-record.js';
import { differencesOfUse, readUse, type Use } from './use.js';

/** A record of article12.json, with all the data that its hash was made from. */
export interface Article12 extends DecisionRecord {
  readonly epoch: number;
  readonly use: Use;
  /** Fields with a malformed value in the ledger; null if there are none. */
  readonly unreadable: readonly string[] | null;
}

/** @throws ShapeError if it is malformed or has an unknown member */
export function readArticle12(record: Shape): Article12 {
  const evidence = record.object('tamper_evidence');
  const [salts, commitments] = [evidence.object('salts'), evidence.object('commitments')];
  const { use, humanInLoop } = readUse(record);
  const read = {
    columns: {
      seq: evidence.count('seq'),
      prev_hash: evidence.hash('prev_hash'),
      decision_id: record.text('decision_id'),
      agent_id: record.text('agent_id'),
      action_type: record.text('action_type'),
      confidence: record.number('confidence'),
      human_in_loop: humanInLoop,
      timestamp: record.time('timestamp'),
      created_at: record.time('created_at'),
    },
    hash: evidence.hash('hash'),
    epoch: evidence.count('epoch'),
    fields: PAYLOAD_FIELDS.map((name) => ({
      name,
      value: record.value(name),
      salt: salts.optText(name),
      commitment: commitments.optText(name),
    })),
    erasedFields: record.texts('erased_fields'),
    use,
    unreadable: record.has('unreadable_fields') ? record.texts('unreadable_fields') : null,
  };
  for (const members of [salts, commitments, evidence, record]) members.done();
  return read;
}

/** Contradictions in what such a record has besides the decision itself. */
export function* problemsOfUse({ fields, use, unreadable }: Article12): Generator<Problem> {
  if (unreadable !== null) {
    const message = `The values of [${unreadable.join(', ')}] in the ledger cannot be those that were recorded.`;
    yield { code: 'commitment_differs', message };
  }
  const metadata = fields.find(({ name }) => name === 'metadata')?.value ?? null;
  for (const path of differencesOfUse(use, metadata)) {
    yield { code: 'use_differs', message: `${path} differs from the metadata.` };
  }
}
