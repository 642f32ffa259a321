import type { Baseline } from './rules/baseline.js';
import type { Tally } from './rules/tally.js';
import { FIXED_BY_BASELINE, type UnstatedColumns } from './rules/unstated.js';

/** Compares what no record states of old rows with what the baseline fixed. */
export function checkBaseline(baseline: Baseline, unstated: UnstatedColumns, tally: Tally): void {
  for (const name of FIXED_BY_BASELINE) {
    const expected = baseline.columns[name] ?? { rows: 0, sha256: '' };
    const actual = unstated.get(name);
    if (actual.rows === expected.rows && actual.sha256 === expected.sha256) continue;
    const [table = '', column = ''] = name.split('.');
    tally.add({
      ...{ kind: 'changed_sum', table, key: 'baseline', column },
      ...{ expected: textOf(expected), actual: textOf(actual) },
    });
  }
}

function textOf({ rows, sha256 }: { readonly rows: number; readonly sha256: string }): string {
  return `${rows} rows, sha256:${sha256}`;
}
