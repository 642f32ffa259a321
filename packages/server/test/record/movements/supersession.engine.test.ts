import { Movement } from '@decision-ledger/contract/financial-event';
import { Link, LinkPage } from '@decision-ledger/contract/link';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reconcileWithHistory } from '#server/domains/evidence/reconciliation/index';
import { recordEvent as recordStored } from '#server/domains/record/financial-events/index';
import { carryLinks } from '#server/domains/record/links/index';
import { idToUuid, uuidToId } from '#server/platform/ids';
import { type Client, dataOf } from '../../support/client.js';
import { describeEngine } from '../../support/engine.js';
import { link, recordDecision, recordEvent } from '../../support/money.js';
import { openTestService, scopeOf, type TestService } from '../../support/service.js';

const PAID = {
  event_type: 'payment',
  currency: 'USD',
  source: 'stripe',
  timestamp: '2026-04-16T09:00:00.000Z',
};

describeEngine((engine) => {
  let bed: TestService;
  let client: Client;

  beforeAll(async () => {
    bed = await openTestService(engine);
    client = (await bed.organisation()).live;
  });
  afterAll(() => bed.close());

  const ledger = async () => bed.service.db.ledger(await scopeOf(bed, client));
  const linked = async (event: string, fields: object) => {
    const body = link(await recordDecision(client), event, { ...fields });
    return dataOf(await client.post('/links', body), Link, 201).id;
  };

  /** Corrects an event as a source does, with its links. */
  async function correct(event: string, amount: string): Promise<string> {
    const own = await ledger();
    const actor = { scope: own.scope, actor: 'connector' };
    const from = idToUuid('evt', event) ?? '';
    return own.write(async (tx) => {
      const body = { ...PAID, amount };
      const { event_id } = await recordStored(tx, bed.service.hooks, actor, body, {
        supersedes: from,
      });
      await carryLinks(tx, bed.service.hooks, actor, from, event_id);
      return uuidToId('evt', event_id);
    });
  }

  describe('A correction of a report of a movement', () => {
    it.each([
      ['turns its direction drops the links that contradict those of a witness', '-5.00', []],
      ['keeps its direction carries its links', '6.00', ['revenue']],
    ])('One that %s', async (_about, amount, types) => {
      const paid = (await recordEvent(client, { ...PAID, amount: '5.00' })).id;
      const booked = (await recordEvent(client, { ...PAID, source: 'shop', amount: '5.00' })).id;
      await linked(paid, { link_type: 'revenue' });
      const kept = await linked(booked, { link_type: 'cost', reversal: true });
      dataOf(await client.post('/movements/pair', { reports: [paid, booked] }), Movement);
      const successor = await correct(paid, amount);
      const { links } = dataOf(
        await client.get(`/links?financial_event_id=${successor}`),
        LinkPage,
      );
      expect(links.map(({ link_type }) => link_type)).toEqual(types);
      expect(dataOf(await client.get(`/links/${kept}`), Link).deleted_at).toBe(null);
      expect((await reconcileWithHistory(await ledger())).findings).toEqual([]);
    });
  });
});
