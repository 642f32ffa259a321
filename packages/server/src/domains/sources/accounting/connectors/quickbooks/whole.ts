import type { JsonValue } from '@decision-ledger/proof/gate';
import { Big } from 'big.js';
import type { Basis, Whole } from '../../rules/whole.js';
import { toAmount } from '../take-event.js';

/** What is read of an object for the transaction that its event states. */
export interface WholeFields {
  readonly TxnTaxDetail?: { readonly TotalTax?: string | null } | null;
  readonly ExchangeRate?: string | null;
  readonly HomeTotalAmt?: string | null;
  readonly Line?: readonly LinkedLine[] | null;
}

interface LinkedLine {
  readonly Amount?: string | null;
  readonly LinkedTxn?: readonly { readonly TxnId: string; readonly TxnType: string }[] | null;
}

export interface WholeMoney {
  /** Of the whole, as money to the organisation. */
  readonly total: string;
  readonly currency: string;
  readonly sign: 1 | -1;
  readonly basis: Basis;
}

/** Transactions that lower what a payment pays. */
const CREDITS: ReadonlySet<string> = new Set(['CreditMemo', 'VendorCredit']);

/** The transaction of an event: its amounts, and for a payment what it settles. */
export function showWhole(fields: WholeFields, money: WholeMoney) {
  const { total, currency, sign, basis } = money;
  const tax = toAmount(fields.TxnTaxDetail?.TotalTax ?? '', sign);
  const whole: Whole = {
    total,
    ...(tax === null ? {} : { tax, untaxed: new Big(total).minus(tax).toFixed() }),
    ...(basis === 'accrual' ? { due: total } : { settled: total }),
  };
  const settles = basis === 'settlement' ? settledBy(fields.Line ?? [], sign) : [];
  const transaction: JsonValue = {
    ...{ currency, ...whole },
    ...stated('exchange_rate', fields.ExchangeRate, 1),
    ...stated('home_total', fields.HomeTotalAmt, sign),
    ...(settles.length === 0 ? {} : { settles }),
  };
  return { basis, transaction };
}

function stated(name: string, text: string | null | undefined, sign: 1 | -1) {
  const amount = toAmount(text ?? '', sign);
  return amount === null ? {} : { [name]: amount };
}

function settledBy(lines: readonly LinkedLine[], sign: 1 | -1) {
  return lines.flatMap(({ Amount, LinkedTxn }) => {
    const [linked, ...others] = LinkedTxn ?? [];
    if (linked === undefined || others.length > 0) return [];
    const isCredit = CREDITS.has(linked.TxnType);
    const amount = toAmount(Amount ?? '', isCredit ? (sign === 1 ? -1 : 1) : sign);
    const transaction = `${linked.TxnType}/${linked.TxnId}`;
    return amount === null ? [] : [{ transaction, amount }];
  });
}
