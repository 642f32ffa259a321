import { expect } from 'vitest';
import { readCsv } from '../../evidence/support/read-csv.js';
import type { Client } from '../../support/client.js';

export type TableRow = Readonly<Record<string, string>>;

/** The rows of a table by the names of its columns. */
export async function readTable(client: Client, path: string): Promise<TableRow[]> {
  const answer = await client.get(path, { accept: 'text/csv' });
  expect(answer.status, answer.text).toBe(200);
  expect(answer.header('content-type')).toBe('text/csv; charset=utf-8; header=present');
  expect(answer.header('content-disposition')).toMatch(/^attachment; filename="[a-z-]+\.csv"$/);
  const [header = [], ...rows] = readCsv(answer.text);
  return rows.map((row) => Object.fromEntries(header.map((name, at) => [name, row[at] ?? ''])));
}
