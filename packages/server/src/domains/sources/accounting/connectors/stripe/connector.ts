import { ACCOUNTING } from '@decision-ledger/contract/accounting';
import { checker } from '@decision-ledger/contract/validation';
import { parseJson } from '@decision-ledger/proof/gate';
import { type Static, Type } from 'typebox';
import type { SourceProblem } from '../../rules/source-record.js';
import { ConnectorError } from '../call.js';
import type { Connector, Poll, StripeInbox } from '../connector.js';
import { createStripeApi, memberOf, type StripeApi } from './api.js';
import { type Budget, START, type Walk, walkOn } from './walk.js';

/** Requests of a poll for either list. What is left is read by the next ones. */
const MOST_PAGES = 50;
const HOUR = 3600;
const DAY = 24 * HOUR;
/** Balance transactions never change; one may appear a little after a newer one. */
const OVERLAP = HOUR;
/** A payout may fail some days after it was paid, and is reconciled some time after it was made. */
const OPEN = 35 * DAY;

const Place = Type.Union([Type.Integer(), Type.Null()]);
const WalkSchema = Type.Object({
  since: Place,
  newest: Place,
  after: Type.Union([Type.String(), Type.Null()]),
});

const Cursor = Type.Object({
  transactions: WalkSchema,
  payouts: WalkSchema,
  /** The state of the recent payouts when they were read, and their times. */
  known: Type.Record(Type.String(), Type.Object({ state: Type.String(), created: Type.Integer() })),
});
type Cursor = Static<typeof Cursor>;
const checkCursor = checker(Cursor, 'cursor');

/**
 * Reads balance transactions, and payouts with what they consist of, by Stripe's API. What is read goes to the inbox of
 * Stripe's webhook: the poll itself finds no records.
 */
export const stripe: Connector<'stripe'> = {
  ...ACCOUNTING.stripe,
  create(connection, { outbound, stripe: inbox }) {
    const api = createStripeApi(outbound, connection);
    return {
      async poll(cursor) {
        requireMode(connection.api_key, inbox);
        return poll(api, inbox, cursor === null ? null : checkCursor(parseJson(cursor)));
      },
    };
  },
};

function requireMode(key: string, { mode }: StripeInbox): void {
  if (key.startsWith(`rk_${mode}_`)) return;
  throw new ConnectorError(
    `the API key is not of ${mode} mode, as this ledger is: enter one that begins with rk_${mode}_`,
    { isTemporary: false },
  );
}

async function poll(api: StripeApi, inbox: StripeInbox, cursor: Cursor | null): Promise<Poll> {
  const budget: Budget = { pages: MOST_PAGES };
  const problems: SourceProblem[] = [];
  const known = new Map(Object.entries(cursor?.known ?? {}));
  const payouts = await walkOn(cursor?.payouts ?? START, {
    budget,
    overlap: OPEN,
    list: (createdFrom, after) => api.list('payouts', within(createdFrom), after),
    handle: (items) => readPayouts(items, { api, inbox, budget, known, problems }),
  });
  const transactions = await walkOn(cursor?.transactions ?? START, {
    budget: { pages: MOST_PAGES },
    overlap: OVERLAP,
    list: (createdFrom, after) => {
      const query = { ...within(createdFrom), expand: 'data.source' };
      return api.list('balance_transactions', query, after);
    },
    handle: async (items) => {
      problems.push(...(await inbox.keepTransactions(items)));
      return items.length;
    },
  });
  const oldest = (payouts.newest ?? payouts.since ?? 0) - OPEN;
  const recent = [...known].filter(([, { created }]) => created >= oldest);
  const next: Cursor = { transactions, payouts, known: Object.fromEntries(recent) };
  return {
    ...{ records: [], problems, isComplete: false },
    cursor: JSON.stringify(next),
    notes: isDone(payouts) && isDone(transactions) ? [] : [UNFINISHED],
  };
}

const UNFINISHED =
  'There is more at Stripe than one poll reads: the next ones go on with what is older. Fees and payouts are not complete ' +
  'until then.';

const isDone = ({ after, newest }: Walk) => after === null && newest === null;

const within = (createdFrom: number | undefined) =>
  createdFrom === undefined ? {} : { createdFrom };

interface Reading {
  readonly api: StripeApi;
  readonly inbox: StripeInbox;
  readonly budget: Budget;
  readonly known: Map<string, { readonly state: string; readonly created: number }>;
  readonly problems: SourceProblem[];
}

/** Reads the payouts that are new or have changed. One that is begun is read to its end. */
async function readPayouts(items: readonly unknown[], reading: Reading): Promise<number> {
  const { api, inbox, budget, known, problems } = reading;
  for (const [index, item] of items.entries()) {
    const [id, created] = [memberOf(item, 'id'), memberOf(item, 'created')];
    if (typeof id !== 'string' || typeof created !== 'number') continue;
    const state = `${memberOf(item, 'status')} ${memberOf(item, 'reconciliation_status')}`;
    if (known.get(id)?.state === state) continue;
    if (budget.pages <= 0) return index;
    // Stripe says what a payout consists of only if it made it itself.
    const contents = memberOf(item, 'automatic') === true ? pagesOf(api, budget, id) : null;
    problems.push(...(await inbox.keepPayout(item, contents)));
    known.set(id, { state, created });
  }
  return items.length;
}

async function* pagesOf(
  api: StripeApi,
  budget: Budget,
  payout: string,
): AsyncGenerator<readonly unknown[]> {
  let after: string | null = null;
  for (let hasMore = true; hasMore; ) {
    budget.pages -= 1;
    const page = await api.list('balance_transactions', { payout, expand: 'data.source' }, after);
    yield page.items;
    hasMore = page.hasMore && page.items.length > 0;
    const last = memberOf(page.items.at(-1), 'id');
    after = typeof last === 'string' ? last : null;
  }
}
