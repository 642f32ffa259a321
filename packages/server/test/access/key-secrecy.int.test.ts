import { IssuedKey } from '@decision-ledger/contract/access';
import { DecisionReceipt } from '@decision-ledger/contract/decision';
import { MODES } from '@decision-ledger/contract/permissions';
import { Settings } from '@decision-ledger/contract/settings';
import { WebhookReceipt } from '@decision-ledger/contract/webhook';
import sql, { raw } from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, dataOf, decision, type Method, request } from '../support/client.js';
import { signatureOf } from '../support/money.js';
import { type Organisation, openTestService, type TestService } from '../support/service.js';
import { charge, eventOf } from '../support/stripe-events.js';

let bed: TestService;
let org: Organisation;

beforeAll(async () => {
  bed = await openTestService('embedded');
  org = await bed.organisation();
});
afterAll(() => bed.close());

/** The secret part of a key: the 32 characters after its prefix. */
const secretOf = (key: string) => key.slice('lg_live_'.length, -6);

const encodeAll = (text: string) =>
  Array.from(Buffer.from(text), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

const encodeUnderscores = (text: string) => text.replaceAll('_', '%5F');

const WEBHOOK = '/api/v1/financial-events/webhook/stripe';

/** URLs that a caller may write by mistake, each with a key in it. */
const URLS: [name: string, url: (key: string) => string][] = [
  ['a parameter key', (key) => `/api/v1/decisions?key=${key}`],
  ['a parameter named as the header', (key) => `/api/v1/decisions?X-Ledger-Key=${key}`],
  ['a parameter in the middle', (key) => `/api/v1/decisions?limit=1&api_key=${key}&agent_id=a`],
  ['a filter', (key) => `/api/v1/decisions?agent_id=${key}`],
  ['a metadata filter', (key) => `/api/v1/decisions?metadata.key=${key}`],
  ['the name of a metadata filter', (key) => `/api/v1/decisions?metadata.${key}=1`],
  ['the name of a parameter', (key) => `/api/v1/decisions?${key}`],
  ['the name of a parameter with a value', (key) => `/api/v1/decisions?${key}=1`],
  ['a cursor', (key) => `/api/v1/decisions?cursor=${key}`],
  ['a limit', (key) => `/api/v1/decisions?limit=${key}`],
  ['a date', (key) => `/api/v1/decisions?start=${key}`],
  ['a parameter twice', (key) => `/api/v1/decisions?key=${key}&key=${key}`],
  ['text around it', (key) => `/api/v1/decisions?agent_id=x${key}%20y`],
  ['encoded underscores', (key) => `/api/v1/decisions?key=${encodeUnderscores(key)}`],
  ['encoded underscores elsewhere', (key) => `/api/v1/decisions?q=${encodeUnderscores(key)}`],
  ['every character encoded', (key) => `/api/v1/decisions?agent_id=${encodeAll(key)}`],
  ['encoded twice', (key) => `/api/v1/decisions?agent_id=${encodeURIComponent(encodeAll(key))}`],
  ['U+0000 behind it', (key) => `/api/v1/decisions?agent_id=${key}%00`],
  ['a broken encoding behind it', (key) => `/api/v1/decisions?key=${key}%zz`],
  ['a path parameter', (key) => `/api/v1/decisions/${key}`],
  ['a path parameter, encoded', (key) => `/api/v1/decisions/${encodeAll(key)}`],
  ['a path parameter with a broken encoding', (key) => `/api/v1/decisions/${key}%zz`],
  ['a path parameter that is too long', (key) => `/api/v1/decisions/${key}${'x'.repeat(2000)}`],
  ['a path that does not exist', (key) => `/${key}`],
  ['a path that does not exist, with a parameter', (key) => `/nothing?key=${key}`],
  ['a path without a key', (key) => `/healthz?key=${key}`],
  ['the key of the webhook', (key) => `${WEBHOOK}?key=${key}`],
  ['the key of the webhook, twice', (key) => `${WEBHOOK}?key=${key}&key=${key}`],
  ['the key of the webhook, encoded', (key) => `${WEBHOOK}?key=${encodeAll(key)}`],
  ['the key of the webhook, its name too', (key) => `${WEBHOOK}?${encodeAll('key')}=${key}`],
  ['the key of the webhook in capitals', (key) => `${WEBHOOK}?KEY=${key}&a=1`],
  ['an event of money', (key) => `/api/v1/financial-events/${key}`],
  ['a filter of money', (key) => `/api/v1/links?decision_id=${key}&key=${key}`],
  ['a job', (key) => `/api/v1/jobs/${key}/retry?key=${key}`],
  ['a fragment', (key) => `/api/v1/decisions#key=${key}`],
];

async function everyAnswer(url: string, key: string): Promise<Answer[]> {
  const methods: Method[] = ['GET', 'POST', 'DELETE', 'PUT', 'OPTIONS'];
  const bare = methods.map((method) => request(bed.http, method, url));
  const known = methods.map((method) => request(bed.http, method, url, { 'x-ledger-key': key }));
  return Promise.all([...bare, ...known]);
}

/** The text with every encoding undone that a reader might undo. */
function decoded(text: string): string {
  let [before, after] = ['', text];
  while (before !== after) {
    before = after;
    after = before.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
  }
  return after;
}

describe.for(MODES)('%s keys in a URL', (mode) => {
  it.for(URLS)('A key in a URL as %s is in no log line and no answer', async ([, url]) => {
    const { key } = org[mode];
    const from = bed.logLines.length;
    const answers = await everyAnswer(url(key), key);
    const lines = bed.logLines.slice(from);
    for (const text of [...answers.map(showAll), ...lines]) {
      expect(decoded(text)).not.toContain(secretOf(key));
    }
  });
});

it('A request leaves a log line whose URL shows what was redacted', async () => {
  const from = bed.logLines.length;
  await org.test.get(`/decisions?limit=3&key=${org.test.key}&agent_id=x${org.live.key}`);
  const lines = bed.logLines.slice(from);
  expect(lines).toHaveLength(1);
  const shown = '/api/v1/decisions?limit=3&key=[redacted]&agent_id=xlg_live_[redacted]';
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ method: 'GET', url: shown, status: 422 });
});

