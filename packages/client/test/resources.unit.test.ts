import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FetchRequest, Ledger, LedgerApiError } from '@decision-ledger/client';
import { expect, it } from 'vitest';
import { manualTime } from './support/manual-time.js';

const RELEASED = join(import.meta.dirname, '../../server/test/http/released-openapi.json');

const DECISION = {
  ...{ agent_id: 'refund-bot', action_type: 'refund', inputs: {}, outputs: {} },
  confidence: 0.9,
};

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly request: FetchRequest;
}

type Answer = { readonly status?: number; readonly data?: unknown; readonly error?: unknown };

/** A client whose requests are answered in turn. */
function answering(...answers: readonly (Answer | Uint8Array<ArrayBuffer>)[]) {
  const sent: Sent[] = [];
  const left = [...answers];
  const time = manualTime();
  const ledger = new Ledger({
    ...{ url: 'https://ledger.example.com/base', key: async () => 'lg_test_rotated' },
    ...{ timers: time.timers, now: time.now, random: () => 0.5 },
    fetch(url, request) {
      const { pathname, search } = new URL(url);
      sent.push({ method: request.method, path: pathname + search, request });
      const next = left.shift();
      if (next === undefined) throw new TypeError('nothing is left to answer');
      return Promise.resolve(next instanceof Uint8Array ? fileOf(next) : respond(next));
    },
  });
  return { ledger, sent, time };
}

function respond({ status = 200, ...body }: Answer) {
  return {
    status,
    headers: { get: (name: string) => (name === 'x-request-id' ? 'req_7' : null) },
    text: () => Promise.resolve(JSON.stringify(body)),
    arrayBuffer: () => Promise.resolve(new ArrayBuffer(0)),
  };
}

function fileOf(bytes: Uint8Array<ArrayBuffer>) {
  const none = { get: () => null };
  return {
    ...{ status: 200, headers: none, text: () => Promise.resolve('') },
    arrayBuffer: () => Promise.resolve(bytes.buffer),
  };
}

it('A signed receipt is asked for by a preference, and only if the caller wants one', async () => {
  const receipt = {
    ...{ decision_id: 'dec_1', seq: 1, hash: '0'.repeat(64), prev_hash: '1'.repeat(64) },
    signed_receipt: 'decision-ledger/receipt/v1\n…',
  };
  const { ledger, sent } = answering({ data: receipt }, { data: { ...receipt, seq: 2 } });
  const signed = await ledger.recordNow(DECISION, { signedReceipt: true });
  expect(signed.signed_receipt).toBe(receipt.signed_receipt);
  await ledger.recordNow(DECISION);
  expect(sent.map(({ request }) => Reflect.get(request.headers, 'prefer'))).toEqual([
    'receipt=signed',
    undefined,
  ]);
});

it('A presentation is asked for with its fields', async () => {
  const { ledger, sent } = answering({ data: { status: 'pending', presentation: null } });
  const made = await ledger.transparency.present('dec_1', { fields: ['inputs'] });
  expect(made.presentation).toBeNull();
  expect(sent).toMatchObject([
    { method: 'POST', path: '/base/api/v1/decisions/dec_1/presentation' },
  ]);
  expect(sent[0]?.request.body).toBe('{"fields":["inputs"]}');
});

const page = (ids: readonly string[], next_cursor: string | null) => ({
  data: { decisions: ids.map((decision_id) => ({ decision_id })), next_cursor },
});

it('A list is iterated across its pages, with the same filters', async () => {
  const { ledger, sent } = answering(page(['a', 'b'], 'c1'), page(['c'], 'c2'), page([], null));
  const found: string[] = [];
  for await (const { decision_id } of ledger.decisions.list({
    ...{ agent_id: 'a b', limit: 2, 'metadata.customer_id': '7&8' },
  })) {
    found.push(decision_id);
  }
  expect(found).toEqual(['a', 'b', 'c']);
  const query = '/base/api/v1/decisions?agent_id=a+b&limit=2&metadata.customer_id=7%268';
  expect(sent.map(({ path }) => path)).toEqual([query, `${query}&cursor=c1`, `${query}&cursor=c2`]);
});

