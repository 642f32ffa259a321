import { DecisionBatchReceipt, DecisionReceipt } from '@decision-ledger/contract/decision';
import { FinancialEvent } from '@decision-ledger/contract/financial-event';
import { Link } from '@decision-ledger/contract/link';
import { Big } from 'big.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLink } from '#server/domains/record/links/create';
import type { Scope } from '#server/platform/principal';
import { type Client, dataOf, decision } from '../../../support/client.js';
import { dyingInside } from '../../../support/dying-database.js';
import {
  announcementsOf,
  decide,
  estimatesOf,
  historyOf,
  liabilityOf,
} from '../../../support/estimates.js';
import { link, recordEvent, suggest } from '../../../support/money.js';
import {
  contents,
  type Engine,
  openTestService,
  scopeOf,
  type TestService,
} from '../../../support/service.js';
import { withOwner } from '../../../support/stored-jobs.js';

let bed: TestService;
let client: Client;
let scope: Scope;

/** Liability estimates, from the recording of a decision and with every change of its links. */
export function liabilitySuite(engine: Engine): void {
  describe(`Liability estimates on ${engine}`, () => {
    beforeAll(async () => {
      bed = await openTestService(engine);
    });
    beforeEach(async () => {
      client = (await bed.organisation()).live;
      scope = await scopeOf(bed, client);
    });
    afterAll(() => bed.close());

    describe('New decisions', firstEstimates);
    describe('Changed links', changes);
    describe('Atomicity', atomicity);
  });
}

function firstEstimates(): void {
  it('The receipt and the decision show the estimate of the worked example to the cent', async () => {
    const receipt = await decide(client, { outputs: { amount: 200, currency: 'USD' } });
    expect(receipt.liability).toMatchObject({
      ...{ expected: '1.42', currency: 'USD' },
      ...{ version: 'liability/v1', revision: 0, estimated_at: receipt.created_at },
      parts: {
        amount_at_risk: '200.00',
        amount_basis: 'approved',
        open_share: 1,
        realised: '0.00',
      },
    });
    expect(await liabilityOf(client, receipt.decision_id)).toEqual(receipt.liability);
    expect(await historyOf(client, receipt.decision_id)).toEqual([receipt.liability]);
  });

  it('An estimate depends on human oversight and a reviewer', async () => {
    const exposures = [];
    for (const more of [
      {},
      { human_in_loop: true },
      { human_in_loop: true, metadata: { reviewer_id: 'r-1' } },
    ]) {
      const { liability } = await decide(client, { outputs: { amount: '200.00' }, ...more });
      exposures.push(Number(liability?.expected));
    }
    expect([...exposures].sort((a, b) => b - a)).toEqual(exposures);
    expect(new Set(exposures).size).toBe(3);
  });

  it.each([
    ['no amount', {}, 'matrix', 0],
    ['an amount in words', { amount: 'many' }, 'matrix', 0],
    ['an amount out of range', { amount: '123456789012345678901' }, 'matrix', 0],
    ['an amount in an unknown currency', { amount: 5, currency: 'ZZZ' }, 'matrix', 0],
    ['an amount without an exchange rate', { amount: 5, currency: 'EUR' }, 'approved', 1],
    ['zero', { amount: '0.00' }, 'approved', 0],
    ['a negative amount', { amount: '-12.50' }, 'approved', 0],
  ])(
    'An estimate is made from what is known if outputs state %s',
    async (_what, outputs, basis, unconverted) => {
      const { liability } = await decide(client, { outputs });
      expect(liability?.parts).toMatchObject({
        amount_basis: basis,
        unconverted_count: unconverted,
      });
      const atRisk = {
        stated: String((outputs as { amount?: unknown }).amount),
        matrix: '1000.00',
      };
      const expected = new Big(basis === 'approved' ? atRisk.stated : atRisk.matrix)
        .abs()
        .toFixed(2);
      expect(liability?.parts.amount_at_risk).toBe(expected);
    },
  );

  it("A stated amount is converted by the rate of the decision's day", async () => {
    await client.patch('/settings', {
      exchange_rates: [
        { from: 'EUR', to: 'USD', date: '2026-01-01', rate: '1.10' },
        { from: 'EUR', to: 'USD', date: '2026-02-01', rate: '1.20' },
      ],
    });
    const outputs = { amount: '100', currency: 'EUR' };
    const before = await decide(client, { outputs, timestamp: '2026-01-31T23:59:59.999Z' });
    const after = await decide(client, { outputs, timestamp: '2026-02-01T00:00:00.000Z' });
    expect(before.liability?.parts.amount_at_risk).toBe('110.00');
    expect(after.liability?.parts.amount_at_risk).toBe('120.00');
  });

  it('Changed settings apply to later estimates', async () => {
    const before = await decide(client);
    await client.patch('/settings', {
      liability: { matrix: { refund: { likelihood: 'likely', severity: 'major' } } },
    });
    const after = await decide(client);
    expect(before.liability?.parts.amount_at_risk).toBe('1000.00');
    expect(after.liability?.parts).toMatchObject({ amount_at_risk: '100000.00', base_rate: 0.05 });
    expect(await liabilityOf(client, before.decision_id)).toEqual(before.liability);
  });

  it('Every decision of a batch gets an estimate, which its receipts omit', async () => {
    const decisions = [decision(), decision({ outputs: { amount: 7 } })];
    const answer = await client.post('/decisions/batch', { decisions });
    const receipts = dataOf(answer, DecisionBatchReceipt, 201).decisions;
    expect(receipts.some((receipt) => 'liability' in receipt)).toBe(false);
    const bases = [];
    for (const { decision_id } of receipts) {
      bases.push((await liabilityOf(client, decision_id)).parts.amount_basis);
    }
    expect(bases).toEqual(['matrix', 'approved']);
  });

  it('A replayed answer has the same estimate as the first', async () => {
    const headers = { 'idempotency-key': 'once' };
    const first = await client.post('/decisions', decision(), headers);
    await client.patch('/settings', { liability: { response_cost: '500' } });
    const again = await client.post('/decisions', decision(), headers);
    expect(again.header('idempotency-replayed')).toBe('true');
    expect(dataOf(again, DecisionReceipt, 201)).toEqual(dataOf(first, DecisionReceipt, 201));
  });
}

