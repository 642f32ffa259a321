import { DecisionBatchReceipt, DecisionReceipt } from '@decision-ledger/contract/decision';
import { ERASABLE_FIELDS, Erasure } from '@decision-ledger/contract/erasure';
import { expect } from 'vitest';
import { type Answer, dataOf } from '../../support/client.js';
import type { Call } from '../call.js';
import type { Ledger } from '../ledger.js';

const DAY = 86_400_000;
const CURRENCIES = ['USD', 'EUR', 'JPY'] as const;

/** A body, and whether it is valid. */
interface Drawn {
  readonly body: Readonly<Record<string, unknown>>;
  readonly isValid: boolean;
}

function timeOf(call: Call): string {
  const now = call.world.bed.clock.now();
  return new Date(now - call.below(100 * DAY)).toISOString();
}

function drawDecision(call: Call): Drawn {
  const amount = `${1 + call.below(500)}`;
  const currency = call.choose(...CURRENCIES);
  const ticket = `T-${call.below(20)}`;
  const experiment = call.choose({ id: 'e', arm: 'a', propensity: 0.5 }, { id: 'e' }, null);
  const body = {
    agent_id: call.choose('a', 'b', 'c'),
    action_type: call.choose('refund', 'sale', 'answer'),
    inputs: { ticket, text: `text ${call.below(1e6)}` },
    outputs: call.chance(0.7) ? { amount, currency } : { done: true },
    confidence: call.below(101) / 100,
    ...(call.chance(0.2) && { alternatives: [{ amount: '1.00' }] }),
    ...(call.chance(0.3) && { human_in_loop: call.chance(0.5) }),
    ...(call.chance(0.5) && {
      metadata: { ticket, customer_id: `C-${call.below(4)}`, experiment },
    }),
    ...(call.chance(0.5) && { timestamp: timeOf(call) }),
  };
  if (call.chance(0.9)) return { body, isValid: true };
  const wrong = call.choose(
    { confidence: 2 },
    { agent_id: '' },
    { nobody_knows: 1 },
    { inputs: [] },
  );
  return { body: { ...body, ...wrong }, isValid: false };
}

function remember({ decisions }: Ledger, id: string, body: Drawn['body']): void {
  const fields = new Set(ERASABLE_FIELDS.filter((field) => body[field] !== undefined));
  decisions.set(id, { agent: String(body.agent_id), fields, erased: new Set() });
}

/** Whether the ledger must take decisions; a limit of lateness may refuse one that states its time. */
function mustTake({ ledger }: Call, drawn: readonly Drawn[]): boolean {
  const isLate = ({ body }: Drawn) => ledger.isSet.lateness && body.timestamp !== undefined;
  return drawn.every((one) => one.isValid && !isLate(one));
}

export async function recordDecision(call: Call): Promise<void> {
  const drawn = drawDecision(call);
  const answer = await call.once('recordDecision', 'record', { body: drawn.body });
  if (answer === null || !call.may('record')) return;
  if (answer.status !== 201) {
    expect(mustTake(call, [drawn]), answer.text).toBe(false);
    return;
  }
  expect(drawn.isValid, answer.text).toBe(true);
  remember(call.ledger, dataOf(answer, DecisionReceipt, 201).decision_id, drawn.body);
}

export async function recordDecisions(call: Call): Promise<void> {
  const drawn = Array.from({ length: 1 + call.below(4) }, () => drawDecision(call));
  const decisions = drawn.map(({ body }, place) =>
    call.chance(0.3) ? { ...body, idempotency_key: `member-${call.below(1e9)}-${place}` } : body,
  );
  const isLenient = call.chance(0.4);
  const headers = isLenient ? { prefer: 'handling=lenient' } : {};
  const answer = await call.once('recordDecisions', 'record', { body: { decisions }, headers });
  if (answer === null || !call.may('record')) return;
  if (isLenient) {
    takeLeniently(call, drawn, answer);
    return;
  }
  if (answer.status !== 201) {
    expect(mustTake(call, drawn), answer.text).toBe(false);
    return;
  }
  const receipts = dataOf(answer, DecisionBatchReceipt, 201).decisions;
  expect(receipts).toHaveLength(drawn.length);
  for (const [place, { decision_id }] of receipts.entries()) {
    remember(call.ledger, decision_id, drawn[place]?.body ?? {});
  }
}

/** Each decision that the ledger must take is recorded, and none that it must not. */
function takeLeniently(call: Call, drawn: readonly Drawn[], answer: Answer): void {
  if (answer.status !== 201) {
    expect(
      drawn.some((one) => mustTake(call, [one])),
      answer.text,
    ).toBe(false);
    return;
  }
  const { decisions, refused = [] } = dataOf(answer, DecisionBatchReceipt, 201);
  const places = new Set(refused.map(({ index }) => index));
  expect(decisions.length + places.size).toBe(drawn.length);
  for (const index of places) {
    const one = drawn[index];
    expect(one !== undefined && mustTake(call, [one]), answer.text).toBe(false);
  }
  const recorded = drawn.filter((_, index) => !places.has(index));
  expect(
    recorded.every(({ isValid }) => isValid),
    answer.text,
  ).toBe(true);
  for (const [place, { decision_id }] of decisions.entries()) {
    remember(call.ledger, decision_id, recorded[place]?.body ?? {});
  }
}

export async function eraseDecisionFields(call: Call): Promise<void> {
  const id = call.pickId(({ decisions }) => decisions.keys(), 'dec');
  const known = call.ledger.decisions.get(id);
  const fields = ERASABLE_FIELDS.filter(() => call.chance(0.4));
  const body = { fields, reason: 'the customer asked for it' };
  const answer = await call.once('eraseDecisionFields', 'erase', { path: { id }, body });
  if (answer === null || !call.may('erase')) return;
  const isUnrecorded = fields.some((field) => known?.fields.has(field) === false);
  if (fields.length === 0) expect(answer.status, answer.text).toBe(422);
  else if (known === undefined) expect(answer.status, answer.text).toBe(404);
  else if (isUnrecorded) expect(answer.status, answer.text).toBe(422);
  else {
    for (const field of fields) known.erased.add(field);
    expect([...dataOf(answer, Erasure).erased_fields].sort()).toEqual([...known.erased].sort());
  }
}
