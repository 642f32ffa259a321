import { type PnlRow, PnlRows } from '@decision-ledger/contract/analytics-rows';
import { expect } from 'vitest';
import { type Client, dataOf } from '../../support/client.js';

/** All rows of a figure, some at a time, and its sum, which the first page states. */
export async function readRows(
  client: Client,
  query: string,
  limit = 500,
): Promise<{ readonly rows: PnlRow[]; readonly sum: NonNullable<PnlRows['sum']> }> {
  const rows: PnlRow[] = [];
  let sum: PnlRows['sum'] = null;
  for (let cursor = ''; ; ) {
    const path = `/analytics/ai-pnl/rows?${query}&limit=${limit}${cursor}`;
    const page = dataOf(await client.get(path), PnlRows);
    expect(page.sum === null, path).toBe(cursor !== '');
    sum ??= page.sum;
    rows.push(...page.rows);
    if (page.next_cursor === null) break;
    cursor = `&cursor=${page.next_cursor}`;
  }
  if (sum === null) throw new Error('the first page states no sum');
  expect(rows).toHaveLength(sum.rows);
  return { rows, sum };
}
