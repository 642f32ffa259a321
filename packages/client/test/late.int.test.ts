import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ledger, type LedgerOptions } from '@decision-ledger/client';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Client } from '../../server/test/support/client.js';
import { openTestService, type TestService } from '../../server/test/support/service.js';
import { decision } from './support/decisions.js';

const DAY = 86_400;

let bed: TestService;
let client: Client;
let root: string;

beforeAll(async () => {
  bed = await openTestService('embedded');
  bed.clock.advance(Date.now() - bed.clock.now());
});
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'ledger-late-'));
  client = (await bed.organisation()).live;
  await client.patch('/settings', { recording: { max_lateness_seconds: DAY } });
});
afterAll(async () => {
  await bed.close();
  rmSync(root, { recursive: true, force: true });
});

/** A client of the service, without a port. `lost` says whether the answer to a request body is lost. */
function open(options: Partial<LedgerOptions> = {}, lost: (body: string) => boolean = () => false) {
  return new Ledger({
    ...{ url: 'http://ledger.test', key: client.key, onError: () => undefined },
    async fetch(url, { method, headers, body = '' }) {
      const answer = await bed.http.inject({
        ...{ url: url.slice('http://ledger.test'.length), headers },
        ...(method === 'POST' ? { method, payload: body } : { method: 'GET' }),
      });
      if (lost(String(body))) throw new TypeError('fetch failed');
      return {
        status: answer.statusCode,
        headers: { get: (name) => String(answer.headers[name] ?? '') || null },
        text: () => Promise.resolve(answer.body),
        arrayBuffer: () => Promise.resolve(new ArrayBuffer(0)),
      };
    },
    ...options,
  });
}

async function recorded() {
  const found: { readonly timestamp: string; readonly metadata: unknown; readonly n: unknown }[] =
    [];
  for await (const { timestamp, metadata, inputs } of open().decisions.list()) {
    found.push({ timestamp, metadata, n: inputs?.n });
  }
  return found.toSorted((a, b) => Number(a.n) - Number(b.n));
}

const daysAgo = (days: number) => new Date(Date.now() - days * DAY * 1000).toISOString();

it('Decisions that waited longer than the limit are recorded with their time in the metadata', async () => {
  const made = [3, 2, 0].map(daysAgo);
  const ledger = open();
  for (const [n, timestamp] of made.entries()) {
    ledger.record({ ...decision(n), timestamp, metadata: { order: 'A-1' } });
  }
  expect(await ledger.close()).toEqual({ accepted: 3, pending: 0, failed: 0 });
  expect(ledger.stats()).toMatchObject({ accepted: 3, late: 2, failed: 0 });
  const [first, second, third] = await recorded();
  expect(first?.metadata).toEqual({ order: 'A-1', decided_at: made[0] });
  expect(second?.metadata).toEqual({ order: 'A-1', decided_at: made[1] });
  expect(Date.parse(first?.timestamp ?? '')).toBeGreaterThan(Date.parse(made[1] ?? ''));
  expect(third).toMatchObject({ timestamp: made[2], metadata: { order: 'A-1' } });
});

it('The call recordNow does the same', async () => {
  const ledger = open();
  const timestamp = daysAgo(2);
  await ledger.recordNow({ ...decision(1), timestamp });
  expect(ledger.stats()).toMatchObject({ accepted: 1, late: 1, failed: 0 });
  expect(await recorded()).toMatchObject([{ metadata: { decided_at: timestamp } }]);
});

it.for(['late', 'as it was made'] as const)(
  'A decision that a former process recorded %s, and whose receipt it never had, is recorded once',
  async (form) => {
    const outbox = join(root, form);
    const timestamp = daysAgo(2);
    if (form !== 'late') await client.patch('/settings', { recording: null });
    const isLost = (body: string) => form !== 'late' || body.includes('decided_at');
    const former = open({ outbox }, isLost);
    former.record({ ...decision(1), timestamp });
    expect(await former.close({ timeoutMs: 300 })).toMatchObject({ accepted: 0, pending: 1 });
    const [before] = await recorded();
    await client.patch('/settings', { recording: { max_lateness_seconds: DAY } });

    const next = open({ outbox });
    expect(await next.close()).toEqual({ accepted: 1, pending: 0, failed: 0 });
    expect(next.stats()).toMatchObject({ replayed: 1, late: form === 'late' ? 1 : 0 });
    expect(await recorded()).toEqual([before]);
  },
);
