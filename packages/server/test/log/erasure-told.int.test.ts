import { fastify } from 'fastify';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { decisionRoutes } from '#server/domains/record/decisions/routes';
import { envelopeWrapper } from '#server/http/envelope';
import { createCursorCodec } from '#server/http/paging';
import type { Http } from '#server/http/types';
import type { Scope } from '#server/platform/principal';
import { type Client, request } from '../support/client.js';
import { decideFull, read } from '../support/erasures.js';
import { openTestService, scopeOf, type TestService } from '../support/service.js';

let bed: TestService;
let client: Client;
let scope: Scope;
let http: Http;
let id: string;
/** The notifications to holders of copies: the ledger, and what it then reports as erased. */
let told: { readonly ledgerId: string; readonly erased: Promise<unknown> }[];

beforeAll(async () => {
  bed = await openTestService('embedded');
  client = (await bed.organisation()).live;
  scope = await scopeOf(bed, client);
});
beforeEach(async () => {
  told = [];
  id = await decideFull(client);
  http = openRoutes();
});
afterAll(() => bed.close());

/** Only the decision routes, for a caller with every permission. */
function openRoutes(): Http {
  // The schemas have custom keywords.
  const app: Http = fastify({ ajv: { customOptions: { strict: false } } });
  app.decorateRequest('principal', null);
  app.addHook('onRequest', async (asked) => {
    asked.principal = { scope, actor: 'key_test', permissions: new Set(['erase']) };
  });
  const secret = Buffer.alloc(32);
  decisionRoutes(app, {
    ...bed.service,
    cursors: createCursorCodec(bed.service.keyring.tokens('cursor')),
    verifier: { verify: () => Promise.reject(new Error('nothing is verified here')) },
    idempotencyKey: secret,
    wrap: envelopeWrapper(bed.clock),
    onErased: ({ ledgerId }) => {
      told.push({ ledgerId, erased: read(client, id).then(({ erased_fields }) => erased_fields) });
    },
  });
  return app;
}

async function erase(decisionId: string, headers = {}): Promise<number> {
  const body = JSON.stringify({ fields: ['inputs'], reason: 'a test' });
  const json = { 'content-type': 'application/json', ...headers };
  const answer = await request(http, 'POST', `/decisions/${decisionId}/erase`, json, body);
  return answer.status;
}

it('An erasure is notified once it is committed', async () => {
  expect(await erase(id)).toBe(200);
  expect(told.map(({ ledgerId }) => ledgerId)).toEqual([scope.ledgerId]);
  expect(await told[0]?.erased).toEqual(['inputs']);
});

it('A request that erases nothing is not notified: a repeat, a replay, an unknown decision', async () => {
  const key = { 'idempotency-key': `erase ${id}` };
  expect(await erase(id, key)).toBe(200);
  expect(told).toHaveLength(1);
  expect(await erase(id, key)).toBe(200);
  expect(await erase(id)).toBe(200);
  expect(await erase('dec_01kpat0fe0ec88qqtsarzj0nhh')).toBe(404);
  expect(told).toHaveLength(1);
});
