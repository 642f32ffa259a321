import { IssuedKey, KeyPage } from '@decision-ledger/contract/access';
import {
  ActivityChainVerification,
  ActivityPage,
  DecisionChainVerification,
} from '@decision-ledger/contract/chain';
import { DecisionPage, DecisionReceipt } from '@decision-ledger/contract/decision';
import { Erasure } from '@decision-ledger/contract/erasure';
import { MODES } from '@decision-ledger/contract/permissions';
import { SearchPage } from '@decision-ledger/contract/search';
import { Settings } from '@decision-ledger/contract/settings';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Answer,
  type Client,
  dataOf,
  decision,
  errorOf,
  expectRefusal,
  request,
} from '../../support/client.js';
import { rowsOf } from '../../support/erasures.js';
import { routesOf } from '../../support/routes.js';
import { type Engine, openTestService, type TestService } from '../../support/service.js';
import { BUDGET_CASES } from './isolation-budgets.js';
import { EXPORT_CASES } from './isolation-exports.js';
import { type Case, expectNothingOf, fillLedger, type Ledger } from './isolation-ledger.js';
import { LIABILITY_CASES } from './isolation-liability.js';
import { keepsOwnSecrets, MONEY_CASES } from './isolation-money.js';
import { OTLP_CASES } from './isolation-otlp.js';
import { REVIEW_CASES } from './isolation-reviews.js';
import { SESSION_CASES } from './isolation-sessions.js';
import { STREAM_CASES } from './isolation-stream.js';
import { TRANSPARENCY_CASES } from './isolation-transparency.js';
import { UPLOAD_CASES } from './isolation-uploads.js';

let bed: TestService;
let ledgers: readonly Ledger[];

const CASES: Readonly<Record<string, Case>> = {
  'GET /api/v1/decisions': listsOwnDecisions,
  'GET /api/v1/decisions/:id': async (own, foreign) => {
    for (const { decision_id } of foreign.receipts) {
      expectRefusal(await own.client.get(`/decisions/${decision_id}`), 'not_found');
    }
  },
  'GET /api/v1/decisions/:id/liability': async (own, foreign) => {
    for (const { decision_id } of foreign.receipts) {
      expectRefusal(await own.client.get(`/decisions/${decision_id}/liability`), 'not_found');
    }
  },
  'POST /api/v1/decisions/:id/erase': erasesOwn,
  'GET /api/v1/decisions/chain/verify': verifiesOwnDecisions,
  'POST /api/v1/decisions': (own, foreign) => recordsOwn('/decisions', decision(), own, foreign),
  'POST /api/v1/decisions/batch': (own, foreign) =>
    recordsOwn('/decisions/batch', { decisions: [decision()] }, own, foreign),
  'GET /api/v1/activity': listsOwnActivity,
  'GET /api/v1/activity/chain/verify': verifiesOwnActivity,
  'GET /api/v1/keys': listsOwnKeys,
  'POST /api/v1/keys': issuesOwnKeys,
  'DELETE /api/v1/keys/:id': async (own, foreign) => {
    expectRefusal(await own.client.delete(`/keys/${foreign.keyId}`), 'not_found');
    expect((await bed.client(foreign.key).get('/decisions')).status).toBe(200);
  },
  'GET /api/v1/search': async (own, foreign) => {
    const ids = [
      ...foreign.receipts.map((each) => each.decision_id),
      ...foreign.events.map(({ id }) => id),
    ];
    for (const text of [foreign.mark, ...ids]) {
      const found = await own.client.get(`/search?q=${text}`);
      expect(dataOf(found, SearchPage)).toEqual({ results: [], next_cursor: null });
    }
    const mine = dataOf(await own.client.get(`/search?q=${own.mark}`), SearchPage);
    expect(mine.results).toHaveLength(own.receipts.length + own.events.length);
    expectNothingOf(foreign, (await own.client.get('/search?q=same')).text);
  },
  ...SESSION_CASES,
  'GET /api/v1/settings': readsOwnSettings,
  'PATCH /api/v1/settings': async (own, foreign) => {
    await changesOwnSettings(own, foreign);
    await keepsOwnSecrets(own, foreign, bed);
  },
  ...MONEY_CASES,
  ...EXPORT_CASES,
  ...STREAM_CASES,
  ...REVIEW_CASES,
  ...BUDGET_CASES,
  ...LIABILITY_CASES,
  ...TRANSPARENCY_CASES,
  ...OTLP_CASES,
  ...UPLOAD_CASES,
  ...Object.fromEntries(
    ['version', 'healthz', 'readyz', 'metrics', 'openapi.json', 'asyncapi.json'].flatMap((name) =>
      ['', '/api/v1'].map((prefix): [string, Case] => [
        `GET ${prefix}/${name}`,
        (own) => saysNothingOf(`${prefix}/${name}`, own),
      ]),
    ),
  ),
};

