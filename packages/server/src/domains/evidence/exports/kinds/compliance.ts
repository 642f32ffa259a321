import { formatTimestamp } from '@decision-ledger/contract/time';
import { article12Frame } from '@decision-ledger/proof/bundle/frame';
import { Type } from 'typebox';
import { Parse } from 'typebox/value';
import { uuidToId } from '../../../../platform/ids.js';
import { type EvidenceRow, selectDecisionEvidence } from '../../../record/decisions/index.js';
import type { ExportRun, VerifiedRun } from '../export-run.js';
import { pinRange } from '../export-run.js';
import {
  activityOfDecisionsPart,
  checkpointPart,
  entriesPart,
  rangePart,
  verificationPart,
} from '../parts/chains.js';
import { type BundlePart, type Piece, recordsPart, tablePart } from '../parts/part.js';
import {
  ARTICLE_12_HEADER,
  type Article12Decision,
  article12Record,
  article12Row,
} from '../rules/article12.js';
import {
  addToTally,
  CompletenessTally,
  completenessStatement,
  NO_RECORDS,
} from '../rules/completeness.js';
import type { Section } from '../rules/readme.js';
import { selectRetention } from '../store/chains.js';
import {
  type DecisionPage,
  readExportPosition,
  selectArticle12Summaries,
  writeExportPosition,
} from '../store/decisions.js';
import { closing, copied, type ExportKind } from './kind.js';

/** Records in the structure of Article 12 of Regulation (EU) 2024/1689. */
export const compliance: ExportKind<'compliance'> = {
  pin: pinRange,
  files: {
    'article12.json': closing(recordsOf),
    'article12.csv': closing(rowsOf),
    'completeness.json': closing(completenessOf),
    'entries.ndjson': copied(entriesPart),
    'activity.ndjson': closing(activityOfDecisionsPart),
    'chain_verification.json': closing(verificationPart),
    'decisions.checkpoint': closing((run) => checkpointPart(run, 'decisions')),
    'activity.checkpoint': closing((run) => checkpointPart(run, 'activity')),
    'decisions.range.json': closing(rangePart),
  },
  namesApiKeys: true,
  readme,
};

/** Limits of a page. */
const MAX_PAGE = { records: 200, bytes: 1024 * 1024 };

function recordsOf(run: ExportRun): BundlePart {
  const ledger = uuidToId('led', run.ledger.ledgerId);
  const source = {
    page: (after: string | null) => {
      const { after: place, ...range } = pageAfter(run, after);
      return selectDecisionEvidence(run.ledger, range, place, MAX_PAGE);
    },
    line: (row: EvidenceRow) => article12Record(withPresence(row)),
    position: writeExportPosition,
  };
  return recordsPart(source, article12Frame({ ledger, range: rangeOf(run) }));
}

function withPresence(row: EvidenceRow): Article12Decision {
  return {
    ...row,
    decision_id: uuidToId('dec', row.decision_id),
    has_inputs: row.inputs !== null,
    has_outputs: row.outputs !== null,
    has_alternatives: row.alternatives !== null,
  };
}

function rowsOf(run: ExportRun): BundlePart {
  const source = {
    page: (after: string | null) =>
      selectArticle12Summaries(run.ledger, pageAfter(run, after), MAX_PAGE),
    line: article12Row,
    position: writeExportPosition,
  };
  return tablePart(source, ARTICLE_12_HEADER);
}

/** The `next` of each piece contains the counts so far; the last piece contains the text. */
function completenessOf(run: VerifiedRun): BundlePart {
  return {
    async *pieces(from): AsyncGenerator<Piece> {
      for (let state = readState(from); state !== null; ) {
        const page = pageAfter(run, state.after);
        const rows = await selectArticle12Summaries(run.ledger, page, MAX_PAGE);
        const last = rows.at(-1);
        if (last === undefined) {
          yield { text: await statementOf(run, state.tally), next: 'null', records: 0 };
          return;
        }
        state = { after: writeExportPosition(last), tally: addToTally(state.tally, rows) };
        yield { text: '', next: JSON.stringify(state), records: rows.length };
      }
    },
  };
}

/** Null after the end. */
const State = Type.Union([
  Type.Object({ after: Type.String(), tally: CompletenessTally }),
  Type.Null(),
]);

function readState(from: string | null): { after: string | null; tally: CompletenessTally } | null {
  return from === null ? { after: null, tally: NO_RECORDS } : Parse(State, JSON.parse(from));
}

async function statementOf(run: VerifiedRun, tally: CompletenessTally): Promise<string> {
  const { ledger, activitySeq } = run;
  const { oldest, erasures } = await selectRetention(ledger, activitySeq);
  const retention = { oldest: oldest === null ? null : formatTimestamp(oldest), erasures };
  const about = { ...rangeOf(run), generatedAt: formatTimestamp(ledger.clock.now()), retention };
  return `${JSON.stringify(completenessStatement(tally, run.chains, about), null, 2)}\n`;
}

function rangeOf({ snapshot }: ExportRun): { start: string; end: string } {
  return { start: formatTimestamp(snapshot.start), end: formatTimestamp(snapshot.end) };
}

function pageAfter({ snapshot }: ExportRun, after: string | null): DecisionPage {
  const { start, end, lastSeq } = snapshot;
  return { start, end, lastSeq, after: after === null ? null : readExportPosition(after) };
}

function readme(): Section[] {
  return [
    [
      'WHAT IT SHOWS',
      '',
      'article12.json contains a record for each decision of the range, in the structure that Article 12',
      'of Regulation (EU) 2024/1689 requires of logs; article12.csv is a summary. The hash of each record',
      'can be recalculated from its content. completeness.json lists what is present, what is missing,',
      'and the result of verifying the chains.',
      '',
      'entries.ndjson contains the unbroken run of entries, with one on each side of the range, as far as',
      'there is one. Those outside the range have digests in place of the payload. activity.ndjson records',
      'when, by whom and why fields were erased; its data about money are withheld.',
      'decisions.range.json fixes the place of the run in the log of decisions, whose checkpoint the chain',
      'of activity names.',
    ],
    [
      'WHAT IT DOES NOT PROVE',
      '',
      '- That the whole ledger was not rewritten before the bundle was made. Checkpoints and receipts kept',
      '  by others and earlier bundles can show that.',
      '- That a system complies with the law.',
      '- That the recorded data are true, or the times exact.',
    ],
  ];
}