it('A list that is left early reads no further page', async () => {
  const { ledger, sent } = answering(page(['a', 'b'], 'c1'), page(['c'], null));
  expect(await ledger.decisions.list().toArray(2)).toHaveLength(2);
  expect(sent).toHaveLength(1);
});

it('An id that is not one stays within its segment of the path', async () => {
  const { ledger, sent } = answering({ data: {} });
  await ledger.decisions.get('../keys?x=1');
  expect(sent[0]?.path).toBe('/base/api/v1/decisions/..%2Fkeys%3Fx%3D1');
});

it('Every request carries the key of that moment in its header, and follows no redirect', async () => {
  const { ledger, sent } = answering({ data: {} });
  await ledger.settings.get();
  expect(sent[0]?.request.headers).toMatchObject({ 'x-ledger-key': 'lg_test_rotated' });
  expect(sent[0]?.request.redirect).toBe('manual');
});

it('An error of the service is typed, with its fields and the id of the request', async () => {
  const fields = { amount: ['must be a decimal'] };
  const error = { code: 'validation_error', message: 'see amount', details: { fields } };
  const { ledger } = answering({ status: 422, error });
  const thrown = await ledger.links.confirm('lnk_1').catch((one: unknown) => one);
  expect(thrown).toBeInstanceOf(LedgerApiError);
  expect(thrown).toMatchObject({
    ...{ code: 'validation_error', status: 422, requestId: 'req_7', details: { fields } },
    message: '422 validation_error: see amount',
  });
});

it('A change of settings states the tag that it was made for', async () => {
  const { ledger, sent } = answering({ data: {} });
  await ledger.settings.update({ base_currency: 'EUR' }, { ifMatch: '"abc"' });
  expect(sent[0]?.request.headers).toMatchObject({ 'if-match': '"abc"' });
});

it('A creation is repeated under one idempotency key, and a confirmation is not repeated', async () => {
  const broken = { status: 503, error: { code: 'unavailable', message: 'later' } };
  const { ledger, sent, time } = answering(broken, { data: { id: 'evt_1' } }, broken);
  const event = {
    ...{ source: 'billing', event_type: 'payment', amount: '12.50', currency: 'USD' },
    timestamp: '2026-04-16T09:30:00Z',
  };
  expect(await time.until(ledger.events.create(event))).toEqual({ id: 'evt_1' });
  const keys = sent.map(({ request }) => request.headers['idempotency-key']);
  expect(keys[0]).toMatch(/^[0-9a-f]{32}-1$/);
  expect(keys[1]).toBe(keys[0]);
  await expect(ledger.links.confirm('lnk_1')).rejects.toMatchObject({ code: 'unavailable' });
  expect(sent).toHaveLength(3);
});

it('Waiting for an export polls it, downloads it and compares its checksum', async () => {
  const archive = new Uint8Array([80, 75, 3, 4]);
  const sha256 = createHash('sha256').update(archive).digest('hex');
  const { ledger, sent, time } = answering(
    { status: 202, data: { export_id: 'exp_1', status: 'pending' } },
    { data: { export_id: 'exp_1', status: 'running' } },
    { data: { export_id: 'exp_1', status: 'complete', sha256 } },
    archive,
  );
  const range = { start_date: '2026-04-01', end_date: '2026-04-30' };
  const done = await time.until(
    ledger.exports.waitAndDownload({ export_type: 'forensic', ...range }),
  );
  expect(done.archive).toEqual(archive);
  expect(sent.map(({ method, path }) => `${method} ${path.slice(12)}`)).toEqual([
    ...['POST /exports', 'GET /exports/exp_1', 'GET /exports/exp_1'],
    'GET /exports/exp_1/download',
  ]);
});

