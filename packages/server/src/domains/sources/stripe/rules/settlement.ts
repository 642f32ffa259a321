import { formatTimestamp } from '@decision-ledger/contract/time';
import { fromStripeUnits, readCurrency } from './amount.js';
import { movementsOf, type SETTLED, type StripeMovement } from './movements.js';
import { latestPayout, type PartOfPayout, type Payout, sumOf } from './payout.js';
import { readStripeEvent, type StripeEvent, transactionsOf } from './stripe-event.js';
import { kindOf, type Transaction, type TransactionKind } from './transaction.js';

/** What was received and read of one charge, of a payout, or of what is neither. */
export interface StripeRecords {
  readonly events: readonly StripeEvent[];
  readonly transactions: readonly Transaction[];
  readonly parts: readonly PartOfPayout[];
  readonly payouts: readonly Payout[];
}

/** A balance transaction, whoever told it. */
interface Settlement
  extends Pick<Transaction, 'id' | 'created' | 'currency' | 'amount' | 'fee' | 'net'> {
  readonly exchange_rate: number | null;
  readonly kind: TransactionKind;
  readonly type: string;
  readonly source: string | null;
  readonly charge: string | null;
  readonly payout: string | null;
}

/**
 * All movements that follow from records: those of the money that customers paid, with what was settled of it, and those of
 * the account. Order and repetition do not matter.
 */
export function movementsIn(records: StripeRecords): StripeMovement[] {
  const told = records.transactions.flatMap(({ event }) =>
    event === null ? [] : [readStripeEvent(Object(event))],
  );
  const settlements = settlementsIn(records);
  const paid = movementsOf([...records.events, ...told]).map((movement) => {
    const own = settlements.filter((one) => isOf(one, movement));
    return { ...movement, metadata: { ...movement.metadata, ...settledMetadata(own) } };
  });
  const payout = latestPayout(records.payouts);
  return [
    ...paid,
    ...settlements.flatMap(feeOf),
    ...settlements.flatMap(inAccount),
    ...(payout === null ? [] : [movementOfPayout(payout)]),
  ];
}

function settlementsIn({ events, transactions, parts }: StripeRecords): Settlement[] {
  const payouts = new Map(parts.map(({ transaction, payout }) => [transaction, payout]));
  const all = [...events.flatMap(settledByDispute), ...transactions.map(settledBy)];
  // What was read from the balance comes last: it says more.
  const known = new Map(
    all.map((one) => [one.id, { ...one, payout: payouts.get(one.id) ?? null }]),
  );
  return [...known.values()].sort((a, b) => a.created - b.created || (a.id < b.id ? -1 : 1));
}

function settledBy(transaction: Transaction): Settlement {
  return { ...transaction, kind: kindOf(transaction), payout: null };
}

function settledByDispute(told: StripeEvent): Settlement[] {
  if (told.about !== 'dispute') return [];
  const { object } = told.event.data;
  const charge = typeof object.charge === 'string' ? object.charge : null;
  return transactionsOf(object).flatMap(({ id, amount, currency, ...rest }): Settlement[] => {
    const { fee, net, created, exchange_rate = null } = rest;
    if (typeof fee !== 'number' || typeof net !== 'number' || typeof created !== 'number')
      return [];
    const kind = amount < 0 ? 'dispute_loss' : 'dispute_recovery';
    const moved = { id, amount, currency, fee, net, created, exchange_rate };
    return [{ ...moved, kind, type: 'adjustment', source: object.id, charge, payout: null }];
  });
}

/** Whether a transaction moved the money of a movement. All of a charge have one charge. */
function isOf({ kind, source }: Settlement, movement: StripeMovement): boolean {
  return kind === movement.kind && (kind === 'charge' || source === movement.external_id);
}

type Settled = { readonly [Name in (typeof SETTLED)[number]]?: string };

