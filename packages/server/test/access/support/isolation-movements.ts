import { randomUUID } from 'node:crypto';
import { Movement } from '@decision-ledger/contract/financial-event';
import { SameMoneyPage } from '@decision-ledger/contract/same-money';
import { expect } from 'vitest';
import { type Client, dataOf, expectRefusal } from '../../support/client.js';
import { followLogs } from '../../support/followers.js';
import { event, recordEvent } from '../../support/money.js';
import { contents, type TestService } from '../../support/service.js';
import { type Case, expectNothingOf, type Ledger } from './isolation-ledger.js';

/** The cases of the routes about reports of the same money. */
export const MOVEMENT_CASES: Readonly<Record<string, Case>> = {
  'POST /api/v1/movements/pair': pairsOwnReports,
  'POST /api/v1/movements/part': partsOwnReports,
  'POST /api/v1/movements/withdraw': withdrawsOwnStatements,
  'GET /api/v1/movements/same-money': listsOwnDoubts,
};

const reportOf = async (
  client: Client,
  source: string,
  external_id = 'order 4711',
): Promise<string> => (await recordEvent(client, { ...event(), source, external_id })).id;

/** A report of another ledger is unknown, on either side. */
async function pairsOwnReports(own: Ledger, foreign: Ledger, bed: TestService): Promise<void> {
  const [here, there] = [
    await reportOf(own.client, 'shop'),
    await reportOf(foreign.client, 'shop'),
  ];
  const other = await reportOf(foreign.client, 'till');
  for (const reports of [
    [here, there],
    [there, here],
    [there, other],
  ]) {
    const before = await contents(bed);
    for (const query of ['', '?dry_run=true']) {
      const answer = await own.client.post(`/movements/pair${query}`, { reports });
      expectRefusal(answer, 'not_found');
    }
    expect(await contents(bed)).toBe(before);
  }
}

async function partsOwnReports(own: Ledger, foreign: Ledger, bed: TestService): Promise<void> {
  const reports = [
    await reportOf(foreign.client, 'shop'),
    await reportOf(foreign.client, 'till'),
  ] as const;
  dataOf(await foreign.client.post('/movements/pair', { reports }), Movement);
  const before = await contents(bed);
  for (const report of reports) {
    expectRefusal(await own.client.post('/movements/part', { report }), 'not_found');
  }
  expect(await contents(bed)).toBe(before);
  const here = await reportOf(own.client, 'shop');
  const kept = await contents(bed);
  for (const [report, from] of [
    [here, reports[0]],
    [reports[0], here],
  ]) {
    expectRefusal(await own.client.post('/movements/part', { report, from }), 'not_found');
  }
  expect(await contents(bed)).toBe(kept);
}

async function withdrawsOwnStatements(own: Ledger, foreign: Ledger, bed: TestService) {
  const [one, other] = [
    await reportOf(foreign.client, 'shop'),
    await reportOf(foreign.client, 'till'),
  ];
  const here = await reportOf(own.client, 'shop');
  dataOf(await foreign.client.post('/movements/pair', { reports: [one, other] }), Movement);
  const before = await contents(bed);
  for (const reports of [
    [one, other],
    [here, other],
    [one, here],
  ]) {
    expectRefusal(await own.client.post('/movements/withdraw', { reports }), 'not_found');
  }
  expect(await contents(bed)).toBe(before);
}

/** The same references in two ledgers are in doubt within each of them alone. */
async function listsOwnDoubts(own: Ledger, foreign: Ledger, { service }: TestService) {
  const ids = new Map<Ledger, string[]>([
    [own, []],
    [foreign, []],
  ]);
  // Of its own: a reference that many events have says nothing.
  const order = `order ${randomUUID()}`;
  for (const [ledger, known] of ids) {
    for (const source of ['kiosk', 'till', 'till']) {
      known.push(await reportOf(ledger.client, source, order));
    }
  }
  await followLogs(service);
  const all = await own.client.get('/movements/same-money?limit=500');
  expectNothingOf(foreign, all.text);
  const { reports } = dataOf(all, SameMoneyPage);
  expect(reports.map(({ report }) => report.id)).toEqual(
    expect.arrayContaining(ids.get(own) ?? []),
  );
  for (const id of ids.get(foreign) ?? []) expect(all.text).not.toContain(id);
  const page = dataOf(await foreign.client.get('/movements/same-money?limit=1'), SameMoneyPage);
  const cursor = encodeURIComponent(page.next_cursor ?? '');
  const stolen = await own.client.get(`/movements/same-money?limit=1&cursor=${cursor}`);
  expectRefusal(stolen, 'malformed_request');
}