const LOSS = { link_type: 'loss', correlation_strength: 1 };

async function connect(decisionId: string, eventId: string, fields: object = {}): Promise<Link> {
  const body = link(decisionId, eventId, { ...fields });
  return dataOf(await client.post('/links', body), Link, 201);
}

function changes(): void {
  it('A changed estimate includes the loss, is announced once, and keeps its history', async () => {
    const { decision_id, liability } = await decide(client);
    const { id } = await recordEvent(client, { amount: '80.00' });
    const made = await connect(decision_id, id, LOSS);
    const lost = await liabilityOf(client, decision_id);
    expect(lost).toMatchObject({
      revision: 1,
      parts: { amount_at_risk: '80.00', amount_basis: 'linked', realised: '80.00' },
    });
    expect(Number(lost.expected)).toBeGreaterThan(80);
    await client.delete(`/links/${made.id}`);
    const restored = await liabilityOf(client, decision_id);
    expect(restored.expected).toBe(liability?.expected);
    expect(restored.revision).toBe(2);
    expect(await historyOf(client, decision_id)).toEqual([restored, lost, liability]);
    const told = await announcementsOf(bed, scope);
    expect(told.map(({ seq, type, update }) => [seq, type, update.expected])).toEqual([
      [1, 'liability_estimate.updated', lost.expected],
      [2, 'liability_estimate.updated', liability?.expected],
    ]);
    expect(told[0]?.update.previous_expected).toBe(liability?.expected);
  });

  it('A link without loss leaves an estimate with a stated amount unchanged and announces nothing', async () => {
    const { decision_id, liability } = await decide(client, { outputs: { amount: 80 } });
    await connect(decision_id, (await recordEvent(client)).id);
    expect(await liabilityOf(client, decision_id)).toEqual(liability);
    expect(await announcementsOf(bed, scope)).toEqual([]);
  });

  it('An event is shared again among all decisions linked to it', async () => {
    const [first, second] = [await decide(client), await decide(client)];
    const { id } = await recordEvent(client, { amount: '90.00' });
    await connect(first.decision_id, id, LOSS);
    const other = await connect(second.decision_id, id, { ...LOSS, correlation_strength: 0.5 });
    const realised = async () =>
      Promise.all(
        [first, second].map(
          async ({ decision_id }) => (await liabilityOf(client, decision_id)).parts.realised,
        ),
      );
    expect(await realised()).toEqual(['60.00', '30.00']);
    await client.delete(`/links/${other.id}`);
    expect(await realised()).toEqual(['90.00', '0.00']);
  });

  it('A confirmed suggestion counts, and a rejected one does not', async () => {
    const [first, second] = [await decide(client), await decide(client)];
    const { id } = await recordEvent(client, { amount: '40.00' });
    const pairs = [first, second].map(({ decision_id }) => ({
      decision_id,
      financial_event_id: id,
    }));
    const ids: string[] = [];
    for (const pair of pairs) ids.push(await suggest(bed, scope, pair));
    await client.post(`/links/${ids[0]}/confirm`, {});
    await client.post(`/links/${ids[1]}/reject`, {});
    const bases = await Promise.all(
      [first, second].map(async ({ decision_id }) => {
        const { parts } = await liabilityOf(client, decision_id);
        return [parts.amount_basis, parts.amount_at_risk];
      }),
    );
    expect(bases).toEqual([
      ['linked', '40.00'],
      ['matrix', '1000.00'],
    ]);
  });

  it('A recovery is deducted, never below zero', async () => {
    const { decision_id } = await decide(client);
    const charge = await recordEvent(client, { amount: '-100.00', event_type: 'dispute_loss' });
    const back = await recordEvent(client, { amount: '130.00', event_type: 'dispute_recovery' });
    await connect(decision_id, charge.id, LOSS);
    expect((await liabilityOf(client, decision_id)).parts.realised).toBe('100.00');
    await connect(decision_id, back.id, { ...LOSS, reversal: true });
    expect((await liabilityOf(client, decision_id)).parts.realised).toBe('0.00');
  });

  it('A deleted event no longer counts', async () => {
    const { decision_id, liability } = await decide(client);
    const { id } = await recordEvent(client, { amount: '80.00' });
    await connect(decision_id, id, LOSS);
    dataOf(await client.delete(`/financial-events/${id}`), FinancialEvent);
    expect((await liabilityOf(client, decision_id)).expected).toBe(liability?.expected);
  });

  it('An amount without an exchange rate is omitted and reported', async () => {
    const { decision_id } = await decide(client);
    const { id } = await recordEvent(client, { amount: '80.00', currency: 'EUR' });
    await connect(decision_id, id, LOSS);
    expect((await liabilityOf(client, decision_id)).parts).toMatchObject({
      ...{ realised: '0.00', amount_basis: 'matrix', unconverted_count: 1 },
    });
  });

  it('Concurrent changes lead to the same estimates as sequential ones', async () => {
    const { id } = await recordEvent(client, { amount: '100.00' });
    const receipts = await Promise.all(Array.from({ length: 8 }, () => decide(client)));
    const links = await Promise.all(
      receipts.map(({ decision_id }) =>
        connect(decision_id, id, { ...LOSS, correlation_strength: 0.5 }),
      ),
    );
    await Promise.all(links.slice(0, 4).map((one) => client.delete(`/links/${one.id}`)));
    const realised = await Promise.all(
      receipts.map(
        async ({ decision_id }) => (await liabilityOf(client, decision_id)).parts.realised,
      ),
    );
    expect(realised).toEqual([...Array(4).fill('0.00'), ...Array(4).fill('25.00')]);
    const told = await announcementsOf(bed, scope);
    expect(told.map(({ seq }) => seq)).toEqual(told.map((_, index) => index + 1));
    for (const { decision_id } of receipts) {
      const own = told.filter(({ update }) => update.decision_id === decision_id);
      expect(own.map(({ update }) => update.revision)).toEqual(own.map((_, index) => index + 1));
    }
  });
}

