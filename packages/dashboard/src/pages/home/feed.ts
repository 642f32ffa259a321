import type { Decision } from '@decision-ledger/client/api/decision';
import type { LedgerEvent } from '@decision-ledger/client/stream';

/** Where a line of the feed leads. */
export type FeedTarget =
  | { readonly page: 'decision' | 'event'; readonly id: string }
  | { readonly page: 'evidence' };

/** A line of the feed. */
export interface FeedItem {
  /** Two lines with the same key are about the same thing. */
  readonly key: string;
  /** RFC 3339. */
  readonly time: string;
  readonly kind: string;
  readonly text: string;
  readonly money: { readonly amount: string; readonly currency: string } | null;
  readonly target: FeedTarget | null;
}

type Data = LedgerEvent['data'];
type Describe = (data: Data) => Omit<FeedItem, 'key' | 'time'>;

/** Lines that are kept. */
const KEPT = 30;

const LINK_TEXTS = {
  'link.created': 'Link created',
  'link.suggested': 'Link suggested',
  'link.inherited': 'Link taken from the payment',
  'link.confirmed': 'Link confirmed',
  'link.rejected': 'Link rejected',
  'link.deleted': 'Link deleted',
} as const;

const eventChange =
  (said: string): Describe =>
  (data) => ({
    ...{ kind: 'Money', text: said, money: null },
    target: { page: 'event', id: text(data, 'subject') },
  });

const DESCRIBE: Readonly<Record<string, Describe>> = {
  'decision.recorded': (data) => ({
    ...{ kind: 'Decision', text: `${text(data, 'agent_id')}: ${text(data, 'action_type')}` },
    ...{ money: null, target: { page: 'decision', id: text(data, 'decision_id') } },
  }),
  'financial_event.recorded': (data) => ({
    ...{ kind: 'Money', text: `${text(data, 'source')} · ${text(data, 'event_type')}` },
    ...{ money: moneyOf(data), target: { page: 'event', id: text(data, 'subject') } },
  }),
  'financial_event.deleted': eventChange('Event deleted'),
  'movement.paired': eventChange('Same money, counted once'),
  'movement.parted': eventChange('Not the same money'),
  ...Object.fromEntries(
    Object.entries(LINK_TEXTS).map(([type, name]) => [type, (data: Data) => linkOf(name, data)]),
  ),
  'chain.verified': (data) => ({
    ...{ kind: 'Chain', money: null, target: { page: 'evidence' } },
    text: `Chain of ${text(data, 'chain')} ${data.is_valid === true ? 'intact' : 'broken'}`,
  }),
  'export.updated': (data) => ({
    ...{ kind: 'Export', text: `Export ${text(data, 'status')}` },
    ...{ money: null, target: { page: 'evidence' } },
  }),
  'drift.detected': (data) => ({ kind: 'Drift', text: driftOf(data), money: null, target: null }),
  'budget.reached': (data) => ({
    ...{
      kind: 'Budget',
      text: `${Number(data.percent)} % of the budget ${text(data, 'budget')} is used`,
    },
    ...{ money: { amount: text(data, 'used'), currency: text(data, 'currency') }, target: null },
  }),
  'exposure.exceeded': (data) => ({
    ...{ kind: 'Exposure', text: 'More may still be lost than the threshold allows' },
    ...{ money: { amount: text(data, 'open'), currency: text(data, 'currency') }, target: null },
  }),
};

/** The line of an event; null for events that the feed leaves out, such as renewed estimates. */
export function itemOf({ id, type, time, data }: LedgerEvent): FeedItem | null {
  const described = DESCRIBE[type]?.(data);
  if (described === undefined) return null;
  const key = type === 'decision.recorded' ? text(data, 'decision_id') : id;
  return { key, time, ...described };
}

/** The line of a decision that was recorded before the page was opened. */
export function itemOfDecision({
  decision_id,
  agent_id,
  action_type,
  created_at,
}: Decision): FeedItem {
  return {
    ...{ key: decision_id, time: created_at, kind: 'Decision', money: null },
    ...{ text: `${agent_id}: ${action_type}`, target: { page: 'decision', id: decision_id } },
  };
}

/** The newest lines, each once. */
export function merge(newer: readonly FeedItem[], older: readonly FeedItem[]): readonly FeedItem[] {
  const found = new Map<string, FeedItem>();
  for (const item of [...newer, ...older]) if (!found.has(item.key)) found.set(item.key, item);
  return [...found.values()].slice(0, KEPT);
}

function linkOf(name: string, data: Data): Omit<FeedItem, 'key' | 'time'> {
  const id = text(data, 'decision_id');
  const type = text(data, 'link_type');
  return {
    ...{ kind: 'Link', text: type === '' ? name : `${name}: ${type}`, money: null },
    target: id === '' ? null : { page: 'decision', id },
  };
}

function driftOf(data: Data): string {
  if (data.subject !== 'liability') return `Attribution drift: ${text(data, 'metric')}`;
  const direction = data.direction === 'down' ? 'less' : 'more';
  return `Losses of ${text(data, 'agent_id')} became ${direction} frequent`;
}

function moneyOf(data: Data): FeedItem['money'] {
  const [amount, currency] = [text(data, 'amount'), text(data, 'currency')];
  return amount === '' || currency === '' ? null : { amount, currency };
}

function text(data: Data, name: string): string {
  const value = data[name];
  return typeof value === 'string' ? value : '';
}
