import { article12Frame } from '@decision-ledger/proof/bundle/frame';
import type { RecordsManifest } from '@decision-ledger/proof/bundle/manifest';
import type { Shape } from '@decision-ledger/proof/bundle/shape';
import { problemsOfUse, readArticle12 } from './article12.js';
import { chainsCheck } from './chains.js';
import { type ContentCheck, type ContentInput, checkHashAlone } from './contents.js';
import { DecisionCheck } from './decisions.js';
import { RecordLines } from './record-lines.js';

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
