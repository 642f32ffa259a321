import type { Link } from '@decision-ledger/contract/link';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agentPatterns } from '#server/domains/judgement/attribution/index';
import { expectRefusal } from '../../../support/client.js';
import { rebuilt } from '../../../support/rebuilt.js';
import { type Engine, openTestService, type TestService } from '../../../support/service.js';
import { type Desk, onlySuggestion, openDesk, scoreOf } from '../../../support/suggestions-desk.js';

const TABLES = ['decision_features', 'token_frequencies', 'attribution_states'] as const;

/** Two organisations with a live and a test ledger each; all four hold the same records. */
export function describeAttributionIsolation(engine: Engine): void {
  describe('Four ledgers with the same decisions and events', () => {
    let test: TestService;
    let desks: Desk[];
    /** Decisions and events in order of creation. */
    const own = new Map<Desk, { decisions: string[]; events: string[] }>();

    beforeAll(async () => {
      test = await openTestService(engine);
      const [one, other] = [await test.organisation(), await test.organisation()];
      desks = await Promise.all(
        [one.live, one.test, other.live, other.test].map((client) => openDesk(test, client)),
      );
      for (const desk of desks) {
        const names = Array.from({ length: 12 }, (_none, index) => `ORD-${100 + index}`);
        const decisions = await desk.decide(
          ...names.map((order) => ({ metadata: { order_id: order } })),
        );
        const events: string[] = [];
        for (const order of names.slice(0, 4)) {
          events.push(await desk.happen({ metadata: { order_id: order }, external_id: order }));
        }
        own.set(desk, { decisions, events });
      }
    });
    afterAll(() => test.close());

    const first = (): Desk => desks[0] ?? expect.unreachable('there is no ledger');
    const recordsOf = (desk: Desk) => own.get(desk) ?? { decisions: [], events: [] };

    async function rowsOf({ scope }: Desk): Promise<number[]> {
      const rows: number[] = [];
      for (const table of TABLES) {
        const text = `select count(*) as n from ${table} where ledger_id = $1`;
        const values = [scope.ledgerId];
        rows.push((await test.service.db.query<{ n: number }>({ text, values }))[0]?.n ?? -1);
      }
      return rows;
    }

    it('A job for one ledger touches no other', async () => {
      await first().look();
      expect(await first().links()).toHaveLength(4);
      for (const desk of desks.slice(1)) {
        expect(await desk.links()).toEqual([]);
        expect(await rowsOf(desk)).toEqual([0, 0, 0]);
        expect(await desk.activity()).toEqual([]);
      }
    });

    it('Each ledger has suggestions from its own decisions, with the same scores', async () => {
      for (const desk of desks.slice(1)) await desk.look();
      const told: unknown[] = [];
      for (const desk of desks) {
        const { decisions, events } = recordsOf(desk);
        const links = await Promise.all(events.map((event) => onlySuggestion(desk, event)));
        expect(links.map(({ decision_id }) => decision_id)).toEqual(decisions.slice(0, 4));
        told.push(links.map((link) => ({ ...scoreOf(link), rivals: [] })));
        for (const link of links) {
          const rivals = scoreOf(link).rivals.map(({ decision_id }) => decision_id);
          expect(decisions).toEqual(expect.arrayContaining(rivals));
        }
      }
      for (const scores of told) expect(scores).toEqual(told[0]);
    });

    it('No value has the same hash in two ledgers', async () => {
      const rows = await test.service.db.query<{ ledgers: number }>(sql`
        select count(distinct ledger_id) as ledgers from token_frequencies group by token
        order by 1 desc limit 1`);
      expect(rows).toEqual([{ ledgers: 1 }]);
      const features = await test.service.db.query<{ ledgers: number }>(sql`
        select count(distinct ledger_id) as ledgers from decision_features group by features
        order by 1 desc limit 1`);
      expect(features).toEqual([{ ledgers: 1 }]);
    });

    it('Reviews in one ledger do not affect the others', async () => {
      const before = await Promise.all(desks.slice(1).map((desk) => desk.links()));
      const [link, other] = await first().links('&status=ML_SUGGESTED');
      await first().review(link?.id ?? '', 'confirm');
      await first().review(other?.id ?? '', 'reject');
      for (const desk of desks) {
        await desk.lookAtAllAgain();
        await desk.look();
      }
      expect(await first().verdicts()).toEqual(['confirmed', 'rejected']);
      expect(await first().counts()).toHaveLength(1);
      for (const [index, desk] of desks.slice(1).entries()) {
        expect(await desk.verdicts()).toEqual([]);
        expect(await desk.counts()).toEqual([]);
        expect(await desk.links()).toEqual(before[index]);
      }
    });

    it('The replay of one ledger leaves the counts of the others unchanged', async () => {
      const counts = await first().counts();
      for (const desk of desks.slice(1)) {
        const replay = await rebuilt(test.service.db.ledger(desk.scope), agentPatterns);
        expect(replay).toMatchObject({ rows: 0, differences: [] });
      }
      expect(await first().counts()).toEqual(counts);
    });

    it('A suggestion is not found with the key of another ledger', async () => {
      const [link] = await first().links('&status=ML_SUGGESTED');
      const id = link?.id ?? '';
      for (const { client } of desks.slice(1)) {
        expectRefusal(await client.get(`/links/${id}`), 'not_found');
        expectRefusal(await client.delete(`/links/${id}`), 'not_found');
        for (const review of ['confirm', 'reject']) {
          expectRefusal(await client.post(`/links/${id}/${review}`, {}), 'not_found');
        }
      }
      const {
        other_links: _others,
        other_links_next_cursor: _cursor,
        waterfall: _waterfall,
        ...now
      } = await first().read(id);
      expect<Link>(now).toEqual(link);
    });
  });
}