it.for([
  [{ status: 'failed', reason: 'the disk is full' }, 'failed: the disk is full'],
  [{ status: 'complete', sha256: 'ab' }, 'damaged: its SHA-256 is'],
])('An export that is %j rejects with its reason', async ([found, message]) => {
  const { ledger } = answering({ data: found }, new Uint8Array([1]));
  await expect(ledger.exports.waitAndDownload('exp_1')).rejects.toThrow(String(message));
});

it('A verification expects the last receipt of the client, unless it names another', async () => {
  const hash = 'a'.repeat(64);
  const receipt = { decision_id: 'dec_1', seq: 41, hash, prev_hash: hash };
  const { ledger, sent } = answering({ status: 201, data: receipt }, { data: {} }, { data: {} });
  await ledger.recordNow({
    ...{ agent_id: 'a', action_type: 'b', inputs: {}, outputs: {}, confidence: 1 },
  });
  await ledger.verification.decisions({ start_date: '2026-04-01' });
  await ledger.verification.decisions({ expect_seq: 3, expect_hash: 'b'.repeat(64) });
  expect(sent.slice(1).map(({ path }) => path.split('?')[1])).toEqual([
    `start_date=2026-04-01&expect_seq=41&expect_hash=${hash}`,
    `expect_seq=3&expect_hash=${'b'.repeat(64)}`,
  ]);
});

/** What a caller of the client does not need: monitoring, descriptions, and what processors send. */
const LEFT_OUT = /^(getVersion|getHealth|getReadiness|getMetrics|getOpenApi|getAsyncApi)$/;
const ELSEWHERE = new Set([
  ...['openStream', 'receiveStripeEvent'],
  ...['exportTraces', 'exportMetrics', 'exportLogs'],
  // For those who have no key: `decision-ledger watch` calls them.
  ...['getPublicCheckpoint', 'getPublicTile', 'getPublicConsistency'],
]);

it('The client has a call for every operation of the API', async () => {
  const { ledger, sent, time } = answering(...Array.from({ length: 200 }, () => ({ data: {} })));
  const { decisions, events, links, reviews, analytics } = ledger;
  const { exports, uploads, verification, settings, keys, sessions } = ledger;
  const { operations, transparency } = ledger;
  const parts = { decisions, events, links, reviews, analytics, uploads };
  const others = { exports, verification, settings, keys, sessions, operations, transparency };
  for (const part of Object.values({ ...parts, ...others })) {
    for (const name of Object.getOwnPropertyNames(Object.getPrototypeOf(part))) {
      if (name === 'constructor' || name.startsWith('wait')) continue;
      const call: unknown = Reflect.get(part, name);
      if (typeof call !== 'function') throw new Error(`${name} is no method`);
      const started = call.call(part, 'ID', ['tile', 'read'].includes(name) ? 'ID' : {});
      // A list reads nothing before it is iterated.
      const ended = Promise.resolve(started.toArray?.(1) ?? started).catch(() => undefined);
      await time.until(ended);
    }
  }
  ledger.record(DECISION);
  await time.until(ledger.recordNow(DECISION).catch(() => undefined));
  await time.until(ledger.flush().catch(() => undefined));
  const called = new Set(sent.map(({ method, path }) => `${method} ${pathOf(path)}`));
  const missing = releasedOperations().filter(([, name]) => !called.has(name));
  expect(called.size).toBeGreaterThan(40);
  expect(missing).toEqual([]);
});

const pathOf = (path: string) => path.replace('/base', '').split('?')[0];

function releasedOperations(): [id: string, name: string][] {
  const { paths } = JSON.parse(readFileSync(RELEASED, 'utf8'));
  return Object.entries(Object(paths))
    .flatMap(([path, methods]) =>
      Object.entries(Object(methods)).map(([method, operation]): [string, string] => [
        String(Reflect.get(Object(operation), 'operationId')),
        `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, 'ID')}`,
      ]),
    )
    .filter(([id]) => !LEFT_OUT.test(id) && !ELSEWHERE.has(id));
}
