import { checker } from '@decision-ledger/contract/validation';
import { Big } from 'big.js';
import { type Static, Type } from 'typebox';
import type { SourceEvent } from '../../rules/source-record.js';
import { type Basis, type Part, type Role, type Whole, wholeOf } from '../../rules/whole.js';
import { toAmount } from '../take-event.js';
import type { AccountRoles } from './accounts.js';

const Text = Type.Optional(Type.Union([Type.String(), Type.Null()]));
const Account = Type.Optional(
  Type.Object({ AccountRef: Type.Object({ value: Type.String(), name: Text }), PostingType: Text }),
);
const Line = Type.Object({
  Id: Text,
  Amount: Text,
  Description: Text,
  LinkedTxn: Type.Optional(Type.Array(Type.Unknown())),
  DepositLineDetail: Account,
  JournalEntryLineDetail: Account,
});
type Line = Static<typeof Line>;
const checkLines = checker(
  Type.Object({
    Line: Type.Optional(Type.Array(Line)),
    TotalAmt: Text,
    CashBack: Type.Optional(Type.Object({ Amount: Text })),
  }),
  'object',
);

/** A line of income or cost that has an event of its own. */
export interface ResultLine {
  readonly id: string;
  readonly event: Pick<SourceEvent, 'event_type' | 'amount'> & { readonly account: string };
  readonly description: string | null;
}

export interface ReadLines {
  readonly results: readonly ResultLine[];
  readonly basis: Basis;
  readonly whole: Whole;
  /** The deposit itself, if it repeats payments that have events: what was paid, kept as a fee, and received. */
  readonly deposit: Whole | null;
}

/**
 * The lines of income and cost of a journal entry or a deposit. A line of a deposit that is linked repeats a payment; any other
 * one is money of its own, such as the fee that a processor kept.
 * @throws Error, whose message is the reason, if a line cannot be read
 */
export function readLines(
  entity: 'Deposit' | 'JournalEntry',
  object: unknown,
  roles: AccountRoles,
): ReadLines | { readonly problem: string } {
  const { Line: lines = [], TotalAmt, CashBack } = checkLines(object);
  const postings: Posting[] = [];
  for (const [index, line] of lines.entries()) {
    const posting = postingOf({ ...line, Id: line.Id ?? `line ${index + 1}` }, roles);
    if (posting === null) continue;
    if ('problem' in posting) return posting;
    postings.push(posting);
  }
  const received = [TotalAmt, CashBack?.Amount].flatMap((text): Part[] => {
    const amount = toAmount(text ?? '', 1);
    return amount === null ? [] : [{ role: 'money', amount }];
  });
  const parts = [...postings, ...(entity === 'Deposit' ? received : [])];
  const { whole, basis } = wholeOf(parts);
  const isCash = parts.some(({ role }) => role === 'money');
  return {
    results: postings.flatMap(resultOf),
    basis: basis ?? (isCash ? 'own_accounts' : 'accrual'),
    whole,
    deposit: entity === 'Deposit' && lines.some(isLinked) ? depositOf(postings, TotalAmt) : null,
  };
}

function depositOf(postings: readonly Posting[], received: string | null | undefined): Whole {
  const repeated = postings.filter(({ line }) => isLinked(line)).map(({ amount }) => amount);
  const fees = postings.flatMap(({ role, amount }) => (role === 'fee' ? [amount] : []));
  const settled = toAmount(received ?? '', 1);
  return {
    total: creditOf(repeated),
    ...(fees.length === 0 ? {} : { fee: creditOf(fees) }),
    ...(settled === null ? {} : { settled }),
  };
}

function creditOf(amounts: readonly string[]): string {
  return amounts.reduce((sum, amount) => sum.minus(amount), new Big(0)).toFixed();
}

interface Posting extends Part {
  readonly line: Line;
  readonly account: string;
}

const isLinked = ({ LinkedTxn }: Line) => (LinkedTxn ?? []).length > 0;

/** A line as debit (+) or credit (-) to its account; null for one that is only text. */
function postingOf(line: Line, roles: AccountRoles): Posting | { readonly problem: string } | null {
  const { Amount, DepositLineDetail: deposit, JournalEntryLineDetail: entry } = line;
  const detail = entry ?? deposit;
  const amount = toAmount(Amount ?? '', entry?.PostingType === 'Debit' ? 1 : -1);
  if (isLinked(line) && entry === undefined) {
    return amount === null ? null : { role: 'money', amount, line, account: '' };
  }
  if (detail === undefined) return null;
  const { value, name } = detail.AccountRef;
  if (amount === null) return { problem: `Amount ${Amount} of line ${line.Id} is not an amount` };
  const role = roles.get(value);
  if (role === undefined) return { problem: `account ${value} of line ${line.Id} is unknown` };
  return { role, amount, line, account: name ?? value };
}

const RESULTS: ReadonlySet<Role> = new Set<Role>(['income', 'cost', 'fee']);

function resultOf({ role, amount, line, account }: Posting): ResultLine[] {
  const received = toAmount(amount, -1);
  if (!RESULTS.has(role) || received === null || received === '0') return [];
  const event = {
    event_type: role === 'income' ? 'revenue' : 'expense',
    ...{ amount: received, account },
  };
  return [{ id: line.Id ?? '', event, description: line.Description ?? null }];
}
