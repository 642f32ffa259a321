import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { IssuedKey } from '@decision-ledger/contract/access';
import { ActivityChainVerification } from '@decision-ledger/contract/chain';
import { success } from '@decision-ledger/contract/shared';
import { Parse } from 'typebox/value';
import { afterAll, describe, expect, it } from 'vitest';
import { runs } from '../../../proof/test/support/runs.js';
import { createCaller, liftRateLimits } from '../support/caller.js';
import { embeddedConnection } from '../support/embedded.js';
import {
  embeddedEnvironment,
  readKeys,
  type ServiceProcess,
  startService,
} from '../support/service-process.js';
import { withClient } from '../support/stored-chain.js';
import {
  CREATED,
  charge,
  dispute,
  eventOf,
  type Payload,
  refund,
  signed,
} from '../support/stripe-events.js';
import { CURRENCIES, expectedMovements, minorUnits, sums } from '../support/stripe-oracle.js';
import { SIGNING_SECRET, until, WEBHOOK } from '../support/webhooks.js';

const ROUNDS = runs(15);
/** Lives per round, of four events each. */
const LIVES = 12;

/**
 * A payment, its refund, the correction of the refund, and a dispute; the correction comes first.
 */
function life(n: number): Payload[] {
  const currency = CURRENCIES[n % CURRENCIES.length] ?? 'usd';
  const amount = 100 * (n + 1);
  const back = { id: `re_${n}`, charge: `ch_${n}`, currency };
  return [
    eventOf('refund.updated', refund({ ...back, amount: amount / 2 }), { created: CREATED + 60 }),
    eventOf('charge.succeeded', charge({ id: `ch_${n}`, amount, currency })),
    eventOf('refund.created', refund({ ...back, amount })),
    eventOf('charge.dispute.funds_withdrawn', dispute({ id: `du_${n}`, amount, currency })),
  ];
}

describe('Kills while webhooks arrive on the embedded engine', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'decision-ledger-worker-kill-'));
  afterAll(() => rmSync(dataDir, { recursive: true }));

  it(`Every acknowledged webhook is recorded exactly once through ${ROUNDS} kills`, async () => {
    const environment = embeddedEnvironment(dataDir);
    let service = await startService(environment);
    const key = readKeys(dataDir).test;
    const webhookKey = await prepare(service, dataDir);
    const all: Payload[] = [];
    let inHand = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const payloads = Array.from({ length: LIVES }, (_, n) => life(round * LIVES + n)).flat();
      all.push(...payloads);
      const left = await deliverUntilKilled(service, webhookKey, payloads, round);
      service = await startService(environment);
      inHand += await retried(dataDir);
      // Stripe delivers again what was not acknowledged.
      await deliverAll(service, webhookKey, left);
    }
    const started = performance.now();
    await until('the jobs end', async () => (await openJobs(dataDir)) === 0);
    await expectExact(dataDir, all);
    await expectValidActivity(service, key);
    await service.stop();
    expect(inHand).toBeGreaterThan(0);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.info(
      `${ROUNDS} kills: ${all.length} webhooks; ${inHand} jobs were in hand; ${seconds} s to the end`,
    );
  });
});

/** @returns a key with only the webhook permission */
async function prepare({ url }: ServiceProcess, dataDir: string): Promise<string> {
  const { live, test } = readKeys(dataDir);
  const owner = createCaller(url, live);
  await liftRateLimits(owner);
  owner.close();
  const caller = createCaller(url, test);
  const stripe = { signing_secrets: [SIGNING_SECRET] };
  expect((await caller.call('PATCH', '/api/v1/settings', { stripe })).status).toBe(200);
  const wanted = { name: 'stripe', permissions: ['webhook'] };
  const { status, body } = await caller.call('POST', '/api/v1/keys', wanted);
  expect(status).toBe(201);
  caller.close();
  return Parse(success(IssuedKey), body).data.key;
}

/** @returns what was not acknowledged when the kill came */
async function deliverUntilKilled(
  service: ServiceProcess,
  key: string,
  payloads: readonly Payload[],
  round: number,
): Promise<Payload[]> {
  const enough = 10 + ((round * 37) % (payloads.length - 30));
  const left: Payload[] = [];
  let acknowledged = 0;
  let killed: Promise<void> | undefined;
  const kill = async () => {
    await sleep((round * 131) % 997);
    await service.kill();
  };
  const waiting = [...payloads];
  const writer = async () => {
    for (let payload = waiting.shift(); payload !== undefined; payload = waiting.shift()) {
      const status = await deliver(service, key, payload).catch(() => null);
      if (status === null) left.push(payload);
      else expect(status).toBe(202);
      if (status !== null) acknowledged += 1;
      if (acknowledged >= enough) killed ??= kill();
      if (killed !== undefined) await sleep(5);
    }
  };
  await Promise.all(Array.from({ length: 6 }, writer));
  await (killed ?? kill());
  return left;
}

async function deliverAll(
  service: ServiceProcess,
  key: string,
  payloads: readonly Payload[],
): Promise<void> {
  for (const payload of payloads) expect(await deliver(service, key, payload)).toBe(202);
}

async function deliver({ url }: ServiceProcess, key: string, payload: Payload): Promise<number> {
  const now = Math.floor((performance.timeOrigin + performance.now()) / 1000);
  const { body, header } = signed(payload, SIGNING_SECRET, now);
  const answer = await fetch(new URL(`/api/v1${WEBHOOK}?key=${key}`, url), {
    ...{ method: 'POST', body },
    headers: { 'content-type': 'application/json', 'stripe-signature': header },
  });
  await answer.text();
  return answer.status;
}

async function openJobs(dataDir: string): Promise<number> {
  return count(dataDir, `state in ('created', 'retry', 'active') and name <> 'dead-letters'`);
}

/** How many jobs were running at the kill: each is on its second try at least. */
const retried = (dataDir: string) =>
  count(
    dataDir,
    `output is null and started_on is not null and (state = 'retry' or retry_count > 0)`,
  );

async function count(dataDir: string, condition: string): Promise<number> {
  return withClient(await embeddedConnection(dataDir), async (client) => {
    const { rows } = await client.query<{ n: number }>(
      `select count(*)::int as n from job where ${condition}`,
    );
    return rows[0]?.n ?? 0;
  });
}

interface Stored {
  readonly name: string;
  readonly amount: string;
  readonly currency: string;
}

async function expectExact(dataDir: string, payloads: readonly Payload[]): Promise<void> {
  const stored = await withClient(await embeddedConnection(dataDir), async (client) => {
    const { rows } = await client.query<Stored>(`
      select external_id || '/' || event_type as name, amount::text as amount, currency
      from financial_events where deleted_at is null`);
    return rows;
  });
  const expected = expectedMovements(payloads);
  expect(stored.map(({ name }) => name).sort()).toEqual([...expected.keys()].sort());
  const worth = stored.map(({ amount, currency }) => ({
    currency,
    minor: minorUnits(amount, currency),
  }));
  expect(sums(worth)).toEqual(sums(expected.values()));
}

async function expectValidActivity({ url }: ServiceProcess, key: string): Promise<void> {
  const caller = createCaller(url, key);
  const { body } = await caller.call('GET', '/api/v1/activity/chain/verify');
  caller.close();
  expect(Parse(success(ActivityChainVerification), body).data).toMatchObject({ is_valid: true });
}
