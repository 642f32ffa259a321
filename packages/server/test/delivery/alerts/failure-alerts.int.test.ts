import { createServer } from 'node:http';
import { Alert } from '@decision-ledger/contract/alert';
import { Webhook } from 'standardwebhooks';
import { Parse } from 'typebox/value';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { watchLedgers } from '#server/domains/delivery/alerts/index';
import { systemClock } from '#server/platform/clock';
import { asOwner } from '../../support/owner.js';
import { openTestService, scopeOf, type TestService } from '../../support/service.js';
import { ALERT_SECRET } from '../../support/settings-samples.js';

let bed: TestService;
const received: Alert[] = [];
const receiver = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
    const headers = Object.fromEntries(names.map((name) => [name, String(request.headers[name])]));
    received.push(
      Parse(Alert, new Webhook(ALERT_SECRET).verify(Buffer.concat(chunks).toString(), headers)),
    );
    response.writeHead(204).end();
  });
});

beforeAll(async () => {
  bed = await openTestService('embedded');
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  await new Promise((resolve) => receiver.close(resolve));
  await bed.close();
});

async function alertedLedger() {
  const { live } = await bed.organisation();
  const address = receiver.address();
  if (address === null || typeof address === 'string') throw new Error('there is no port');
  const alerts = { url: `http://127.0.0.1:${address.port}`, secret: ALERT_SECRET };
  expect((await live.patch('/settings', { alerts })).status).toBe(200);
  return scopeOf(bed, live);
}

const watch = () =>
  watchLedgers({
    ...bed.service,
    clock: systemClock,
    onUndelivered: (error) => expect.unreachable(String(error)),
  });

it('Each comparison that found differences is reported once, without their values', async () => {
  const { ledgerId } = await alertedLedger();
  const first = {
    ...{ kind: 'changed_row', table: 'financial_events', key: 'evt_1', column: 'amount' },
    ...{ expected: '"1.00"', actual: '"2.00"' },
  };
  const keep = (day: string, findings: number) =>
    asOwner(
      bed,
      `insert into reconciliations values ($1, $2::text::date, $2::text::date, 7, $3, $4)
      on conflict (ledger_id) do update
      set run_day = excluded.run_day, finished_at = excluded.finished_at, findings = excluded.findings, first_finding = excluded.first_finding`,
      [ledgerId, day, findings, findings === 0 ? null : JSON.stringify(first)],
    );
  await keep('2026-04-16', 0);
  await watch();
  expect(received).toEqual([]);
  for (const [index, day] of ['2026-04-17', '2026-04-18'].entries()) {
    await keep(day, 3);
    await watch();
    await watch();
    expect(received).toHaveLength(index + 1);
  }
  expect(received[0]).toMatchObject({ type: 'reconciliation.failed', mode: 'live' });
  expect(received[0]?.data).toEqual({
    ...{ findings: 3, activity_seq: 7 },
    first: { kind: 'changed_row', table: 'financial_events', key: 'evt_1', column: 'amount' },
  });
});

it('A follower that cannot take a record is reported once, without the reason', async () => {
  received.length = 0;
  const { ledgerId } = await alertedLedger();
  const fail = (seq: number, at: string) =>
    asOwner(
      bed,
      `insert into follower_failures (ledger_id, follower, log, seq, reason, failed_at)
      values ($1, 'estimates', 'decisions', $2, 'numeric field overflow', $3::text::timestamptz)`,
      [ledgerId, seq, at],
    );
  await watch();
  await fail(3, '2026-04-16T09:00:00Z');
  await fail(8, '2026-04-16T09:30:00Z');
  await watch();
  await watch();
  await fail(9, '2026-04-16T10:00:00Z');
  await watch();
  const data = (failures: number, seq: number, failed_at: string) => ({
    ...{ follower: 'estimates', kind: 'projection', failures },
    last: { log: 'decisions', seq, failed_at, stopped: false },
  });
  expect(received.map(({ type, data: given }) => [type, given])).toEqual([
    ['follower.failed', data(2, 8, '2026-04-16T09:30:00.000Z')],
    ['follower.failed', data(1, 9, '2026-04-16T10:00:00.000Z')],
  ]);
});
