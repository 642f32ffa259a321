import { IssuedKey } from '@decision-ledger/contract/access';
import { DecisionReceipt } from '@decision-ledger/contract/decision';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type AlertReceiver, openAlertReceiver, watch } from '../../../support/alert-receiver.js';
import { type Client, dataOf, decision } from '../../../support/client.js';
import { nightly } from '../../../support/estimates.js';
import { followLogs } from '../../../support/followers.js';
import {
  type Engine,
  type Instance,
  openTestService,
  scopeOf,
  type TestService,
} from '../../../support/service.js';
import { ALERT_SECRET } from '../../../support/settings-samples.js';
import { connect, listen } from '../../../support/stream.js';

const DAY = 86_400_000;
let bed: TestService;
let other: Instance;
let receiver: AlertReceiver;
let client: Client;

/** A ledger whose open exposure crosses its threshold is reported once for each crossing. */
export function exposureAlertsSuite(engine: Engine): void {
  describe(`Alerts of the exposure on ${engine}`, () => {
    beforeAll(async () => {
      bed = await openTestService(engine);
      other = await bed.another();
      receiver = await openAlertReceiver();
    });
    beforeEach(async () => {
      receiver.received.length = 0;
      client = (await bed.organisation()).live;
    });
    afterEach(() => set({ alerts: { url: null } }));
    afterAll(async () => {
      await receiver.close();
      await bed.close();
    });
    crossings();
    processes();
    streams();
  });
}

async function set(change: Readonly<Record<string, unknown>>): Promise<void> {
  const answered = await client.patch('/settings', change);
  expect(answered.status, answered.text).toBe(200);
}

const setThreshold = (threshold: string | null) =>
  set({ liability: { exposure_alert_threshold: threshold } });
const enable = () => set({ alerts: { url: receiver.url, secret: ALERT_SECRET } });

/** Records a decision and stores its estimate. */
async function decide(amount: number): Promise<DecisionReceipt> {
  const answer = await client.post('/decisions', decision({ outputs: { amount } }));
  await followLogs(bed.service);
  return dataOf(answer, DecisionReceipt, 201);
}

const told = () => receiver.received.map(({ alert }) => alert);

function crossings(): void {
  it('What may still be lost is reported once it is above the threshold, with its sum', async () => {
    await enable();
    const { liability } = await decide(100);
    await setThreshold(String(liability?.open));
    await watch(bed);
    expect(told()).toEqual([]);
    await decide(100);
    for (let n = 0; n < 3; n += 1) await watch(bed);
    const open = (2 * Number(liability?.open)).toFixed(2);
    const data = { currency: 'USD', threshold: liability?.open, open: expect.any(String) };
    expect(told()).toMatchObject([{ type: 'exposure.exceeded', mode: 'live', data }]);
    const [first] = told();
    const sum = first?.type === 'exposure.exceeded' ? first.data.open : '';
    expect(Math.abs(Number(sum) - Number(open))).toBeLessThanOrEqual(0.01);
  });

  it('It is reported again after it was at most the threshold in between', async () => {
    await enable();
    await setThreshold('1');
    await decide(1000);
    await watch(bed);
    expect(told()).toHaveLength(1);
    // After its horizon, nothing more of it can be lost.
    bed.clock.advance(Date.now() + 400 * DAY - bed.clock.now());
    await nightly(bed, await scopeOf(bed, client));
    for (let n = 0; n < 2; n += 1) await watch(bed);
    expect(told()).toHaveLength(1);
    await decide(1000);
    for (let n = 0; n < 2; n += 1) await watch(bed);
    expect(told()).toHaveLength(2);
  });

  it('A threshold that is changed is compared anew, and none is not', async () => {
    await enable();
    await decide(1000);
    await watch(bed);
    expect(told()).toEqual([]);
    for (const threshold of ['1', '1', '2', '1000000', '2']) {
      await setThreshold(threshold);
      await watch(bed);
    }
    const thresholds = told().map((alert) =>
      alert.type === 'exposure.exceeded' ? alert.data.threshold : alert.type,
    );
    expect(thresholds).toEqual(['1.00', '2.00', '2.00']);
    await setThreshold(null);
    await watch(bed);
    expect(told()).toHaveLength(3);
  });
}

function processes(): void {
  it('Processes that watch concurrently, and later ones, report a crossing once', async () => {
    await enable();
    await setThreshold('1');
    await decide(1000);
    await Promise.all([watch(bed), watch(other), watch(bed), watch(other)]);
    await watch(bed);
    const later = await bed.another();
    await watch(later);
    await watch(other);
    expect(told().map(({ type }) => type)).toEqual(['exposure.exceeded']);
  });

  it('A crossing whose report was not delivered is delivered later, and made once', async () => {
    await enable();
    await setThreshold('1');
    await decide(1000);
    receiver.status = 503;
    const refused: unknown[] = [];
    await watch(bed, (error) => void refused.push(error));
    receiver.status = 204;
    await watch(other);
    expect(refused).toHaveLength(1);
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(1);
  });
}

function streams(): void {
  it('The stream sends it once, also where no alerts are enabled', async () => {
    const answer = await client.post('/keys', { name: 'stream', permissions: ['stream'] });
    const { key } = dataOf(answer, IssuedKey, 201);
    const url = await listen(bed.http);
    const listener = await connect(url, { key, query: { types: 'exposure.exceeded' } });
    await setThreshold('1');
    await decide(1000);
    for (let n = 0; n < 2; n += 1) await watch(bed);
    await setThreshold('2');
    await watch(other);
    await listener.until(({ events }) => events.length >= 2);
    expect(listener.events).toMatchObject([
      { type: 'exposure.exceeded', data: { currency: 'USD', threshold: '1.00' } },
      { type: 'exposure.exceeded', data: { currency: 'USD', threshold: '2.00' } },
    ]);
    await listener.close();
    expect(told()).toEqual([]);
  });
}
