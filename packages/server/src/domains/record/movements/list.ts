import type { SameMoneyPage } from '@decision-ledger/contract/same-money';
import { Big } from 'big.js';
import { uuidToId } from '../../../platform/ids.js';
import type { LedgerReader } from '../../../platform/ledger.js';
import { mapPage, type PageRows, type Place, type Slice } from '../../../platform/page.js';
import { describeEvent, describeReports, readEvents } from '../financial-events/index.js';
import { compareReports } from './compare.js';
import { readOpen } from './period-sums.js';
import type { Day } from './rules/periods.js';
import type { Sum } from './rules/settled.js';
import { selectQueued, selectQueuedSums } from './store/reports.js';

interface ListedReport {
  readonly item: SameMoneyPage['reports'][number];
  readonly place: Place;
}

/** The reports that may be of the same money as others, which no rule can tell, newest first. */
export async function listSameMoney(
  ledger: LedgerReader,
  slice: Slice<Place>,
): Promise<PageRows<ListedReport>> {
  const page = await selectQueued(ledger, slice);
  const ids = page.rows.map(({ event_id }) => event_id);
  const compared = await compareReports(ledger, ids);
  const doubtful = [...compared.doubtful, ...(await readOpen(ledger, compared, ids))];
  const events = await readEvents(ledger, [
    ...ids,
    ...doubtful.flatMap(({ reports, sum }) => [...reports, ...(sum?.parts ?? [])]),
  ]);
  const eventOf = (id: string) => {
    const event = events.get(id);
    if (event === undefined) throw new Error('an event of the queue does not exist');
    return event;
  };
  const reports = await describeReports(ledger, ids.map(eventOf));
  const byId = new Map(ids.map((id, at) => [id, reports[at]]));
  return mapPage(page, ({ event_id, timestamp }) => {
    const report = byId.get(event_id);
    if (report === undefined) throw new Error('an event of the queue does not exist');
    const possible = doubtful.flatMap(({ reports: [one, other], rule, doubt, sum }) => {
      const isAbout = one === event_id || (other === event_id && sum === undefined);
      if (!isAbout) return [];
      const financial_event = describeEvent(eventOf(one === event_id ? other : one));
      const described = sum === undefined ? {} : { sum: describeSum(sum, eventOf) };
      return [{ financial_event, rule, doubt, ...described }];
    });
    return { item: { report, possible }, place: { at: timestamp, id: event_id } };
  });
}

type Event = Parameters<typeof describeEvent>[0];

function describeSum({ whole, parts, pair, period }: Sum, eventOf: (id: string) => Event) {
  const events = parts.map((id) => describeEvent(eventOf(id)));
  const total = events.reduce((sum, { amount }) => sum.plus(amount), new Big(0));
  const idOf = (id: string) => uuidToId('evt', id);
  const [amount = ''] = period?.sum.split(' ') ?? [total.toFixed()];
  return {
    ...{ whole: idOf(whole), parts: events, amount, reports: pair.map(idOf) },
    ...(period !== undefined && {
      period: { count: period.count, ...{ from: dateOf(period.first), to: dateOf(period.last) } },
    }),
  };
}

const dateOf = (day: Day): string => new Date(day * 86_400_000).toISOString().slice(0, 10);

/** How many reports are in the queue, and their sums without sign. */
export async function sumQueued(
  ledger: LedgerReader,
): Promise<Pick<SameMoneyPage, 'open' | 'open_amounts'>> {
  const sums = await selectQueuedSums(ledger);
  return {
    open: sums.reduce((total, { count }) => total + count, 0),
    open_amounts: sums.map(({ currency, amount }) => ({ currency, amount })),
  };
}