it('An accepted webhook leaves a log line without its key', async () => {
  const secret = 'whsec_secrecy';
  const stripe = { signing_secrets: [secret] };
  dataOf(await org.test.patch('/settings', { stripe }), Settings);
  const body = { name: 'stripe', permissions: ['webhook'] };
  const { key } = dataOf(await org.test.post('/keys', body), IssuedKey, 201);
  const payload = JSON.stringify(eventOf('charge.succeeded', charge()));
  const from = bed.logLines.length;
  const headers = { 'stripe-signature': signatureOf(payload, secret, bed.clock.now()) };
  const url = `${WEBHOOK}?key=${key}`;
  const answer = await request(bed.http, 'POST', url, headers, payload);
  expect(dataOf(answer, WebhookReceipt, 202)).toEqual({ status: 'accepted' });
  const lines = bed.logLines.slice(from);
  expect(lines).toHaveLength(1);
  const shown = `${WEBHOOK}?key=[redacted]`;
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ method: 'POST', url: shown, status: 202 });
  for (const text of [showAll(answer), ...lines]) {
    expect(decoded(text)).not.toContain(secretOf(key));
    expect(text).not.toContain(secret);
  }
});

const showAll = (answer: Answer) =>
  [answer.text, ...answer.headerNames.map((name) => answer.header(name))].join('\n');

describe('Keys outside the URL', () => {
  it('No header puts a key into the log, whatever the answer', async () => {
    const from = bed.logLines.length;
    const { key } = org.live;
    await org.live.get('/decisions');
    await org.live.post('/decisions', 'no JSON');
    await org.live.get('/nothing');
    await bed.client(`${key}x`).get('/decisions');
    await bed.client().get('/decisions', { authorization: key, cookie: key, referer: key });
    const lines = bed.logLines.slice(from);
    expect(lines.length).toBeGreaterThanOrEqual(5);
    for (const line of lines) expect(line).not.toContain(secretOf(key));
  });

  it('A key in a body is neither logged nor echoed in an error', async () => {
    const from = bed.logLines.length;
    const { key } = org.live;
    const answers = [
      await org.live.post('/decisions', key),
      await org.live.post('/decisions', decision({ [key]: 1 })),
      await org.live.post('/decisions', decision({ timestamp: key })),
      await org.live.post('/decisions', decision({ inputs: { [key]: '\0' } })),
      await org.live.patch('/settings', { [key]: 1 }),
      await org.live.post('/keys', { name: 'x', permissions: [key] }),
    ];
    for (const { status, text } of answers) {
      expect(status).toBeGreaterThanOrEqual(400);
      expect(text).not.toContain(secretOf(key));
    }
    for (const line of bed.logLines.slice(from)) expect(line).not.toContain(secretOf(key));
  });

  it('A database failure does not log a key', async () => {
    const alone = await openTestService('embedded');
    const { live } = await alone.organisation();
    await alone.service.storage.close();
    const answer = await live.get(`/decisions?agent_id=${live.key}`);
    expect(answer.status).toBe(503);
    for (const text of [answer.text, ...alone.logLines]) {
      expect(text).not.toContain(secretOf(live.key));
    }
    expect(alone.logLines.some((line) => line.includes('requests were refused'))).toBe(true);
    // Only the folder is left to clean up.
    await expect(alone.close()).rejects.toThrow();
  });

  it('No table holds a key, only its hash', async () => {
    const body = { name: 'a key', permissions: ['read'] };
    const issued = dataOf(await org.live.post('/keys', body), IssuedKey, 201);
    const headers = { 'idempotency-key': 'once' };
    const once = dataOf(await org.live.post('/keys', body, headers), IssuedKey, 201);
    dataOf(await org.live.post('/decisions', decision()), DecisionReceipt, 201);
    const { db } = bed.service;
    const tables = await db.query<{ name: string }>(sql`
      select tablename as name from pg_tables where schemaname = 'public' order by 1`);
    expect(tables.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['api_keys', 'activity']),
    );
    let rows = 0;
    for (const { name } of tables) {
      const found = await db.query<{ text: string }>(sql`
        select row_to_json(t)::text as text from ${raw(`public."${name}"`)} t`);
      rows += found.length;
      for (const { text } of found) {
        for (const { key } of [org.live, org.test, issued, once]) {
          expect(text).not.toContain(secretOf(key));
          expect(text).not.toContain(Buffer.from(key).toString('hex'));
          expect(text).not.toContain(Buffer.from(key).toString('base64'));
        }
      }
    }
    expect(rows).toBeGreaterThan(10);
  });
});
