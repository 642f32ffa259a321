import { IssuedKey } from '@decision-ledger/contract/access';
import { DecisionBatchReceipt } from '@decision-ledger/contract/decision';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AlertReceiver, openAlertReceiver, watch } from '../../support/alert-receiver.js';
import { dataOf, decision } from '../../support/client.js';
import { nightly } from '../../support/estimates.js';
import { link, recordEvent } from '../../support/money.js';
import { copyScored } from '../../support/scored-months.js';
import { openTestService, type TestService } from '../../support/service.js';
import { ALERT_SECRET } from '../../support/settings-samples.js';
import { connect, listen } from '../../support/stream.js';
import { type Desk, openDesk } from '../../support/suggestions-desk.js';

const DAY = 86_400_000;
let bed: TestService;
let desk: Desk;
let receiver: AlertReceiver;

beforeAll(async () => {
  bed = await openTestService('embedded');
  // The database dates decisions by the real clock, so the tests start there.
  bed.clock.advance(Date.now() - bed.clock.now());
  receiver = await openAlertReceiver();
  desk = await openDesk(bed);
});
afterAll(async () => {
  await receiver.close();
  await bed.close();
});

/** Decisions of a version, each of the first with a loss. */
async function decide(model: string, count: number, losses: number): Promise<void> {
  const fields = { confidence: 0.8, outputs: { amount: 100 }, metadata: { model } };
  const decisions = Array.from({ length: count }, () => decision(fields));
  const answer = await desk.client.post('/decisions/batch', { decisions });
  const receipts = dataOf(answer, DecisionBatchReceipt, 201).decisions;
  for (const { decision_id } of receipts.slice(0, losses)) {
    const { id } = await recordEvent(desk.client, { amount: '100.00' });
    const body = link(decision_id, id, { link_type: 'loss', correlation_strength: 1 });
    expect((await desk.client.post('/links', body)).status).toBe(201);
  }
}

/** Losses of a version that the model, which knows the others, does not expect. */
async function driftLosses(): Promise<void> {
  await decide('m1', 61, 1);
  bed.clock.advance(91 * DAY);
  await nightly(bed, desk.scope);
  await decide('m2', 12, 12);
  bed.clock.advance(DAY);
  await nightly(bed, desk.scope);
}

/** A month of events without the identifiers that those before had. */
async function driftScores(): Promise<void> {
  await desk.happen({ metadata: { order_id: 'ORD-5511' } });
  await desk.look();
  await bed.service.db.query(sql`
    update event_scores set audit_month = null, audit_probability = null
    where ledger_id = ${desk.scope.ledgerId}`);
  const [now, before] = [0, 1].map((months) => {
    const date = new Date(bed.clock.now());
    const month = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - months, 1);
    return new Date(month).toISOString().slice(0, 7);
  });
  const score = { events: 250, lag_hours: 5, best_share: 0.9 };
  await copyScored(bed, desk, { ...score, month: before ?? '', shares_identifier: true });
  await copyScored(bed, desk, { ...score, month: now ?? '', shares_identifier: false });
  bed.clock.advance(DAY - (bed.clock.now() % DAY) + 1);
  await desk.look();
}

describe('Delivery of drifts', () => {
  it('A drift reaches the webhook, signed, and the stream, once', async () => {
    const answer = await desk.client.post('/keys', { name: 'stream', permissions: ['stream'] });
    const { key } = dataOf(answer, IssuedKey, 201);
    const alerts = { url: `${receiver.url}/alerts`, secret: ALERT_SECRET };
    expect((await desk.client.patch('/settings', { alerts })).status).toBe(200);
    const url = await listen(bed.http);
    const listener = await connect(url, { key, query: { types: 'drift.detected' } });

    await driftLosses();
    await driftScores();
    for (let n = 0; n < 3; n += 1) await watch(bed);
    await listener.until(({ events }) => events.length >= 2);

    const losses = {
      ...{ subject: 'liability', metric: 'loss_rate', agent_id: 'agent', version: 'model=m2' },
      ...{ direction: 'up', decisions: 12, losses: 12, expected_losses: expect.any(Number) },
    };
    const scores = {
      ...{ subject: 'attribution', metric: 'identifier_coverage', index: expect.any(Number) },
      ...{ events: 250, reference_events: 250, month: expect.stringMatching(/^\d{4}-\d{2}$/) },
    };
    const told = receiver.received.map(({ alert }) => alert);
    const drifts = told.filter(({ type }) => type === 'drift.detected');
    expect(drifts).toMatchObject([
      { mode: 'live', ledger: expect.stringMatching(/^led_/), data: losses },
      { mode: 'live', data: scores },
    ]);
    expect(listener.events.map(({ type }) => type)).toEqual(['drift.detected', 'drift.detected']);
    expect(listener.events.map(({ data }) => data)).toEqual(drifts.map(({ data }) => data));

    await listener.close();
    const again = await connect(url, { key, query: { after: listener.lastId() ?? '' } });
    expect(again.events).toEqual([]);
    await again.close();
  });
});
