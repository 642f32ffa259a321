import { createHash } from 'node:crypto';
import { ActivityPage } from '@decision-ledger/contract/chain';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { identifierToken, replayModels } from '#server/domains/judgement/attribution/index';
import { recomputeShares } from '#server/domains/judgement/attribution/recompute';
import { knownFeatures, openCandidates } from '#server/domains/judgement/attribution/stored-choice';
import { openModel } from '#server/domains/judgement/attribution/stored-model';
import { dataOf } from '../../support/client.js';
import { erase } from '../../support/erasures.js';
import { openTestService, type TestService } from '../../support/service.js';
import {
  at,
  type Desk,
  onlySuggestion,
  openDesk,
  scoreOf,
} from '../../support/suggestions-desk.js';

describe('Models of attribution', () => {
  let test: TestService;
  let desk: Desk;

  beforeAll(async () => {
    test = await openTestService('embedded');
  });
  afterAll(() => test.close());

  const models = () =>
    test.service.db.query<{ model_id: number; snapshot: string }>(sql`
      select model_id, snapshot from attribution_models
      where ledger_id = ${desk.scope.ledgerId} order by model_id`);
  const changes = async () => {
    const answer = await desk.client.get('/activity?type=attribution.model_changed');
    return dataOf(answer, ActivityPage).activity.reverse();
  };
  const scores = () =>
    test.service.db.query<{
      model_id: number;
      candidates: string;
      rest_log_odds: number | null;
      left_share: number;
      compared: number;
    }>(sql`
      select model_id, candidates, rest_log_odds, left_share, compared from event_scores
      where ledger_id = ${desk.scope.ledgerId} order by event_id`);
  const choices = () =>
    test.service.db.query<{ kind: string; verdict: string; choice: string }>(sql`
      select kind, verdict, choice from event_reviews
      where ledger_id = ${desk.scope.ledgerId} order by seq`);

  const open = async (count = 12) => {
    desk = await openDesk(test);
    const orders = Array.from({ length: count }, (_none, index) => `ORD-${8000 + index}`);
    return desk.decide(...orders.map((order) => ({ metadata: { order_id: order } })));
  };
  const happen = (order: number, fields: object = {}) =>
    desk.happen({ metadata: { order_id: `ORD-${8000 + order}` }, ...fields });

  it('A model is stored once and chained with its SHA-256, and every score names it', async () => {
    await open();
    const event = await happen(3);
    await desk.look();
    await desk.look();
    const stored = await models();
    expect(stored.map(({ model_id }) => model_id)).toEqual([1]);
    const [change, ...others] = await changes();
    expect(others).toEqual([]);
    const sha256 = createHash('sha256')
      .update(stored[0]?.snapshot ?? '')
      .digest('hex');
    expect(change).toMatchObject({
      actor: 'engine',
      data: { model: 1, version: 'attribution/v1', sha256 },
    });
    expect(scoreOf(await onlySuggestion(desk, event))).toMatchObject({ model: 1 });
  });

  it('A review makes a model, its withdrawal the former weights, and a replay makes all again', async () => {
    await open();
    const event = await happen(3);
    await desk.look();
    const link = await onlySuggestion(desk, event);
    await desk.review(link.id, 'reject');
    await desk.look();
    await desk.remove(link.id);
    await desk.look();
    const [first, second, third, ...others] = (await models()).map(
      (row) => openModel(row).snapshot,
    );
    expect(others).toEqual([]);
    expect(second?.learned_from.reviews).toBe(1);
    expect(second?.weights).not.toEqual(first?.weights);
    expect(third?.learned_from.reviews).toBe(0);
    expect(third?.weights).toEqual(first?.weights);
    expect(await replayModels(test.service.db.ledger(desk.scope))).toEqual({
      models: 3,
      differing: [],
    });
  });

  it('Open events are scored again once, after a backlog, and not for each model within it', async () => {
    await open(80);
    for (const part of [1, 2]) {
      for (let order = 0; order < 80; order += 1) {
        await happen(order, { timestamp: at(order + part) });
      }
    }
    await desk.look();
    const stored = await test.service.db.query<{ is_refresh: boolean; identified: number }>(sql`
      select is_refresh, identified::int as identified from attribution_models
      where ledger_id = ${desk.scope.ledgerId} order by model_id`);
    const refreshes = stored.filter(({ is_refresh }) => is_refresh);
    expect(stored.length).toBeGreaterThan(2);
    expect(refreshes).toHaveLength(1);
    expect(refreshes[0]?.identified).toBeGreaterThan(100);
    const used = (await scores()).map(({ model_id }) => model_id);
    expect(used).toHaveLength(160);
    expect(new Set(used)).toEqual(new Set([stored.length]));
  });

  it('A change of the weights makes a model', async () => {
    await open();
    await desk.look();
    const weights = { temporal: 0.4, metadata: 0.4, agent_pattern: 0.1, amount: 0.1 };
    await desk.set({ weights });
    await desk.look();
    expect(await models()).toHaveLength(2);
    const zone = await desk.client.patch('/settings', { attribution: { time_zone: 'Mars/Base' } });
    expect(zone.status).toBe(422);
  });

  it('Stored shares follow from the stored features and the model that the score names', async () => {
    await open(30);
    for (const order of [3, 9, 9, 20]) await happen(order, { timestamp: at(order) });
    await desk.happen({ timestamp: at(30) });
    // No two of these are as likely, so that only ten compete for the next event.
    await desk.decide(
      ...Array.from({ length: 30 }, (_none, hour) => ({ timestamp: at(40 + hour) })),
    );
    await desk.happen({ timestamp: at(72) });
    await desk.look();
    const stored = await models();
    const rows = await scores();
    expect(rows).toHaveLength(6);
    for (const row of rows) {
      const model = stored.find(({ model_id }) => model_id === row.model_id);
      if (model === undefined) return expect.unreachable('the model is not stored');
      const candidates = openCandidates(row.candidates);
      expect(candidates).toHaveLength(Math.min(10, row.compared));
      const again = recomputeShares(
        {
          candidates: candidates.map((candidate) => ({ features: knownFeatures(candidate) })),
          restLogOdds: row.rest_log_odds,
          left: row.left_share,
        },
        openModel(model).snapshot,
      );
      expect(again).toEqual(candidates.map(({ share }) => share));
    }
  });

  it('A review keeps the candidates with their features, and a manual link those of its decision', async () => {
    await open();
    const event = await happen(3);
    await desk.look();
    const link = await onlySuggestion(desk, event);
    await desk.review(link.id, 'confirm');
    // More decisions than are candidates lie between this one and its event.
    const [far = ''] = await desk.decide({ agent_id: 'clerk', timestamp: at(-2000) });
    await desk.look();
    await desk.link(far, await desk.happen());
    const [confirmed, manual] = await choices();
    expect(confirmed).toMatchObject({ kind: 'review', verdict: 'cause' });
    expect(manual).toMatchObject({ kind: 'manual', verdict: 'cause' });
    expect(confirmed?.choice).toContain('"features":{');
    expect(manual?.choice).toMatch(/"agent_id":"clerk".*?"features":\{/);
  });

  it('An erased decision is no candidate by what was erased', async () => {
    const decisions = await open();
    const event = await happen(3);
    await desk.look();
    expect((await onlySuggestion(desk, event)).decision_id).toBe(decisions[3]);
    await erase(desk.client, decisions[3] ?? '', 'metadata');
    expect((await scores()).map(({ candidates }) => candidates)).toEqual(['[]']);
    await desk.look();
    expect(await desk.suggested(event)).toEqual([]);
  });

  it('An event keeps no identifier that it was linked to through an erased field', async () => {
    await open();
    const order = { order_id: 'ORD-9500' };
    const ticket = { ticket_id: 'TCK-5501' };
    const [naming = ''] = await desk.decide({ metadata: order, inputs: ticket });
    await happen(3, { metadata: order });
    await desk.look();
    const token = identifierToken(desk.scope.ledgerId, ticket.ticket_id);
    const own = identifierToken(desk.scope.ledgerId, order.order_id);
    const held = async () => {
      const rows = await test.service.db.query<{ token: number }>(sql`
        select token from event_tokens where ledger_id = ${desk.scope.ledgerId}`);
      return rows.map((row) => row.token);
    };
    expect(await held()).toEqual(expect.arrayContaining([token, own]));
    await erase(desk.client, naming, 'inputs');
    await desk.look();
    expect(await held()).toContain(own);
    expect(await held()).not.toContain(token);
  });

  it('An identifier finds a decision 300 days earlier, and one recorded after the event too', async () => {
    await open();
    const long = { metadata: { order_id: 'ORD-9100' }, timestamp: at(-300 * 24) };
    const [early] = await desk.decide(long);
    const event = await desk.happen({ metadata: { order_id: 'ORD-9100' } });
    const other = await desk.happen({ metadata: { order_id: 'ORD-9200' } });
    await desk.look();
    expect((await onlySuggestion(desk, event)).decision_id).toBe(early);
    const [late] = await desk.decide({ ...long, metadata: { order_id: 'ORD-9200' } });
    await desk.look();
    expect((await onlySuggestion(desk, other)).decision_id).toBe(late);
  });

  it('An event at midnight may follow decisions of its whole day, in the zone of the organisation', async () => {
    await open();
    await desk.set({ time_zone: 'Asia/Tokyo' });
    const midnight = Date.UTC(2026, 2, 9, 15);
    const noon = { timestamp: new Date(midnight + 12 * 3_600_000).toISOString() };
    const order = { metadata: { order_id: 'ORD-9300' } };
    const [decision] = await desk.decide({ ...order, ...noon });
    const day = await desk.happen({ ...order, timestamp: new Date(midnight).toISOString() });
    await desk.look();
    expect((await onlySuggestion(desk, day)).decision_id).toBe(decision);
    const [late] = await desk.decide({ metadata: { order_id: 'ORD-9400' }, ...noon });
    const later = await desk.happen({
      metadata: { order_id: 'ORD-9400' },
      timestamp: new Date(midnight + 1000).toISOString(),
    });
    await desk.look();
    expect(await desk.suggested(later)).toEqual([]);
    expect(late).toBeDefined();
  });
});