/** What is not known is left out: it is never zero. */
function settledMetadata(settlements: readonly Settlement[]): Settled {
  const [first, ...more] = settlements;
  if (first === undefined || more.some(({ currency }) => currency !== first.currency)) return {};
  const currency = readCurrency(first.id, first.currency, first.created);
  const total = (member: 'amount' | 'fee' | 'net') =>
    money(
      settlements.reduce((sum, one) => sum + one[member], 0),
      currency,
    );
  const payouts = [...new Set(settlements.flatMap(({ payout }) => payout ?? []))];
  const rates = [...new Set(settlements.map(({ exchange_rate }) => exchange_rate))];
  const [rate = null] = rates.length === 1 ? rates : [];
  return {
    stripe_balance_transaction: settlements.map(({ id }) => id).join(' '),
    stripe_settled: total('amount'),
    stripe_fee: total('fee'),
    stripe_net: total('net'),
    ...(rate !== null && { stripe_rate: String(rate) }),
    ...(payouts.length > 0 && { stripe_payout: payouts.join(' ') }),
  };
}

/** With its currency, so that it is not taken for a reference. */
const money = (amount: number, currency: string) =>
  `${fromStripeUnits(amount, currency)} ${currency}`;

/** A movement of the account itself, which settles nothing else. */
function accountMovement(
  { id, created, currency: code, charge, source, payout }: Settlement,
  { kind, event_type, amount }: Pick<StripeMovement, 'kind' | 'event_type'> & { amount: number },
): StripeMovement {
  const currency = readCurrency(id, code, created);
  return {
    ...{ kind, event_type, currency, external_id: id },
    amount: fromStripeUnits(amount, currency),
    timestamp: formatTimestamp(created * 1000),
    metadata: {
      stripe_object: 'balance_transaction',
      ...(charge !== null && { stripe_charge: charge }),
      ...(source !== null && { stripe_source: source }),
      ...(payout !== null && { stripe_payout: payout }),
    },
  };
}

function feeOf(one: Settlement): StripeMovement[] {
  const amount = one.kind === 'fee' ? one.net : -one.fee;
  return amount === 0 ? [] : [accountMovement(one, { kind: 'fee', event_type: 'fee', amount })];
}

/** The payout itself has a movement of its own. One that comes back leaves the bank. */
function inAccount(one: Settlement): StripeMovement[] {
  const { kind, type, amount } = one;
  if (kind === 'payout_reversal') {
    const movement = accountMovement(one, { kind, event_type: kind, amount: -amount });
    const stripe_settled = money(amount, movement.currency);
    return [{ ...movement, metadata: { ...movement.metadata, stripe_settled } }];
  }
  if (kind !== 'other') return [];
  const event_type = OWN.test(type) ? 'transfer' : type;
  const movement = accountMovement(one, { kind: 'balance', event_type, amount });
  return [{ ...movement, metadata: { ...movement.metadata, stripe_type: type } }];
}

/** Types of transactions whose money stays the organisation's own. */
const OWN = /^(?:transfer|topup|reserve|payment_network_reserve|payout_minimum_balance)/;

/** Money that arrives at the bank is positive: a line of the bank about it has the same amount. */
function movementOfPayout(payout: Payout): StripeMovement {
  const { id, amount, created, status, arrival_date, contents } = payout;
  const currency = readCurrency(id, payout.currency, created);
  const isPending = status === 'pending';
  return {
    ...{ kind: 'payout', event_type: isPending ? 'payout_pending' : 'payout' },
    ...{ currency, external_id: id, amount: fromStripeUnits(isPending ? 0 : amount, currency) },
    timestamp: formatTimestamp(created * 1000),
    metadata: {
      ...{ stripe_object: 'payout', stripe_status: status },
      arrival_date: formatTimestamp(arrival_date * 1000).slice(0, 10),
      ...(isPending && { waiting_amount: fromStripeUnits(amount, currency) }),
      ...(contents !== null && contentsIn(contents, amount, currency)),
    },
  };
}

function contentsIn(
  contents: NonNullable<Payout['contents']>,
  amount: number,
  currency: string,
): Readonly<Record<string, string>> {
  const { transactions, ...sums } = contents;
  const difference = amount - sumOf(contents);
  return {
    payout_transactions: String(transactions),
    ...Object.fromEntries(
      Object.entries(sums).map(([name, sum]) => [`payout_${name}`, money(sum, currency)]),
    ),
    ...(difference !== 0 && { payout_difference: money(difference, currency) }),
  };
}
