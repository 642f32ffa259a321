import { formatTimestamp } from '@decision-ledger/contract/time';
import { Type } from 'typebox';
import { Parse } from 'typebox/value';
import { uuidToId } from '../../../platform/ids.js';
import { type EvidenceRow, selectEvidence } from '../../decisions/index.js';
import { type Article12Decision, article12Record } from '../rules/article12.js';
import { ARTICLE_12_HEADER, article12Row } from '../rules/article12-row.js';
import { addToTally, completenessStatement, NO_RECORDS, Tally } from '../rules/completeness.js';
import { readPosition, writePosition } from '../rules/position.js';
import type { RangePage } from '../store/range-page.js';
import { selectArticle12Summaries } from '../store/select-article12-summaries.js';
import type { Part, Piece } from './part.js';
import type { PartsInput } from './parts-input.js';
import { recordPieces } from './record-pieces.js';

/** What is read and written at a time. */
const MOST = { records: 200, bytes: 1024 * 1024 };

/** The contents of a compliance bundle, beside what every bundle has. */
export function complianceParts(input: PartsInput): Part[] {
  return [records(input), rows(input), completeness(input)];
}

function records(input: PartsInput): Part {
  const about = {
    format: 'decision-ledger/article12/v1',
    description:
      'Records of automated decisions in the structure of Article 12 of Regulation (EU) 2024/1689, ' +
      'one a line, by timestamp, then by seq. completeness.json says what they lack.',
    ledger: uuidToId('led', input.scope.ledgerId),
    range: describeRange(input),
  };
  const file = {
    head: `${JSON.stringify(about).slice(0, -1)},"records":[`,
    between: ',',
    tail: '\n]}\n',
    page: (after: string | null) => {
      const { after: place, ...range } = pageOf(input, after);
      return selectEvidence(input.db, input.scope, range, place, MOST);
    },
    line: (row: EvidenceRow) => `\n${article12Record(withPresence(row))}`,
    position: writePosition,
  };
  return { name: 'article12.json', pieces: (from) => recordPieces(file, from) };
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

function rows(input: PartsInput): Part {
  const file = {
    ...{ head: ARTICLE_12_HEADER, between: '', tail: '' },
    page: (after: string | null) =>
      selectArticle12Summaries(input.db, input.scope, pageOf(input, after), MOST),
    line: article12Row,
    position: writePosition,
  };
  return { name: 'article12.csv', pieces: (from) => recordPieces(file, from) };
}

/** Counts page by page; what was counted so far is kept between them, in `next`. */
function completeness(input: PartsInput): Part {
  return {
    name: 'completeness.json',
    async *pieces(from): AsyncGenerator<Piece> {
      for (let state = readState(from); state !== null; ) {
        const page = pageOf(input, state.after);
        const rows = await selectArticle12Summaries(input.db, input.scope, page, MOST);
        const last = rows.at(-1);
        if (last === undefined) {
          yield { text: stateOf(input, state.tally), next: 'null', records: 0 };
          return;
        }
        state = { after: writePosition(last), tally: addToTally(state.tally, rows) };
        yield { text: '', next: JSON.stringify(state), records: rows.length };
      }
    },
  };
}

/** Null behind the end. */
const State = Type.Union([Type.Object({ after: Type.String(), tally: Tally }), Type.Null()]);

function readState(from: string | null): { after: string | null; tally: Tally } | null {
  return from === null ? { after: null, tally: NO_RECORDS } : Parse(State, JSON.parse(from));
}

function stateOf(input: PartsInput, tally: Tally): string {
  const about = {
    ...describeRange(input),
    generatedAt: formatTimestamp(input.clock.now()),
  };
  return `${JSON.stringify(completenessStatement(tally, input.verification, about), null, 2)}\n`;
}

function describeRange({ range }: PartsInput): { start: string; end: string } {
  return { start: formatTimestamp(range.start), end: formatTimestamp(range.end) };
}

function pageOf({ range, lastSeq }: PartsInput, after: string | null): RangePage {
  return { ...range, lastSeq, after: after === null ? null : readPosition(after) };
}
