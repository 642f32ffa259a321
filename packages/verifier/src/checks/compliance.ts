import { PAYLOAD_FIELDS } from '@decision-ledger/proof/bundle/format';
import { article12Frame } from '@decision-ledger/proof/bundle/frame';
import type { RecordsManifest } from '@decision-ledger/proof/bundle/manifest';
import type { Shape } from '@decision-ledger/proof/bundle/shape';
import { chainsCheck } from './chains.js';
import { type ContentCheck, type ContentInput, checkHashAlone } from './contents.js';
import type { DecisionRecord, Problem } from './decision-record.js';
import { DecisionCheck } from './decisions.js';
import { RecordLines } from './record-lines.js';
import { differencesOfUse, readUse, type Use } from './use.js';

const RECORDS = 'article12.json';

/** Verifies both chains and compares every record with them. */
export function complianceCheck(
  manifest: RecordsManifest,
  input: ContentInput,
): ContentCheck<'compliance'> {
  const { files, findings, otherFilter } = input;
  const { steps, entries, activity, conclude } = chainsCheck(manifest, input);
  return {
    steps: {
      ...steps,
      'article12.json': async () => {
        const { run, epoch } = entries;
        const due = epoch ?? 1;
        const beside = { chosen: null, otherFilter };
        const known = { file: RECORDS, manifest, findings, run, epoch: due, activity } as const;
        const decisions = new DecisionCheck({ ...known, ...beside });
        const lines = new RecordLines(
          RECORDS,
          findings,
          (record) => checkRecord(record, due, decisions, input),
          article12Frame(manifest),
        );
        await files.lines(RECORDS, lines);
        lines.end();
        decisions.end(lines.count);
      },
      'article12.csv': checkHashAlone,
      'completeness.json': checkHashAlone,
    },
    conclude,
  };
}

/** @param due epoch of the chain */
function checkRecord(
  shape: Shape,
  due: number,
  decisions: DecisionCheck,
  { findings }: ContentInput,
): void {
  const record = readArticle12(shape);
  const { seq, decision_id: id } = record.columns;
  const at = { file: RECORDS, seq, id } as const;
  decisions.check(record);
  if (record.epoch !== due) {
    const message = `The record belongs to epoch ${record.epoch}.`;
    findings.fail('integrity', { code: 'entry_foreign', ...at, message });
  }
  for (const { code, message } of problemsOfUse(record)) {
    findings.fail('integrity', { code, ...at, message });
  }
}

/** A record of article12.json, with all the data that its hash was made from. */
export interface Article12 extends DecisionRecord {
  readonly epoch: number;
  readonly use: Use;
  /** Fields with a malformed value in the ledger; null if there are none. */
  readonly unreadable: readonly string[] | null;
}

/** @throws ShapeError if it is malformed or has an unknown member */
function readArticle12(record: Shape): Article12 {
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
function* problemsOfUse({ fields, use, unreadable }: Article12): Generator<Problem> {
  if (unreadable !== null) {
    const message = `The values of [${unreadable.join(', ')}] in the ledger cannot be those that were recorded.`;
    yield { code: 'commitment_differs', message };
  }
  const metadata = fields.find(({ name }) => name === 'metadata')?.value ?? null;
  for (const path of differencesOfUse(use, metadata)) {
    yield { code: 'use_differs', message: `${path} differs from the metadata.` };
  }
}
