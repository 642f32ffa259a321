import { Pnl } from '@decision-ledger/contract/analytics';
import { PnlRows } from '@decision-ledger/contract/analytics-rows';
import { type Link, LinkPage } from '@decision-ledger/contract/link';
import { Settings } from '@decision-ledger/contract/settings';
import { Big } from 'big.js';
import { expect } from 'vitest';
import { type Client, dataOf } from '../support/client.js';
import { eventsOf, type LiveEvent } from '../support/webhooks.js';
import { pagesOf } from './pages.js';

/** Every event that counts is in one of these. */
const FIGURES = ['total', 'unconverted', 'unattributed_unconverted'] as const;

/** Every movement is divided among the links of its events, each of which takes its share once, and nothing else takes any. */
export async function expectParts(client: Client): Promise<void> {
  const pages = await pagesOf(client, '/links?', LinkPage, (page) => page.next_cursor);
  const links = pages.flatMap((page) => page.links);
  const rows = await rowsOf(client);
  const { attribution } = dataOf(await client.get('/settings'), Settings);
  const events = await eventsOf(client);
  const divided = new Set(rows.map(({ financial_event_id }) => financial_event_id));
  const leads = events.filter(({ id, movement }) => movement.lead === id);
  const isSilent = ({ source }: LiveEvent) =>
    attribution.profiles.some(
      ({ source: profiled, kinds = [] }) =>
        (profiled === source || (profiled.endsWith('*') && source.startsWith('accounting/'))) &&
        kinds.some(({ kind, state }) => kind === 'transfer' || state !== 'moved'),
    );
  const mayCountNothing = (event: LiveEvent) =>
    new Big(event.amount).eq(0) ||
    attribution.unsigned_sources.includes(event.source) ||
    isSilent(event);
  const counting = leads.filter((event) => divided.has(event.id) || !mayCountNothing(event));
  expect([...divided].sort()).toEqual(counting.map(({ id }) => id).sort());
  for (const event of leads) {
    const parts = rows.filter(({ financial_event_id: id }) => id === event.id);
    const own = links.filter(({ financial_event_id: id }) => event.movement.reports.includes(id));
    const counted = new Big(parts[0]?.counted_amount ?? 0);
    if (isSilent(event)) {
      expect(counted.toFixed(), event.id).toBe('0');
    } else if (!attribution.unsigned_sources.includes(event.source)) {
      expect(counted.toFixed(), event.id).toBe(countedOf(event, own).toFixed());
    }
    expectShares(event.id, counted, own, parts);
  }
  expectFigures(dataOf(await client.get('/analytics/ai-pnl'), Pnl), rows);
}

async function rowsOf(client: Client): Promise<PnlRows['rows']> {
  const rows = new Map<string, PnlRows['rows'][number]>();
  for (const figure of FIGURES) {
    const path = `/analytics/ai-pnl/rows?figure=${figure}&`;
    const pages = await pagesOf(client, path, PnlRows, (page) => page.next_cursor);
    for (const row of pages.flatMap((page) => page.rows)) {
      rows.set(`${row.financial_event_id} ${row.link_id}`, row);
    }
  }
  return [...rows.values()];
}

const isOfPeople = ({ status }: Link) => status !== 'ML_SUGGESTED' && status !== 'INHERITED';
const mayReverse = ({ link_type }: Link) => ['cost', 'refund', 'loss'].includes(link_type);

/** The amount with the sign that the links of people give it, or with its own. */
function countedOf({ amount }: LiveEvent, links: readonly Link[]): Big {
  const [first, ...others] = links.filter(isOfPeople);
  const own = new Big(amount);
  if (first === undefined || !mayReverse(first)) return own;
  const agree = others.every((one) => mayReverse(one) && one.reversal === first.reversal);
  if (!agree) return own;
  return first.reversal ? own.abs() : own.abs().times(-1);
}

function expectShares(
  eventId: string,
  counted: Big,
  links: readonly Link[],
  rows: PnlRows['rows'],
): void {
  const linked = rows.filter(({ link_id }) => link_id !== null);
  expect(linked.map(({ link_id }) => link_id).sort(), eventId).toEqual(
    links.map(({ id }) => id).sort(),
  );
  const all = links.reduce((sum, link) => sum.plus(link.correlation_strength), new Big(0));
  const whole = all.gt(1) ? all : new Big(1);
  for (const { id, correlation_strength } of links) {
    const amount = new Big(linked.find(({ link_id }) => link_id === id)?.amount ?? 0);
    const expected = counted.times(correlation_strength).div(whole);
    expect(amount.minus(expected).abs().lt('0.0000000001'), `${id} takes ${amount}`).toBe(true);
  }
  const sum = rows.reduce((total, { amount }) => total.plus(amount), new Big(0));
  expect(sum.toFixed(), eventId).toBe(counted.toFixed());
}

const TYPES = [
  ['revenue', 'revenue'],
  ['savings', 'saving'],
  ['costs', 'cost'],
  ['refunds', 'refund'],
  ['losses', 'loss'],
] as const;
/** Figures are rounded so that they add up, each by less than a minor unit. */
const ROUNDING = '0.02';

/** The figures are the sums of the parts that a rate converts. */
function expectFigures(pnl: Pnl, rows: PnlRows['rows']): void {
  const expectSum = (figure: string | null, name: string, isPart: (row: Row) => boolean) => {
    const sum = rows
      .filter(isPart)
      .reduce((total, { converted_amount }) => total.plus(converted_amount ?? 0), new Big(0));
    const difference = sum.minus(figure ?? 0).abs();
    expect(difference.lt(ROUNDING), `${name} is ${figure}, its parts ${sum}`).toBe(true);
  };
  expectSum(pnl.total, 'total', () => true);
  expectSum(pnl.unattributed, 'unattributed', ({ label }) => label === 'unattributed');
  for (const label of ['confirmed', 'matched', 'guessed'] as const) {
    expectSum(pnl[label].net, `${label}.net`, (row) => row.label === label);
    for (const [figure, type] of TYPES) {
      const isPart = (row: Row) => row.label === label && row.link_type === type;
      expectSum(pnl[label][figure], `${label}.${figure}`, isPart);
    }
  }
}

type Row = PnlRows['rows'][number];