/** No caller learns anything about another ledger, in another organisation or in its own. */
export function isolationSuite(engine: Engine): void {
  describe(`Ledger isolation on ${engine}`, () => {
    beforeAll(async () => {
      bed = await openTestService(engine);
      const organisations = [await bed.organisation(), await bed.organisation()];
      const made = organisations.flatMap((org, n) =>
        MODES.map((mode) => fillLedger(bed, org, mode, `mark-${n}-${mode}`)),
      );
      ledgers = await Promise.all(made);
    });
    afterAll(() => bed.close());

    it('Every route has an isolation case', async () => {
      expect(Object.keys(CASES).sort()).toEqual(await routesOf(bed.http));
    });

    it.for(Object.entries(CASES))('Ledgers are kept apart by %s', async ([, check]) => {
      for (const own of ownersOn(engine)) {
        for (const foreign of ledgers) if (foreign !== own) await check(own, foreign, bed);
      }
    });
  });
}

/**
 * The live ledger of one organisation and the test ledger of the other: with any other ledger, they make each kind of
 * pair once. Each engine has two of the ledgers, so that together they have all pairs.
 */
function ownersOn(engine: Engine): Ledger[] {
  const [first] = ledgers;
  return ledgers.filter(
    ({ org, mode }) => ((org === first?.org) === (mode === 'live')) === (engine === 'postgres'),
  );
}

async function listsOwnDecisions({ client, receipts }: Ledger, foreign: Ledger): Promise<void> {
  const { mark, cursors } = foreign;
  const all = await client.get('/decisions?limit=500');
  expectNothingOf(foreign, all.text);
  const ids = dataOf(all, DecisionPage).decisions.map(({ decision_id }) => decision_id);
  expect(ids).toEqual(expect.arrayContaining(receipts.map(({ decision_id }) => decision_id)));
  for (const filter of [`agent_id=${mark}`, `action_type=${mark}`, `metadata.mark=${mark}`]) {
    const found = dataOf(await client.get(`/decisions?${filter}`), DecisionPage);
    expect(found).toEqual({ decisions: [], next_cursor: null });
  }
  expectNothingOf(foreign, (await client.get('/decisions?metadata.shared=same')).text);
  const stolen = await client.get(`/decisions?limit=1&cursor=${cursors.decisions}`);
  expectRefusal(stolen, 'malformed_request');
}

async function listsOwnActivity({ client, keyId }: Ledger, foreign: Ledger): Promise<void> {
  const all = await client.get('/activity?limit=500');
  expectNothingOf(foreign, all.text);
  expect(all.text).toContain(keyId);
  const found = dataOf(await client.get(`/activity?subject=${foreign.keyId}`), ActivityPage);
  expect(found).toEqual({ activity: [], next_cursor: null });
  const stolen = await client.get(`/activity?limit=1&cursor=${foreign.cursors.activity}`);
  expectRefusal(stolen, 'malformed_request');
}

async function listsOwnKeys({ client, mode, keyId }: Ledger, foreign: Ledger): Promise<void> {
  const all = await client.get('/keys?limit=500');
  expectNothingOf(foreign, all.text);
  const { keys } = dataOf(all, KeyPage);
  expect(keys.map((key) => key.key_id)).toContain(keyId);
  expect(new Set(keys.map((key) => key.mode))).toEqual(new Set([mode]));
  const stolen = await client.get(`/keys?limit=1&cursor=${foreign.cursors.keys}`);
  expectRefusal(stolen, 'malformed_request');
}

async function verifiesOwnDecisions(own: Ledger, foreign: Ledger): Promise<void> {
  const whole = await own.client.get('/decisions/chain/verify');
  expectNothingOf(foreign, whole.text);
  expect(dataOf(whole, DecisionChainVerification).is_valid).toBe(true);
  // An anchor of the other ledger only reports that it does not match here.
  const [{ seq, hash } = { seq: 0, hash: '' }] = foreign.receipts;
  const answer = await own.client.get(
    `/decisions/chain/verify?expect_seq=${seq}&expect_hash=${hash}`,
  );
  const { is_valid, first_broken_link } = dataOf(answer, DecisionChainVerification);
  expect(is_valid).toBe(false);
  expect(first_broken_link).toMatchObject({ seq, kind: 'head', expected: hash });
  expectNothingOf(foreign, answer.text.replace(hash, ''));
}

