import { sha256Hex } from '@decision-ledger/proof/hash';
import {
  type AccountKind,
  accountKind,
  isGenerated,
  isPaidEarly,
  isWanted,
  ownTags,
  roleOf,
  tagMetadata,
} from '../../rules/hledger.js';
import type {
  ProblemSubject,
  SourceProblem,
  SourceRecord,
  Traits,
} from '../../rules/source-record.js';
import type { Basis } from '../../rules/whole.js';
import { takeEvent, toAmount, toCurrency, toDescription, toTimestamp } from '../take-event.js';
import { readPaidTaxes } from './paid-tax.js';
import {
  type Amount,
  isRounded,
  type JournalTransaction,
  type Posting,
  placeOf,
  ROUNDED_PLACES,
} from './transactions.js';
import { readWhole } from './whole.js';

/** A key is a name, and a number of up to nine characters. */
const NAME_CHARS = 200 - '/99999999'.length;

/** The settings of a connection that say what is read. */
export interface Reading {
  readonly accounts: readonly string[] | undefined;
  readonly commodities: Readonly<Record<string, string>> | undefined;
}

export interface Movements {
  readonly records: readonly SourceRecord[];
  readonly problems: readonly SourceProblem[];
}

/**
 * Each amount other than zero of each real posting to a selected account. Virtual postings (in brackets) move no money,
 * and what `--forecast` and `--auto` generate is not in the books.
 */
export function readMovements(journal: readonly JournalTransaction[], reading: Reading): Movements {
  const transactions = journal.filter(({ ttags }) => !isGenerated(ttags));
  const records: SourceRecord[] = [];
  const problems: SourceProblem[] = [];
  const paidTax =
    reading.accounts === undefined ? readPaidTaxes(transactions, reading.commodities) : () => null;
  for (const transaction of transactions) {
    const taxOf = (currency: string) => paidTax(transaction, currency);
    const whole = readWhole(transaction, reading.commodities, taxOf);
    const moved = reading.accounts === undefined ? movedIn(transaction, reading) : NONE;
    for (const posting of transaction.tpostings) {
      const kind = accountKind(posting.paccount, posting.ptags, posting.pcomment);
      if (posting.ptype !== 'RegularPosting' || isGenerated(posting.ptags)) continue;
      const settled = settlementOf(posting, kind, reading);
      const isChosen = isWanted(posting.paccount, kind, reading.accounts);
      for (const amount of posting.pamount.filter(({ aquantity }) => !isZero(aquantity))) {
        const basis = basisIn(whole, amount, reading);
        const isMoved = basis === 'own_accounts' && moved.has(amount);
        if (settled === null ? !isChosen && !isMoved : !paysDue(basis)) continue;
        const movement = { transaction, whole, posting, kind: settled ?? kind, amount };
        const taken = takeMovement(movement, reading);
        if ('reason' in taken) problems.push(taken);
        else records.push(taken);
      }
    }
  }
  return { records, problems };
}

const NONE: ReadonlySet<Amount> = new Set();
const RECEIVED: AccountKind = { eventType: 'payment', sign: -1 };
const PAID: AccountKind = { eventType: 'bill_payment', sign: -1 };

/**
 * Where accounts are not chosen, what is owed is read too, because income that is owed, or was paid before, has
 * not moved: its payment has.
 * @returns null for any other posting
 */
function settlementOf(
  { paccount, ptags }: Posting,
  kind: AccountKind,
  { accounts }: Reading,
): AccountKind | null {
  if (accounts !== undefined || roleOf(paccount, kind, ptags) !== 'due') return null;
  return kind.eventType === 'liability' && !isPaidEarly(paccount, kind) ? PAID : RECEIVED;
}

/** Whether money moved beside what is owed. In a sale that is paid in part, the rest is taken off until it is paid. */
const paysDue = (basis: Basis | undefined): boolean => basis === 'settlement' || basis === 'mixed';

const basisIn = (
  whole: ReturnType<typeof readWhole>,
  { acommodity }: Amount,
  { commodities }: Reading,
) => whole(toCurrency(acommodity, commodities) ?? acommodity).basis;

/**
 * What says where money went with which nothing was earned or spent: in each commodity the accounts that it reached, or else those
 * that it left.
 */
function movedIn({ tpostings }: JournalTransaction, { commodities }: Reading): ReadonlySet<Amount> {
  const money = tpostings
    .filter(({ paccount, ptags, pcomment, ptype }) => {
      const role = roleOf(paccount, accountKind(paccount, ptags, pcomment), ptags);
      return ptype === 'RegularPosting' && role === 'money';
    })
    .flatMap(({ pamount }) => pamount)
    // What was bought for it, such as shares, is no money.
    .filter(({ acommodity }) => toCurrency(acommodity, commodities) !== null);
  const isLeft = ({ aquantity }: Amount) => aquantity.decimalMantissa.startsWith('-');
  const reached = money.filter((amount) => !isLeft(amount) && !isZero(amount.aquantity));
  const known = new Set(reached.map(({ acommodity }) => acommodity));
  const left = money.filter((one) => isLeft(one) && !known.has(one.acommodity));
  return new Set([...reached, ...left]);
}

