import { createHash } from 'node:crypto';
import { DeadJobPage } from '@decision-ledger/contract/operations';
import { expect } from 'vitest';
import { jsonRequest, jsonSpan } from '../../sources/otlp/support/otlp-request.js';
import { dataOf } from '../../support/client.js';
import { giveUpJob } from '../../support/stored-jobs.js';
import {
  CREATED,
  charge,
  dispute,
  eventOf,
  type Payload,
  refund,
  signed,
} from '../../support/stripe-events.js';
import { SIGNING_SECRET } from '../../support/webhooks.js';
import type { Call } from '../call.js';

/** Charges of few ids, with refunds and disputes of them, so that deliveries correct and repeat each other. */
function delivery(call: Call): Payload {
  const [n, amount] = [call.below(5), 100 + call.below(5000)];
  const [id, livemode] = [`ch_${n}`, call.ledger.scope.mode === 'live'];
  const paid = charge({ id, amount, livemode });
  const back = refund({ id: `re_${n}`, charge: id, amount: 50, livemode });
  const disputed = dispute({ id: `du_${n}`, charge: id, amount, livemode });
  const held = charge({ id, amount, livemode, captured: false });
  const created = CREATED + call.below(3);
  return call.choose(
    eventOf('charge.succeeded', held, { livemode }),
    eventOf('charge.captured', { ...paid, amount_captured: 80 }, { livemode, created }),
    eventOf('charge.updated', { ...paid, amount_captured: 90 }, { livemode, created }),
    eventOf(
      'charge.refunded',
      { ...paid, amount_refunded: 10 * call.below(9) },
      { livemode, created },
    ),
    eventOf('refund.created', { ...back, balance_transaction: null }, { livemode }),
    eventOf('charge.succeeded', paid, { livemode }),
    eventOf('refund.created', back, { livemode }),
    eventOf('refund.failed', { ...back, status: 'failed' }, { livemode }),
    eventOf('charge.dispute.funds_withdrawn', disputed, { livemode }),
    eventOf('charge.dispute.funds_reinstated', { ...disputed, status: 'won' }, { livemode }),
  );
}

export async function receiveStripeEvent(call: Call): Promise<void> {
  const isSigned = call.chance(0.85);
  const now = Math.floor(call.world.bed.clock.now() / 1000);
  const secret = isSigned ? SIGNING_SECRET : 'whsec_of_somebody_else';
  const { body, header } = signed(delivery(call), secret, now);
  const headers = { 'stripe-signature': header };
  const answer = await call.send('receiveStripeEvent', 'webhook', { body, headers });
  if (!call.may('webhook')) return;
  const isTaken = isSigned && call.ledger.isSet.stripe;
  if (isTaken) expect(answer.status, answer.text).toBe(202);
  else expect(answer.status, answer.text).toBeGreaterThanOrEqual(400);
}

export async function exportTraces(call: Call): Promise<void> {
  const digest = createHash('sha256')
    .update(`${call.below(1e9)} ${call.random()}`)
    .digest('hex');
  const ids = { traceId: digest.slice(0, 32), spanId: digest.slice(32, 48) };
  const body = jsonRequest(jsonSpan({ 'gen_ai.agent.name': { stringValue: 'traced' } }, ids));
  const answer = await call.send('exportTraces', 'ingest', { body });
  if (call.may('ingest') && answer.status === 200 && answer.text === '{}') call.ledger.traced += 1;
}

/** Changes nothing. */
export async function exportMetrics(call: Call): Promise<void> {
  await call.send('exportMetrics', 'ingest', { body: '{"resourceMetrics":[]}' });
}

/** Changes nothing. */
export async function exportLogs(call: Call): Promise<void> {
  await call.send('exportLogs', 'ingest', { body: '{"resourceLogs":[]}' });
}

export async function retryJob(call: Call): Promise<void> {
  const { world, ledger } = call;
  await giveUpJob(world.bed.first, ledger.scope, { object_id: `ch_lost_${call.below(1e9)}` });
  const client = world.client(ledger);
  const { jobs } = dataOf(await client.get('/jobs/dead'), DeadJobPage);
  const id = call.pickId((one) => (one === ledger ? jobs.map(({ job_id }) => job_id) : []), 'job');
  const answer = await call.send('retryJob', 'admin', { path: { id } });
  if (!call.may('admin')) return;
  const isKnown = jobs.some(({ job_id }) => job_id === id);
  expect(answer.status, answer.text).toBe(isKnown ? 200 : 404);
}

export async function pollAccountingConnection(call: Call): Promise<void> {
  const answer = await call.send('pollAccountingConnection', 'admin', { path: { id: 'books' } });
  if (call.may('admin')) expect([202, 404], answer.text).toContain(answer.status);
}

/** There is no system to read, so nothing is withheld. */
export async function releaseAccountingPlan(call: Call): Promise<void> {
  const request = { path: { id: 'books' }, body: { plan: call.choose('', 'of-nobody') } };
  const answer = await call.send('releaseAccountingPlan', 'admin', request);
  if (call.may('admin')) expect([404, 409], answer.text).toContain(answer.status);
}