async function verifiesOwnActivity({ client }: Ledger, foreign: Ledger): Promise<void> {
  const answer = await client.get('/activity/chain/verify');
  expectNothingOf(foreign, answer.text);
  expect(dataOf(answer, ActivityChainVerification).is_valid).toBe(true);
}

/** An Idempotency-Key used in the other ledger is new in this one. */
async function recordsOwn(path: string, body: object, own: Ledger, foreign: Ledger): Promise<void> {
  const headers = { 'idempotency-key': `${path} ${own.mark} ${foreign.mark}` };
  const there = await foreign.client.post(path, body, headers);
  const here = await own.client.post(path, body, headers);
  for (const answer of [there, here]) {
    expect(answer.status).toBe(201);
    expect(answer.header('idempotency-replayed')).toBeUndefined();
  }
  expectNothingOf(foreign, here.text);
  const [id = ''] = /dec_[0-9a-z]{26}/.exec(here.text) ?? [];
  expectRefusal(await foreign.client.get(`/decisions/${id}`), 'not_found');
  expect((await own.client.get(`/decisions/${id}`)).status).toBe(200);
}

/** Another ledger's decision is not found, even after an own one was erased with the same key. */
async function erasesOwn({ client }: Ledger, foreign: Ledger): Promise<void> {
  const headers = { 'idempotency-key': `erase of ${foreign.mark}` };
  const body = { fields: ['inputs'], reason: 'asked for' };
  for (const { decision_id } of foreign.receipts) {
    const before = await rowsOf(bed, foreign.scope);
    const path = `/decisions/${decision_id}/erase`;
    expectRefusal(await client.post(path, body), 'not_found');
    expectRefusal(await client.post(path, body, headers), 'not_found');
    expect(await rowsOf(bed, foreign.scope)).toBe(before);
  }
  const { decision_id } = dataOf(await client.post('/decisions', decision()), DecisionReceipt, 201);
  const answer = await client.post(`/decisions/${decision_id}/erase`, body, headers);
  expect(dataOf(answer, Erasure).erased_fields).toEqual(['inputs']);
  expectNothingOf(foreign, answer.text);
}

async function issuesOwnKeys({ client, mode }: Ledger, foreign: Ledger): Promise<void> {
  const body = { name: 'own', permissions: ['read'] };
  const issued = dataOf(await client.post('/keys', body), IssuedKey, 201);
  expect(issued.mode).toBe(mode);
  const [{ decision_id: id } = { decision_id: '' }] = foreign.receipts;
  expectRefusal(await bed.client(issued.key).get(`/decisions/${id}`), 'not_found');
  expectNothingOf(foreign, (await bed.client(issued.key).get('/decisions')).text);
}

async function readsOwnSettings({ client }: Ledger, foreign: Ledger): Promise<void> {
  const answer = await client.get('/settings');
  dataOf(answer, Settings);
  expectNothingOf(foreign, answer.text);
}

/** Limits are shared by both ledgers of an organisation, and by no other organisation. */
async function changesOwnSettings(own: Ledger, foreign: Ledger): Promise<void> {
  const settingsOf = async (client: Client) => dataOf(await client.get('/settings'), Settings);
  const before = await settingsOf(foreign.client);
  const wanted = before.rate_limits.read_per_second - 1;
  const patch = { rate_limits: { read_per_second: wanted } };
  const answer: Answer = await own.client.patch('/settings', patch);
  if (own.mode === 'test') expect(errorOf(answer).code).toBe('forbidden');
  else expect(dataOf(answer, Settings).rate_limits.read_per_second).toBe(wanted);
  const shared = own.org === foreign.org && own.mode === 'live';
  const after = await settingsOf(foreign.client);
  expect(after.rate_limits.read_per_second).toBe(
    shared ? wanted : before.rate_limits.read_per_second,
  );
}

async function saysNothingOf(url: string, own: Ledger): Promise<void> {
  for (const key of ['', own.client.key]) {
    const answer = await request(bed.http, 'GET', url, key === '' ? {} : { 'x-ledger-key': key });
    expect(answer.status).toBe(200);
    for (const ledger of ledgers) expectNothingOf(ledger, answer.text);
  }
}