function atomicity(): void {
  it('A link and its estimates are written together or not at all, wherever the transaction fails', async () => {
    const { decision_id } = await decide(client);
    const { id } = await recordEvent(client);
    const body = { ...link(decision_id, id, LOSS), link_type: 'loss' as const };
    const request = { ...body, attribution_method: 'manual' as const };
    const before = [await contents(bed), await estimatesOf(bed, scope)];
    let statements = 0;
    for (; ; statements += 1) {
      const dying = dyingInside(bed.service.db, statements);
      const outcome = dying.transaction((tx) =>
        createLink(tx.ledger(scope), bed.service.hooks, { actor: 'key_test' }, request),
      );
      const died = await outcome.then(
        () => false,
        () => true,
      );
      if (!died) break;
      expect([await contents(bed), await estimatesOf(bed, scope)]).toEqual(before);
    }
    expect(statements).toBeGreaterThan(12);
    expect((await liabilityOf(client, decision_id)).revision).toBe(1);
  });

  it.each([
    ['the first estimate', 'liability_estimates', 'insert'],
    ['the estimate', 'liability_estimates', 'update (exposure)'],
    ['its history', 'liability_history', 'insert'],
    ['the announcement', 'announcements', 'insert'],
    ['the allocation', 'link_allocations', 'insert'],
  ])('A link is refused as a whole if %s cannot be written', async (_what, table, right) => {
    const { decision_id, liability } = await decide(client);
    const { id } = await recordEvent(client);
    const before = [await contents(bed), await estimatesOf(bed, scope)];
    await withOwner(bed, (owner) => owner.query(`revoke ${right} on ${table} from ledger_app`));
    const answer = await client.post('/links', link(decision_id, id, LOSS));
    await withOwner(bed, (owner) => owner.query(`grant ${right} on ${table} to ledger_app`));
    expect(answer.status).toBe(500);
    expect([await contents(bed), await estimatesOf(bed, scope)]).toEqual(before);
    expect(await liabilityOf(client, decision_id)).toEqual(liability);
    await connect(decision_id, id, LOSS);
    expect((await liabilityOf(client, decision_id)).revision).toBe(1);
  });
}