function isZero({ decimalMantissa, decimalPlaces }: Amount['aquantity']): boolean {
  return /^-?0+$/.test(decimalMantissa) && !isRounded({ decimalPlaces });
}

interface Movement {
  readonly transaction: JournalTransaction;
  readonly whole: ReturnType<typeof readWhole>;
  readonly posting: Posting;
  readonly kind: AccountKind;
  readonly amount: Amount;
}

function takeMovement(movement: Movement, reading: Reading): SourceRecord | SourceProblem {
  const { transaction, posting, amount } = movement;
  const where = whereOf(transaction, posting);
  const read = readMoney(movement, reading);
  const day = posting.pdate ?? transaction.tdate;
  const traits = {
    ...{ day, account: posting.paccount, code: transaction.tcode },
    text: toDescription(transaction.tdescription).description ?? '',
    money: 'problem' in read ? `${read.amount ?? ''} ${amount.acommodity}` : moneyOf(read),
  };
  const refused = (reason: string) => ({ where, reason, about: { ...nameOf(traits), traits } });
  if ('problem' in read) return refused(read.problem);
  const timestamp = toTimestamp(day);
  if (timestamp === null) return refused(`the date ${day} is not supported`);
  const taken = takeEvent({ ...eventOf(movement, read.currency), ...read, timestamp });
  if ('problem' in taken) return refused(taken.problem);
  return { ...nameOf(traits, taken.fingerprint), where, traits, ...taken };
}

const moneyOf = ({ amount, currency }: Money) => `${amount} ${currency}`;

function whereOf(transaction: JournalTransaction, { paccount }: Posting): string {
  const { tdate, tcode, tdescription, tsourcepos } = transaction;
  const place = placeOf(tsourcepos);
  const code = tcode === '' ? '' : ` (${tcode})`;
  return `${place === null ? '' : `${place}: `}${tdate}${code} ${tdescription}, ${paccount}`;
}

/**
 * hledger numbers transactions by their position in the journal, so a posting is known by its code and account, or else
 * by its content.
 */
function nameOf({ code, account }: Traits, fingerprint = ''): Omit<ProblemSubject, 'traits'> {
  if (code === '') return { name: `content/${fingerprint}`, identity: 'content' };
  const name = `code/${escapePart(code)}/${escapePart(account)}`;
  const short = name.length <= NAME_CHARS ? name : `code/${sha256Hex(name)}`;
  return { name: short, identity: 'code' };
}

function escapePart(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('/', '%2F');
}

interface Money {
  readonly amount: string;
  readonly currency: string;
}

function readMoney(
  { amount: { acommodity, aquantity }, kind }: Movement,
  { commodities }: Reading,
): Money | { readonly problem: string; readonly amount: string | null } {
  if (isRounded(aquantity)) {
    const problem = `hledger-web rounds to ${ROUNDED_PLACES} decimal places: write the amount with fewer`;
    return { problem, amount: null };
  }
  const amount = toAmount(`${aquantity.decimalMantissa}e-${aquantity.decimalPlaces}`, kind.sign);
  if (amount === null) {
    return { problem: 'the amount has more than 20 digits before the point', amount };
  }
  const currency = toCurrency(acommodity, commodities);
  if (currency !== null) return { amount, currency };
  const what = acommodity === '' ? 'an amount without commodity' : `commodity ${acommodity}`;
  const remedy = `name its currency in the settings of the connection: "commodities": {${JSON.stringify(acommodity)}: "…"}`;
  return {
    problem: `${what} is not a currency: use an ISO 4217 code, $, € or £, or ${remedy}`,
    amount,
  };
}

/** The members of an event that every posting has, its tags, and its transaction. */
function eventOf({ transaction, whole, posting, kind }: Movement, currency: string) {
  const { tcode: code, tdescription } = transaction;
  const own = ownTags(posting.ptags, posting.pcomment);
  const shared = ownTags(transaction.ttags, transaction.tcomment).filter(
    // `--auto` marks each transaction that it adds postings to.
    ([name]) =>
      name !== 'modified' || !transaction.tpostings.some(({ ptags }) => isGenerated(ptags)),
  );
  const type = [...own, ...shared].find(([tag, value]) => tag === 'type' && value !== '')?.[1];
  return {
    event_type: type ?? kind.eventType,
    ...(code === '' ? {} : { external_id: code }),
    ...toDescription(tdescription),
    metadata: {
      ...tagMetadata(shared),
      ...tagMetadata(own),
      account: posting.paccount,
      ...(isPending(transaction, posting) ? { status: 'pending' } : {}),
      ...whole(currency),
    },
  };
}

/** Whether a posting is marked `!`, by itself or with its transaction. */
function isPending({ tstatus }: JournalTransaction, { pstatus = 'Unmarked' }: Posting): boolean {
  return (pstatus === 'Unmarked' ? tstatus : pstatus) === 'Pending';
}
