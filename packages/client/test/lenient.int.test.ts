import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DecisionToRecord, Ledger, type LedgerOptions } from '@decision-ledger/client';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Client } from '../../server/test/support/client.js';
import { openTestService, type TestService } from '../../server/test/support/service.js';
import { decision } from './support/decisions.js';

let bed: TestService;
let client: Client;
let root: string;
/** The numbers of decisions of the requests. */
let requests: number[];

beforeAll(async () => {
  bed = await openTestService('embedded');
  bed.clock.advance(Date.now() - bed.clock.now());
});
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'ledger-lenient-'));
  requests = [];
  client = (await bed.organisation()).live;
  await client.patch('/settings', { recording: { max_lateness_seconds: 86_400 } });
});
afterAll(async () => {
  await bed.close();
  rmSync(root, { recursive: true, force: true });
});

/** A client of the service, without a port. */
function open(options: Partial<LedgerOptions> = {}) {
  return new Ledger({
    ...{ url: 'http://ledger.test', key: client.key, onError: () => undefined },
    async fetch(url, { method, headers, body = '' }) {
      if (url.endsWith('/batch')) requests.push(JSON.parse(String(body)).decisions.length);
      const answer = await bed.http.inject({
        ...{ url: url.slice('http://ledger.test'.length), headers },
        ...(method === 'POST' ? { method, payload: body } : { method: 'GET' }),
      });
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

const FAULTS: Readonly<Record<string, Partial<DecisionToRecord>>> = {
  'decisions[1].action_type': { action_type: '' },
  'decisions[3].action_type': { action_type: 'x'.repeat(300) },
  'decisions[5].confidence': { confidence: 1.5 },
  'decisions[7].agent_id': { agent_id: '' },
};

it('One request records what is valid, and each other decision is a dead letter with its own reason', async () => {
  const ledger = open({ outbox: join(root, 'outbox') });
  for (const [n, fault] of Object.values(FAULTS).entries()) {
    ledger.record(decision(n));
    ledger.record({ ...decision(n), ...fault });
  }
  await expect(ledger.close()).rejects.toMatchObject({ report: { accepted: 4, failed: 4 } });
  expect(requests).toEqual([8]);
  const letters = readFileSync(join(root, 'outbox', 'dead-letters.ndjson'), 'utf8');
  const lines = letters.trim().split('\n');
  expect(lines).toHaveLength(4);
  for (const [at, path] of Object.keys(FAULTS).entries()) expect(lines[at]).toContain(path);
  const found: unknown[] = [];
  for await (const { inputs } of open().decisions.list()) found.push(inputs?.n);
  expect(found.toSorted()).toEqual([0, 1, 2, 3]);
});

it('Only what has another form is sent again', async () => {
  const ledger = open();
  const [ahead, old] = ['2999-01-01T00:00:00Z', '2020-01-01T00:00:00Z'];
  for (const n of [1, 2]) ledger.record(decision(n));
  ledger.record({ ...decision(3), timestamp: old });
  ledger.record({ ...decision(4), timestamp: ahead });
  ledger.record(decision(5));
  await expect(ledger.close()).rejects.toMatchObject({ report: { accepted: 4, failed: 1 } });
  expect(requests).toEqual([5, 1]);
  const found: unknown[] = [];
  for await (const { inputs, metadata } of open().decisions.list()) {
    found.push([inputs?.n, metadata?.decided_at]);
  }
  expect(found.toSorted()).toEqual([
    [1, undefined],
    [2, undefined],
    [3, old],
    [5, undefined],
  ]);
});
