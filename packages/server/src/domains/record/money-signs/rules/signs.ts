import type {
  LinkType,
  LinkTypeRow,
  MoneySignSettings,
} from '@decision-ledger/contract/money-signs';
import type { MoneyKind } from '@decision-ledger/contract/source-profiles';
import { kindRowOf } from './profiles.js';
import { wordsOfEventType } from './words.js';

/** What the type of an event depends on. */
export interface TypedEvent {
  readonly source: string;
  readonly event_type: string;
  /** Decimal text, as recorded. */
  readonly amount: string;
}

/** The link type of an event, and the sign that it counts with while no person's link says otherwise; 0: nobody knows. */
export interface Classified extends Directed {
  /** 0 for an amount of zero, and of a source without signs for a type that no row knows. */
  readonly countedSign: Sign;
}

/**
 * The link type of an event: by the sign of its amount, then by the first row whose words its type has.
 * Of a source without signs, and of an amount of zero, the row alone decides, with the kind that a profile gives the
 * event type. Where there is neither, nobody knows the direction of such an amount: it counts nothing until a row, a
 * profile or a link of a person says it.
 */
export function classifyEvent(settings: MoneySignSettings, event: TypedEvent): Classified {
  const own = signOf(event.amount);
  const isUnsigned = settings.unsigned_sources.includes(event.source);
  const isByRow = isUnsigned || own === 0;
  const row = isByRow ? directionOfType(settings, event) : rowOf(settings, event, own);
  if (row === null) {
    const countedSign = isUnsigned ? 0 : own;
    return { link_type: own < 0 ? 'cost' : 'revenue', reversal: false, countedSign };
  }
  const countedSign = isUnsigned && own !== 0 ? signOfRow(row) : own;
  return { ...row, countedSign };
}

/** The direction of the money of each kind; of the others, none. */
const DIRECTIONS: ReadonlyMap<MoneyKind, Directed> = new Map<MoneyKind, Directed>([
  ['sale', { link_type: 'revenue', reversal: false }],
  ['refund', { link_type: 'refund', reversal: false }],
  ['fee', { link_type: 'cost', reversal: false }],
  ['tax', { link_type: 'cost', reversal: false }],
  ['cost', { link_type: 'cost', reversal: false }],
  ['payout', { link_type: 'cost', reversal: false }],
  ['dispute', { link_type: 'loss', reversal: false }],
  ['recovery', { link_type: 'loss', reversal: true }],
]);

/** By a ledger's own row; else by a default one, unless a profile says that the event type is of another kind. */
function directionOfType(settings: MoneySignSettings, event: TypedEvent): Directed | null {
  const own = rowOf({ ...settings, default_link_types: [] }, event, null);
  if (own !== null) return own;
  const row = rowOf(settings, event, null);
  const { source, event_type } = event;
  const profiled = kindRowOf(settings, { source, event_type, metadata: null });
  const said = profiled === null ? undefined : DIRECTIONS.get(profiled.kind);
  return said === undefined || said.link_type === row?.link_type ? row : said;
}

/** @param sign null for a row of either direction */
export function rowOf(
  { link_types, default_link_types }: MoneySignSettings,
  { source, event_type }: TypedEvent,
  sign: Sign | null,
): Directed | null {
  const words = new Set(wordsOfEventType(event_type));
  const applies = (row: LinkTypeRow): boolean =>
    (row.source === undefined || row.source === source) &&
    (sign === null || signOfRow(directionOf(row)) === sign) &&
    row.words.every((word) => words.has(word));
  const row = link_types.find(applies) ?? default_link_types.find(applies);
  return row === undefined ? null : directionOf(row);
}

function directionOf({ link_type, reversal = false }: LinkTypeRow): Directed {
  return { link_type, reversal };
}

function signOfRow(row: Directed): 1 | -1 {
  return isOutgoing(row) ? -1 : 1;
}

/**
 * The amount of an event with the sign that all its parts count with, if it counts. Links of people decide it: a cost,
 * refund or loss makes it negative, or positive where it is a reversal; revenue and savings keep the
 * event's own sign, and so do links that disagree. Without such a link, the event type decides for a
 * source without signs, and the event's own sign for any other, and where nobody knows.
 * @param human the live links that people created or confirmed
 * @returns decimal text with the digits of the amount
 */
export function signedAmount(
  settings: MoneySignSettings,
  event: TypedEvent,
  human: readonly Directed[],
): string {
  const [first] = human;
  if (first === undefined)
    return withSign(event.amount, classifyEvent(settings, event).countedSign);
  const agree = human.every(
    (link) => mayReverse(link.link_type) && link.reversal === first.reversal,
  );
  if (!agree) return event.amount;
  return withSign(event.amount, isOutgoing(first) ? -1 : 1);
}

/**
 * Whether two links say opposite things of the direction of an event's money, so that people may not
 * make both.
 * @param amount of the event, decimal text
 */
export function areOpposite(one: Directed, other: Directed, amount: string): boolean {
  return (
    isOutgoing(one) !== isOutgoing(other) || signUnder(one, amount) !== signUnder(other, amount)
  );
}

function signUnder(link: Directed, amount: string): number {
  const own = signOf(amount);
  if (own === 0 || !mayReverse(link.link_type)) return own;
  return isOutgoing(link) ? -1 : 1;
}

/** What a link says of the direction of money. */
export interface Directed {
  readonly link_type: LinkType;
  readonly reversal: boolean;
}

/** Whether money leaves: a cost, a refund or a loss that is not taken back. */
function isOutgoing({ link_type, reversal }: Directed): boolean {
  return mayReverse(link_type) && !reversal;
}

/**
 * The type of a link of a reversal that is taken from what it reverses: what was sold is refunded, and a cost is taken back. A
 * dispute stays a loss. Where the money of the reversal goes the other way, its own type says what it is.
 * @param own of the reversal
 * @param times how often it reverses: a refund that failed reverses a reversal
 */
export function reversalOf(reversed: Directed, own: Classified, times: 1 | 2): Directed {
  const { countedSign, ...type } = own;
  const once = takenBack(reversed);
  const taken = times === 1 ? once : takenBack(once);
  const isOpposite = countedSign !== 0 && countedSign < 0 === isOutgoing(taken);
  return isOpposite && type.link_type !== 'loss' ? taken : type;
}

function takenBack({ link_type, reversal }: Directed): Directed {
  return mayReverse(link_type)
    ? { link_type, reversal: !reversal }
    : { link_type: 'refund', reversal: false };
}

/** Whether a link of this type can be a reversal. */
export function mayReverse(linkType: LinkType): boolean {
  return linkType === 'cost' || linkType === 'refund' || linkType === 'loss';
}

type Sign = 1 | 0 | -1;

const ZERO = /^-?0+(?:\.0+)?$/;

/** @param amount decimal text */
function signOf(amount: string): Sign {
  if (ZERO.test(amount)) return 0;
  return amount.startsWith('-') ? -1 : 1;
}

/** The amount with another sign, and the same digits; as it is with the sign 0. Zero keeps none. */
export function withSign(amount: string, sign: Sign): string {
  if (sign === 0) return amount;
  const magnitude = amount.startsWith('-') ? amount.slice(1) : amount;
  return sign < 0 && signOf(amount) !== 0 ? `-${magnitude}` : magnitude;
}
