import { generator } from './stripe-cash.js';
import { CREATED, charge, dispute, eventOf, type Payload, refund } from './stripe-events.js';
import { type Account, emptyAccount } from './stripe-server.js';

const DAY = 86_400;

/** A shop whose account is settled in euros: some customers pay in dollars. */
export interface Shop {
  readonly account: Account;
  /** What Stripe sends by webhook, in the order of time. */
  readonly events: readonly Payload[];
  /** What the bank received, in cents, by id of the payout. */
  readonly bank: ReadonlyMap<string, number>;
  /** Sums in cents of the account, of everything that was ever paid out. */
  readonly paidOut: { readonly gross: number; readonly fees: number };
}

interface Draft {
  readonly account: Account;
  readonly events: Payload[];
  /** Transactions since the last payout. */
  open: Payload[];
  readonly below: (limit: number) => number;
  readonly name: string;
  count: number;
}

/** @param name makes the ids of the shop its own */
export function shopOf(
  name: string,
  {
    days,
    seed = 1,
    perDay = 3,
  }: { readonly days: number; readonly seed?: number; readonly perDay?: number },
): Shop {
  const below = generator(seed);
  const draft: Draft = { account: emptyAccount(), events: [], open: [], below, name, count: 0 };
  const bank = new Map<string, number>();
  const paidOut = { gross: 0, fees: 0 };
  for (let day = 0; day < days; day += 1) {
    const at = CREATED + day * DAY;
    for (let n = below(perDay + 1); n > 0; n -= 1) sellOnce(draft, at + n * 600);
    if (below(10) === 0)
      book(draft, {
        at: at + 50_000,
        type: 'stripe_fee',
        category: 'fee',
        amount: -(1 + below(900)),
      });
    const isLast = day === days - 1;
    if ((day % 7 === 6 || isLast) && draft.open.length > 0)
      payOut(draft, at + 80_000, { bank, paidOut });
  }
  return { account: draft.account, events: draft.events, bank, paidOut };
}

interface Booking {
  readonly at: number;
  readonly type: string;
  readonly category: string;
  readonly amount: number;
  readonly fee?: number;
  readonly rate?: number | null;
  readonly source?: Payload;
}

function book(
  draft: Draft,
  { at, type, category, amount, fee = 0, rate = null, source }: Booking,
): Payload {
  draft.count += 1;
  const transaction: Payload = {
    ...{ id: `txn_${draft.name}_${draft.count}`, object: 'balance_transaction', amount, fee },
    ...{ available_on: at + 2 * DAY, balance_type: 'payments', created: at, currency: 'eur' },
    ...{ description: null, exchange_rate: rate, fee_details: [], net: amount - fee, type },
    ...{
      reporting_category: category,
      status: 'available',
      source: String(source?.id ?? '') || null,
    },
  };
  if (source !== undefined) draft.account.objects.set(String(source.id), source);
  draft.account.transactions.push(transaction);
  draft.open.push(transaction);
  return transaction;
}

/** A sale, which may be refunded or disputed. */
function sellOnce(draft: Draft, at: number): void {
  const { below, events, name } = draft;
  const n = `${name}_${draft.count}`;
  const amount = 500 + below(20_000);
  const [currency, rate] = below(3) === 0 ? ['usd', 0.9213] : ['eur', null];
  const settled = (part: number) => Math.round(part * (rate ?? 1));
  const ids = { charge: `ch_${n}`, payment_intent: `pi_${n}`, customer: null };
  const paid = charge({ id: ids.charge, amount, currency, payment_intent: ids.payment_intent });
  const fee = 25 + Math.round(settled(amount) * 0.015);
  book(draft, {
    at,
    type: 'charge',
    category: 'charge',
    amount: settled(amount),
    fee,
    rate,
    source: paid,
  });
  events.push(eventOf('charge.succeeded', paid, { created: at }));
  const fate = below(10);
  if (fate === 0) {
    const back = 100 + below(amount - 100);
    const source = {
      ...refund({ ...ids, id: `re_${n}`, amount: back, currency }),
      created: at + 90,
    };
    book(draft, {
      at: at + 90,
      type: 'refund',
      category: 'refund',
      amount: -settled(back),
      rate,
      source,
    });
    events.push(eventOf('refund.created', source, { created: at + 90 }));
  }
  if (fate === 1) {
    const source = dispute({ ...ids, id: `du_${n}`, amount, currency });
    const lost = {
      at: at + 120,
      type: 'adjustment',
      category: 'dispute',
      amount: -settled(amount),
      fee: 2000,
    };
    const moved = book(draft, { ...lost, rate, source });
    const told = { ...source, balance_transactions: [moved] };
    draft.account.objects.set(String(source.id), told);
    events.push(eventOf('charge.dispute.funds_withdrawn', told, { created: at + 120 }));
  }
}

function payOut(
  draft: Draft,
  at: number,
  {
    bank,
    paidOut,
  }: { readonly bank: Map<string, number>; readonly paidOut: { gross: number; fees: number } },
): void {
  const { account, name } = draft;
  const parts = draft.open;
  const net = parts.reduce((sum, one) => sum + Number(one.net), 0);
  const id = `po_${name}_${bank.size}`;
  const payout: Payload = {
    ...{ id, object: 'payout', amount: net, arrival_date: at + DAY, automatic: true, created: at },
    ...{ balance_transaction: null, currency: 'eur', description: 'STRIPE PAYOUT', livemode: true },
    ...{ method: 'standard', metadata: {}, reconciliation_status: 'completed', status: 'paid' },
    type: 'bank_account',
  };
  const own = book(draft, { at, type: 'payout', category: 'payout', amount: -net, source: payout });
  account.payouts.push(payout);
  account.contents.set(
    id,
    [...parts, own].map((one) => String(one.id)),
  );
  bank.set(id, net);
  paidOut.gross += parts.reduce((sum, one) => sum + Number(one.amount), 0);
  paidOut.fees += parts.reduce((sum, one) => sum + Number(one.fee), 0);
  draft.open = [];
}
