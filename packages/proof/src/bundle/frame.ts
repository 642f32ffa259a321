import type { Manifest } from './manifest.js';

/** The lines of a file before its first and after its last record. */
export interface Frame {
  readonly head: string;
  readonly tail: string;
}

/** One record per line, with RECORD_SEPARATOR after all but the last. */
export const ARRAY_FRAME: Frame = { head: '[', tail: ']' };

export const RECORD_SEPARATOR = ',';

type Described = Pick<Manifest, 'ledger'> & {
  readonly range: Pick<Manifest['range'], 'start' | 'end'>;
};

/**
 * The frame of article12.json: an object whose last member is the array of records.
 *
 * @example
 * ```ts
 * import { article12Frame } from '@decision-ledger/proof/bundle/frame';
 *
 * const range = { start: '2026-04-01T00:00:00.000Z', end: '2026-05-01T00:00:00.000Z' };
 * article12Frame({ ledger: 'org_1/live', range }).tail; // => ']}'
 * ```
 */
export function article12Frame({ ledger, range }: Described): Frame {
  const about = {
    format: 'decision-ledger/article12/v1',
    description:
      'Records of automated decisions in the structure of Article 12 of Regulation (EU) 2024/1689, ' +
      'one a line, by timestamp, then by seq. completeness.json says what they lack.',
    ledger,
    range: { start: range.start, end: range.end },
  };
  return { head: `${JSON.stringify(about).slice(0, -1)},"records":[`, tail: ']}' };
}

const STATEMENT_ROWS = ',"rows":[';

/**
 * The frame of statement.json: an object whose last member is the array of rows.
 * @param about the other members
 *
 * @example
 * ```ts
 * import { statementFrame } from '@decision-ledger/proof/bundle/frame';
 *
 * statementFrame({ agent_id: 'pricing' }).head; // => '{"agent_id":"pricing","rows":['
 * ```
 */
export function statementFrame(about: object): Frame {
  return { head: JSON.stringify(about).slice(0, -1) + STATEMENT_ROWS, tail: ']}' };
}

/**
 * The members before the rows, as JSON, from the first line of statement.json.
 * @returns null if the line does not end as the first line does
 *
 * @example
 * ```ts
 * import { statementAbout } from '@decision-ledger/proof/bundle/frame';
 *
 * statementAbout('{"agent_id":"pricing","rows":['); // => '{"agent_id":"pricing"}'
 * statementAbout('{}'); // => null
 * ```
 */
export function statementAbout(line: string): string | null {
  return line.endsWith(STATEMENT_ROWS) ? `${line.slice(0, -STATEMENT_ROWS.length)}}` : null;
}
