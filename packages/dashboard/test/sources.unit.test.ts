import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const FOLDER = join(import.meta.dirname, '../src');
const SOURCES = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => ({ name, text: readFileSync(join(FOLDER, name), 'utf8') }));

/** The files in which a pattern occurs. */
const filesWith = (pattern: RegExp) =>
  SOURCES.filter(({ text }) => pattern.test(text)).map(({ name }) => name);

describe('The sources of the dashboard', () => {
  it('No query shows the answer of another one until its own is there', () => {
    expect(SOURCES.length).toBeGreaterThan(100);
    expect(filesWith(/placeholderData|keepPreviousData|useDeferredValue/)).toEqual([]);
  });

  it('Money has one formatter, and stands on pages as an element or as a label', () => {
    expect(filesWith(/style: 'currency'/)).toEqual(['format/numbers.ts']);
    const amounts = 'amount|open|realised|exposure|net|low90|high90|var95|linked|sum';
    // An amount between tags, or beside its currency in a text.
    expect(filesWith(new RegExp(`>\\s*\\{(?:\\w+\\.)?(?:${amounts})\\}`))).toEqual([]);
    expect(filesWith(/\$\{(?:\w+\.)?(?:amount|rate)\} \$\{(?:\w+\.)?currency\}/)).toEqual([
      ...['format/numbers.ts'],
    ]);
  });

  it('Each table of data has a button for its CSV file', () => {
    // The components that have the button themselves.
    const own = ['components/data-table/data-table.tsx', 'components/rows.tsx'];
    // Those beside which a page puts it.
    const beside = ['pages/agents/table.tsx', 'pages/exposure/matrix/heat-map.tsx'];
    // Fields of a form, what a change would do before it is saved, a question, and a text of help.
    const without = [
      ...['pages/exposure/matrix/cell-table.tsx', 'pages/exposure/matrix/preview.tsx'],
      ...['pages/evidence/offline-check.tsx', 'pages/money/same-money/summation.tsx'],
    ];
    expect(filesWith(/<(?:table|Table)[\s>]/).sort()).toEqual(
      [...own, ...beside, ...without].sort(),
    );
  });
});
