import { ActivityPage } from '@decision-ledger/contract/chain';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dataOf } from '../../../support/client.js';
import { dyingAfter, dyingInside } from '../../../support/dying-database.js';
import { type Engine, openTestService, type TestService } from '../../../support/service.js';
import { amountsOf, books, type Ledger, openLedger, sale } from './accounting.js';
import { describeHledger, type HledgerWeb, startHledgerWeb } from './hledger-web.js';

/** More than one transaction's worth of records, changes and removals. */
const STAY = 3;
const EDITED = 22;
const GONE = 22;

function journal(edition: 'first' | 'second'): string {
  const list = (name: string, count: number, cents: string) =>
    Array.from({ length: count }, (_none, index) => sale(`${name}-${index}`, `$${index}.${cents}`));
  const stay = list('S', STAY, '31');
  if (edition === 'first') {
    return [...list('E', EDITED, '51'), ...stay, ...list('G', GONE, '71')].join('');
  }
  return [...stay, ...list('E', EDITED, '52')].join('');
}

const amounts = (count: number, cents: string) =>
  Array.from({ length: count }, (_none, index) => `${index}.${cents} USD`);
const FIRST = [...amounts(STAY, '31'), ...amounts(EDITED, '51'), ...amounts(GONE, '71')];
const EDITS = amounts(EDITED, '52');
const SECOND = [...amounts(STAY, '31'), ...EDITS];

export function describePollCrashes(engine: Engine): void {
  describeHledger('Failing polls', () => {
    let test: TestService;
    let web: HledgerWeb;

    beforeAll(async () => {
      web = await startHledgerWeb();
      test = await openTestService(engine);
    });
    afterAll(async () => {
      await web.stop();
      await test.close();
    });

    /**
     * Polls that fail after some calls, and then as many whole ones. @returns whether one failed
     * @param rounds what the first poll withholds, the second one applies
     */
    async function pollDying(ledger: Ledger, calls: number, rounds: 1 | 2): Promise<boolean> {
      let hasDied = false;
      for (let round = 0; round < rounds; round += 1) {
        const db = dyingAfter(test.service.db, calls);
        const died = await ledger.poll('books', { db }).then(
          () => false,
          () => true,
        );
        hasDied ||= died;
      }
      for (let round = 0; round < rounds; round += 1) await ledger.poll();
      return hasDied;
    }

    it('A poll that fails between any two transactions leaves each record once after the next poll', async () => {
      let calls = 0;
      for (let died = true; died; calls += 1) {
        const ledger = await openLedger(test);
        await ledger.connect(books(web.url, { large_changes: 'apply' }));
        web.write(journal('first'));
        const first = await pollDying(ledger, calls, 1);
        expect(await ledger.amounts()).toEqual([...FIRST].sort());
        expect(await ledger.events()).toHaveLength(FIRST.length);
        web.write(journal('second'));
        // Links are carried once too.
        const linked = (await ledger.events()).filter(({ amount }) => amount.endsWith('.51'));
        for (const { id } of linked.slice(0, 2)) await ledger.link(id);
        const second = await pollDying(ledger, calls, 2);
        await expectOnce(ledger);
        died = first || second;
      }
      // Settings, connections, known records, the decision on the plan, three transactions of records or changes, the
      // end, the dead letters.
      expect(calls).toBeGreaterThan(8);
    });

    it('A poll that fails within a transaction leaves nothing of that transaction', async () => {
      for (const statements of [9, 50, 140, 260, 325]) {
        const ledger = await openLedger(test);
        await ledger.connect(books(web.url, { large_changes: 'apply' }));
        web.write(journal('first'));
        await ledger.poll();
        web.write(journal('second'));
        await ledger.poll();
        const dying = dyingInside(test.service.db, statements);
        await expect(ledger.poll('books', { db: dying })).rejects.toThrow();
        await ledger.poll();
        await expectOnce(ledger, 0);
      }
    });

    it('A failed poll keeps what is withheld, and the next one applies what is left of it', async () => {
      const ledger = await openLedger(test);
      await ledger.connect(books(web.url));
      web.write(journal('first'));
      await ledger.poll();
      web.write(journal('second'));
      await ledger.poll();
      const before = await ledger.withheld();
      expect(before).toMatchObject({
        reasons: ['deletions', 'sums'],
        deleted: GONE,
        changed: EDITED,
      });
      expect(await ledger.release(before?.plan ?? '')).toBe(202);
      let applied = 0;
      for (let calls = 1; applied === 0; calls += 1) {
        const dying = dyingAfter(test.service.db, calls);
        await expect(ledger.poll('books', { db: dying })).rejects.toThrow();
        expect(await ledger.withheld()).toMatchObject({ plan: before?.plan, is_released: true });
        applied = await activityOf(ledger, 'financial_event.deleted');
      }
      expect(applied).toBeLessThan(EDITED + GONE);
      await ledger.poll();
      await expectOnce(ledger, 0);
      expect(await ledger.withheld()).toBeNull();
    });

    it('Concurrent polls of a connection record everything once', async () => {
      const ledger = await openLedger(test);
      await ledger.connect(books(web.url, { large_changes: 'apply' }));
      web.write(journal('first'));
      await Promise.all([ledger.poll(), ledger.poll(), ledger.poll()]);
      expect(await ledger.events()).toHaveLength(FIRST.length);
      web.write(journal('second'));
      const dying = dyingAfter(test.service.db, 5);
      await Promise.allSettled([ledger.poll(), ledger.poll('books', { db: dying }), ledger.poll()]);
      for (let round = 0; round < 2; round += 1) await ledger.poll();
      await expectOnce(ledger, 0);
    });

    /** Checks that the second edition counts, and that each change was made once. */
    async function expectOnce(ledger: Ledger, linked = 2): Promise<void> {
      expect(await ledger.amounts()).toEqual([...SECOND].sort());
      const events = await ledger.events();
      expect(amountsOf(events)).toEqual([...FIRST, ...EDITS].sort());
      const superseded = events.flatMap(({ supersedes }) => supersedes ?? []);
      expect(new Set(superseded).size).toBe(EDITED);
      expect(superseded).toHaveLength(EDITED);
      for (const event of events.filter(({ superseded_by }) => superseded_by !== undefined)) {
        const successor = events.find(({ id }) => id === event.superseded_by);
        expect(successor?.supersedes).toBe(event.id);
      }
      const links = await ledger.links();
      expect(links.filter(({ deleted_at }) => deleted_at === null)).toHaveLength(linked);
      expect(links).toHaveLength(2 * linked);
      expect(await activityOf(ledger, 'financial_event.recorded')).toBe(events.length);
      expect(await activityOf(ledger, 'financial_event.deleted')).toBe(EDITED + GONE);
      const [state] = await ledger.connections();
      expect(state?.problem).toBeNull();
    }

    async function activityOf({ organisation }: Ledger, type: string): Promise<number> {
      const answer = await organisation.live.get(`/activity?type=${type}&limit=500`);
      return dataOf(answer, ActivityPage).activity.length;
    }
  });
}
