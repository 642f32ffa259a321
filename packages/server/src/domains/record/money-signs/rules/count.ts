import type { MoneySignSettings } from '@decision-ledger/contract/money-signs';
import type { MoneyKind, MoneyState, Standing } from '@decision-ledger/contract/source-profiles';
import {
  isBooks,
  processorOf,
  type StatedReport,
  untaxedAmount,
} from '@decision-ledger/proof/movement';
import { Big } from 'big.js';
import { classifyReport, isBetweenOwn, type KnownReport, moneyOf } from './kinds.js';
import { classifyEvent, type Directed, signedAmount, withSign } from './signs.js';

/** What a report counts with: decimal texts. The sum of both amounts is that of the report, with its sign. */
export interface Counting {
  readonly kind: MoneyKind;
  readonly standing: Standing;
  readonly counted_amount: string;
  readonly uncounted_amount: string;
  /** Of a sale that counts: no report of its movement says what it is without tax. */
  readonly may_include_tax: boolean;
}

/** What the reports of a movement say of its tax. */
interface TaxSaid {
  /** What its amount is without tax: decimal text without sign; null if nothing is taken off. */
  readonly untaxed: string | null;
  /** Whether what counts then has no tax. */
  readonly isKnown: boolean;
}

/**
 * @param lead the report that leads
 * @param stating the reports that state a transaction
 */
export function taxSaid(
  lead: Pick<StatedReport, 'id' | 'amount' | 'currency'>,
  stating: readonly StatedReport[],
): TaxSaid {
  const untaxed = untaxedAmount(lead, stating);
  const own = stating.find(({ id }) => id === lead.id)?.transaction ?? null;
  // One of several postings of income is a part of what has no tax.
  const isUntaxed =
    own?.isPosting === true && new Big(lead.amount).abs().lte(new Big(own.untaxed).abs());
  return { untaxed, isKnown: untaxed !== null || isUntaxed };
}

/** What the counting of a report follows from, besides the report itself. */
interface Said {
  /** The live links of its movement that people created or confirmed. */
  readonly human: readonly Directed[];
  /** Whether another report of its movement leads it, which alone counts. */
  readonly isWitness: boolean;
  readonly tax: TaxSaid;
  /** The other reports of the movement that it leads. */
  readonly witnesses?: readonly KnownReport[];
}

/**
 * Of a movement, the report that leads it counts, and no other one; and only money that moved, to or from others. It counts
 * without tax, where its reports state that. It moved if any report says so, unless the one that leads says that it came back
 * untouched.
 */
export function countReport(
  signs: MoneySignSettings,
  report: KnownReport,
  { human, isWitness, tax, witnesses = [] }: Said,
): Counting {
  const { kind, state } = classifyReport(signs, report);
  const told = toldBy(signs, witnesses);
  const isToldSign = human.length === 0 && classifyEvent(signs, report).countedSign === 0;
  const amount = isToldSign
    ? withSign(report.amount, told.sign)
    : signedAmount(signs, report, human);
  const isOwn = isBetweenOwn(kind) || (isBank(report) && (told.isOwn || told.isOpposed(amount)));
  const hasMoved = state === 'unclassified' ? told.sign !== 0 : state !== 'void' && told.hasMoved;
  const isEarned = told.isEarned && !hasSeenCash(report);
  const reached = isEarned && state === 'moved' ? 'planned' : hasMoved ? 'moved' : state;
  const standing = isWitness ? 'counted_once' : standingOf(reached, isOwn, human.length > 0);
  if (standing !== 'counted') {
    const own = { counted_amount: '0', uncounted_amount: amount };
    return { kind, standing, ...own, may_include_tax: false };
  }
  const { untaxed } = tax;
  const signed = untaxed !== null && amount.startsWith('-') ? `-${untaxed}` : untaxed;
  const counted = signed ?? amount;
  return {
    ...{ kind, standing, counted_amount: counted },
    uncounted_amount: new Big(amount).minus(counted).toFixed(),
    may_include_tax: kind === 'sale' && !tax.isKnown,
  };
}

/** What the other reports of a movement say of its money. */
function toldBy(signs: MoneySignSettings, witnesses: readonly KnownReport[]) {
  const moved = witnesses
    .map((witness) => ({
      ...moneyOf(signs, witness),
      ...{ isLine: isBank(witness), isCash: hasSeenCash(witness) || isBooks(witness.source) },
    }))
    .filter(({ sign }) => sign !== 0);
  const directions = new Set(moved.map(({ sign }) => sign));
  const [direction = 0] = directions;
  return {
    hasMoved: moved.length > 0,
    /** 0 if they contradict each other. */
    sign: directions.size === 1 ? direction : 0,
    isOwn: moved.some(({ isOwn }) => isOwn),
    /** Whether it had been paid before: only books know of it, and nothing that has seen money. */
    isEarned: witnesses.some(isEarnedInBooks) && !moved.some(({ isCash }) => isCash),
    /** Whether a bank has the other side of it: it left one account of one's own, and reached another. */
    isOpposed: (amount: string) =>
      moved.some(({ isLine, sign }) => isLine && sign > 0 === amount.startsWith('-')),
  };
}

/** Books know of what had been paid before, as a voucher, that it is no money again. */
const isEarnedInBooks = ({ source, metadata }: KnownReport): boolean =>
  isBooks(source) && metadata?.basis === 'earned';

const hasSeenCash = (report: KnownReport): boolean =>
  isBank(report) || processorOf(report.source) !== null;

/** A line of a bank does not know what it is the arrival of. */
const isBank = ({ source }: KnownReport): boolean => source.startsWith('bank/');

/** @param isSaid whether people linked the money: so they say its direction */
function standingOf(state: MoneyState, isOwn: boolean, isSaid: boolean): Standing {
  if (state === 'unclassified') return isSaid ? 'counted' : state;
  if (state !== 'moved') return state;
  return isOwn ? 'between_own_accounts' : 'counted';
}
