import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import fastify from 'fastify';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { addBodyGate } from '#server/http/body-gate';
import { addBodyMemory } from '#server/http/body-memory';
import { addExpensiveRequests } from '#server/http/expensive-requests';
import type { Http } from '#server/http/types';
import type { Principal } from '#server/platform/principal';

/** Six places among the reads, three of them for one organisation. */
const CONNECTIONS = 10;
const LARGE = JSON.stringify({ text: 'x'.repeat(70_000) });
const MEMORY = { all: 1e9, organisation: 1e9, key: 1e9 };

const principalOf = (orgId: string): Principal => ({
  ...{ actor: `key of ${orgId}`, permissions: new Set() },
  scope: { orgId, ledgerId: orgId, mode: 'live' },
});

let app: Http;
/** The organisations whose requests are worked on, each with what ends it. */
let working: { readonly orgId: string; readonly end: () => void }[];
let address: AddressInfo;

beforeEach(async () => {
  app = fastify({ bodyLimit: 1_000_000 });
  // What is left of a test when it ends does not appear in the next one.
  const own: typeof working = [];
  working = own;
  app.decorateRequest('principal', null);
  app.addHook('onRequest', (incoming, _reply, done) => {
    incoming.principal = principalOf(String(incoming.headers['x-org']));
    done();
  });
  const { largeBodies } = addExpensiveRequests(app, CONNECTIONS);
  addBodyMemory(app, MEMORY);
  addBodyGate(app, largeBodies);
  const work = (orgId: string) =>
    new Promise<string>((resolve) => {
      own.push({ orgId, end: () => resolve('done') });
    });
  for (const [url, config] of [
    ['/read', { bucket: 'read' }],
    ['/light', {}],
    ['/thread', { bucket: 'read', isExpensive: false }],
  ] as const) {
    app.get(url, { config }, ({ principal }) => work(principal?.scope.orgId ?? ''));
  }
  app.post('/body', ({ principal }) => work(principal?.scope.orgId ?? ''));
  await app.listen({ host: '127.0.0.1', port: 0 });
  address = app.server.address() as AddressInfo;
});
afterEach(async () => {
  app.server.closeAllConnections();
  // Others may begin as these end.
  for (const { end } of working) end();
  await app.close();
});

function ask(orgId: string, path: string, body?: string) {
  const headers = { 'x-org': orgId, 'content-type': 'application/json' };
  const method = body === undefined ? 'GET' : 'POST';
  const sent = request({
    host: '127.0.0.1',
    port: address.port,
    path,
    method,
    headers,
    agent: false,
  });
  sent.on('error', () => undefined);
  sent.end(body);
  return sent;
}

/** How many requests of each organisation are worked on. */
const counts = () => {
  const found: Record<string, number> = {};
  for (const { orgId } of working) found[orgId] = (found[orgId] ?? 0) + 1;
  return found;
};
const expectWork = (wanted: Record<string, number>) => expect.poll(counts).toEqual(wanted);
/** Lets whatever would be worked on begin: a request that never waits comes through after the others. */
const settle = async () => {
  const before = counts();
  ask('last', '/light');
  await expectWork({ ...before, last: (before.last ?? 0) + 1 });
};

it('An organisation has three reads at a time, and another one does not wait for it', async () => {
  for (let n = 0; n < 8; n += 1) ask('a', '/read');
  await expectWork({ a: 3 });
  ask('b', '/read');
  await expectWork({ a: 3, b: 1 });
  await settle();
  expect(counts()).toMatchObject({ a: 3, b: 1 });
  working[0]?.end();
  await expectWork({ a: 4, b: 1, last: 1 });
});

it('Requests that are not expensive never wait', async () => {
  for (let n = 0; n < 5; n += 1) ask('a', '/read');
  await expectWork({ a: 3 });
  for (let n = 0; n < 5; n += 1) ask('a', '/light');
  for (let n = 0; n < 5; n += 1) ask('a', '/thread');
  for (let n = 0; n < 5; n += 1) ask('a', '/body', '{"small":true}');
  await expectWork({ a: 18 });
});

it('An organisation has two large bodies at a time', async () => {
  for (let n = 0; n < 5; n += 1) ask('a', '/body', LARGE);
  await expectWork({ a: 2 });
  ask('b', '/body', LARGE);
  await expectWork({ a: 2, b: 1 });
  working[0]?.end();
  await expectWork({ a: 3, b: 1 });
});

it('Work for a caller who is gone keeps its place, and none is begun for those who waited', async () => {
  const gone = Array.from({ length: 8 }, () => ask('a', '/read'));
  await expectWork({ a: 3 });
  const closed = gone.map((sent) => new Promise((resolve) => sent.once('close', resolve)));
  for (const sent of gone) sent.destroy();
  await Promise.all(closed);
  ask('a', '/read');
  await settle();
  expect(counts()).toMatchObject({ a: 3 });
  working[0]?.end();
  await expectWork({ a: 4, last: 1 });
});

it('A refused body gives its place back', async () => {
  const wrong = `{"text":"${'x'.repeat(70_000)}"`;
  for (let n = 0; n < 6; n += 1) ask('a', '/body', wrong);
  ask('a', '/body', LARGE);
  await expectWork({ a: 1 });
});
