import { ActivityPage } from '@decision-ledger/contract/chain';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type AlertReceiver, openAlertReceiver, watch } from '../../../support/alert-receiver.js';
import { dataOf } from '../../../support/client.js';
import { type Engine, openTestService, type TestService } from '../../../support/service.js';
import { ALERT_SECRET } from '../../../support/settings-samples.js';
import { books, type Ledger, openLedger } from './accounting.js';
import { answering, answerOf, type Entry } from './journal-answer.js';

const sale = (n: number, fields: Partial<Entry> = {}): Entry => ({
  ...{ day: `2026-0${1 + (n % 2)}-0${1 + (n % 9)}`, account: 'revenues' },
  ...{ cents: 1000, text: `Customer ${n}`, ...fields },
});
const SALES = Array.from({ length: 20 }, (_none, n) => sale(n));

export function describeWithheld(engine: Engine): void {
  describe('Withheld changes', () => {
    let test: TestService;
    let receiver: AlertReceiver;
    let ledger: Ledger;
    let journal: readonly Entry[];

    beforeAll(async () => {
      test = await openTestService(engine);
      receiver = await openAlertReceiver();
    });
    afterAll(async () => {
      await receiver.close();
      await test.close();
    });
    beforeEach(async () => {
      ledger = await openLedger(test);
      await connect();
      const alerts = { url: receiver.url, secret: ALERT_SECRET };
      expect((await ledger.organisation.live.patch('/settings', { alerts })).status).toBe(200);
      await poll(SALES);
      receiver.received.length = 0;
    });

    const connect = (fields: object = {}) =>
      ledger.connect(books('http://127.0.0.1:9', { ...{ accounts: ['revenues'] }, ...fields }));
    const outbound = answering(() => answerOf(journal));
    async function poll(entries: readonly Entry[]): Promise<void> {
      journal = entries;
      await ledger.poll('books', { outbound });
    }
    async function alerts() {
      await watch(test);
      return receiver.received.map(({ alert }) => alert);
    }
    const activity = async (type: string) => {
      const answer = await ledger.organisation.live.get(`/activity?type=${type}&limit=500`);
      return dataOf(answer, ActivityPage).activity;
    };

    it('A journal that is empty for one poll changes nothing, and an alert says what was withheld', async () => {
      const events = await ledger.events();
      const link = await ledger.link(events[3]?.id ?? '');
      await poll([]);
      await poll(SALES);
      expect(await ledger.events()).toEqual(events);
      expect((await ledger.links()).map(({ id, deleted_at }) => [id, deleted_at])).toEqual([
        [link.id, null],
      ]);
      expect((await ledger.connections())[0]).toMatchObject({ problem: null, withheld: null });
      expect(await activity('financial_event.deleted')).toEqual([]);
      expect(await alerts()).toMatchObject([
        {
          type: 'accounting.withheld',
          data: {
            ...{ connection: 'books', deleted: 20, changed: 0, confirmed: 1 },
            reasons: ['deletions', 'month', 'confirmed', 'sums'],
            months: ['2026-01', '2026-02'],
            sums: [{ currency: 'USD', before: '200', after: '0' }],
          },
        },
      ]);
      expect(await alerts()).toHaveLength(1);
      test.clock.advance(60_000);
      await poll([]);
      expect(await alerts()).toHaveLength(2);
    });

    it('What is withheld is shown with its sums, and applied once it is released', async () => {
      const less = SALES.slice(4);
      await poll([...less, sale(30)]);
      await poll([...less, sale(30)]);
      expect(await ledger.amounts()).toHaveLength(21);
      const [state] = await ledger.connections();
      const { withheld } = state ?? {};
      expect(withheld).toMatchObject({
        ...{ deleted: 4, changed: 0, held_back: 0, polls: 2, is_released: false },
        ...{ reasons: ['deletions', 'sums'], months: [] },
        sums: [{ currency: 'USD', before: '210', after: '170' }],
      });
      expect(withheld?.items.map(({ description }) => description).sort()).toEqual([
        ...['Customer 0', 'Customer 1', 'Customer 2', 'Customer 3'],
      ]);
      expect(state?.problem).toContain(`release plan ${withheld?.plan}`);
      expect(state?.problem_count).toBe(0);
      expect(await ledger.release('another')).toBe(409);
      expect(await ledger.release(withheld?.plan ?? '', 'nobody')).toBe(404);
      expect(await ledger.release(withheld?.plan ?? '')).toBe(202);
      expect((await ledger.withheld())?.is_released).toBe(true);
      expect(await ledger.amounts()).toHaveLength(21);
      await poll([...less, sale(30)]);
      expect(await ledger.amounts()).toHaveLength(17);
      expect((await ledger.connections())[0]).toMatchObject({ problem: null, withheld: null });
      const authors = (await activity('financial_event.deleted')).map(({ actor }) => actor);
      expect(authors).toEqual(Array(4).fill(expect.stringMatching(/^key_/)));
      expect(await ledger.release(withheld?.plan ?? '')).toBe(409);
    });

    it('A release does not cover what a later poll finds', async () => {
      await poll(SALES.slice(4));
      const before = await ledger.withheld();
      expect(await ledger.release(before?.plan ?? '')).toBe(202);
      await poll([]);
      expect(await ledger.amounts()).toHaveLength(20);
      const after = await ledger.withheld();
      expect(after).toMatchObject({ deleted: 20, polls: 1, is_released: false });
      expect(await ledger.release(before?.plan ?? '')).toBe(409);
    });

    it('With large_changes apply, two polls that find the same apply it', async () => {
      await connect({ large_changes: 'apply' });
      await poll([]);
      await poll(SALES);
      await poll(SALES.slice(9));
      expect(await ledger.amounts()).toHaveLength(20);
      await poll(SALES.slice(9));
      expect(await ledger.amounts()).toHaveLength(11);
      expect(await ledger.withheld()).toBeNull();
      const authors = (await activity('financial_event.deleted')).map(({ actor }) => actor);
      expect(new Set(authors)).toEqual(new Set(['accounting/books']));
    });

    it('A deletion that would lose a confirmed link holds back every deletion and change, and nothing else', async () => {
      const linked = (await ledger.events()).find(
        ({ description }) => description === 'Customer 5',
      );
      await ledger.link(linked?.id ?? '');
      const edited = { ...sale(6), text: 'Customer 6, Ltd' };
      const other = SALES.filter((_one, n) => n !== 5 && n !== 6);
      await poll([...other, edited, sale(31)]);
      expect(await ledger.withheld()).toMatchObject({
        ...{ reasons: ['confirmed'], deleted: 1, changed: 1, confirmed: 1 },
      });
      expect(await ledger.amounts()).toHaveLength(21);
      expect((await ledger.events()).some(({ description }) => description === edited.text)).toBe(
        false,
      );
      await poll([...SALES.filter((_one, n) => n !== 6), edited, sale(31)]);
      expect(await ledger.withheld()).toBeNull();
      const now = (await ledger.events()).filter(({ deleted_at }) => deleted_at === null);
      expect(now.map(({ description }) => description)).toContain(edited.text);
    });

    it('Amounts that are read in another way are withheld', async () => {
      const hundredfold = SALES.map((entry) => ({ ...entry, cents: entry.cents * 100 }));
      await poll(hundredfold);
      expect(new Set(await ledger.amounts())).toEqual(new Set(['10 USD']));
      expect(await ledger.withheld()).toMatchObject({
        ...{ reasons: ['sums'], deleted: 0, changed: 20 },
        sums: [{ currency: 'USD', before: '200', after: '20000' }],
      });
    });

    it('What may be an edit of a withheld deletion is not counted beside it', async () => {
      const twins = ['north', 'south'].map((text) => sale(40, { text }));
      await poll([...SALES, ...twins]);
      const [north] = (await ledger.events()).filter(({ description }) => description === 'north');
      await ledger.link(north?.id ?? '');
      const others = ['1', '2'].map((text) => sale(40, { text }));
      await poll([...SALES, ...others]);
      expect(await ledger.withheld()).toMatchObject({ deleted: 2, held_back: 2 });
      expect(await ledger.amounts()).toHaveLength(22);
      expect((await ledger.connections())[0]?.problem).toMatch(
        /edited\? It may be .*(north|south)/,
      );
      const { plan = '' } = (await ledger.withheld()) ?? {};
      expect(await ledger.release(plan)).toBe(202);
      await poll([...SALES, ...others]);
      expect(await ledger.amounts()).toHaveLength(22);
      const texts = (await ledger.events()).flatMap(({ deleted_at, description }) =>
        deleted_at === null ? description : [],
      );
      expect(texts.sort()).toEqual([...SALES, ...others].map(({ text }) => text).sort());
    });

    it('That it may be an edit is noted until somebody asks for a poll, or it changes again', async () => {
      const twins = (...texts: string[]) => texts.map((text) => sale(40, { text }));
      const notes = async () => {
        const [state] = await ledger.connections();
        const lines = (state?.problem ?? '').split('\n').filter((line) => line !== '');
        return lines.map((line) => /line (\d+): .*, revenues: edited\?/.exec(line)?.[1] ?? line);
      };
      await poll([...SALES, ...twins('north', 'south')]);
      await poll([...SALES, ...twins('one', 'two')]);
      expect(await notes()).toEqual(['61', '64']);
      await poll([sale(50), ...SALES, ...twins('one', 'two')]);
      expect(await notes()).toEqual(['64', '67']);
      expect((await ledger.connections())[0]?.problem_count).toBe(2);
      const away = async () => Promise.reject(new Error('away'));
      await expect(ledger.poll('books', { outbound: away })).rejects.toThrow();
      expect(await notes()).toEqual([expect.stringMatching(/away/), '64', '67']);
      await poll([sale(50), ...SALES, ...twins('one', 'two times')]);
      expect(await notes()).toEqual(['64']);
      const asked = await ledger.organisation.live.post('/accounting/connections/books/poll', {});
      expect(asked.status).toBe(202);
      await poll([sale(50), ...SALES, ...twins('one', 'two times')]);
      expect(await notes()).toEqual([]);
    });

    it('The correction of a description keeps the confirmed link, and a return brings it back', async () => {
      const linked = (await ledger.events()).find(
        ({ description }) => description === 'Customer 7',
      );
      const link = await ledger.link(linked?.id ?? '', { notes: 'by hand' });
      const edited = sale(7, { text: 'Customer 7 (corrected)' });
      const others = SALES.filter((_one, n) => n !== 7);
      const standing = async () => {
        const links = (await ledger.links()).filter(({ deleted_at }) => deleted_at === null);
        expect(links).toMatchObject([{ decision_id: link.decision_id, notes: 'by hand' }]);
        const event = (await ledger.events()).find(({ id }) => id === links[0]?.financial_event_id);
        return [event?.description, event?.deleted_at === null];
      };
      await poll([...others, edited]);
      expect(await standing()).toEqual([edited.text, true]);
      await poll(others);
      const { plan = '' } = (await ledger.withheld()) ?? {};
      expect(await ledger.release(plan)).toBe(202);
      await poll(others);
      expect(await ledger.amounts()).toHaveLength(19);
      await poll([edited, ...others]);
      expect(await ledger.amounts()).toHaveLength(20);
      expect(await standing()).toEqual([edited.text, true]);
    });
  });
}
