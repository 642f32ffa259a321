import type { LinkTypeRow, MoneySignSettings } from '@decision-ledger/contract/money-signs';
import { type Directed, isOutgoing } from './direction.js';
import { type Sign, signOf } from './sign.js';
import { wordsOfEventType } from './words.js';

/** What the type of an event depends on. */
export interface TypedEvent {
  readonly source: string;
  readonly event_type: string;
  /** Decimal text, as recorded. */
  readonly amount: string;
}

/** The link type of an event, and the sign that it counts with while no person's link says otherwise. */
export interface Classified extends Directed {
  /** 0 for an amount of zero. */
  readonly countedSign: Sign;
}

/**
 * The link type of an event: by the sign of its amount, then by the first row whose words its type has.
 * Of a source without signs, and of an amount of zero, the row alone decides.
 */
export function classifyEvent(settings: MoneySignSettings, event: TypedEvent): Classified {
  const own = signOf(event.amount);
  const isUnsigned = settings.unsigned_sources.includes(event.source);
  const row = isUnsigned || own === 0 ? rowOf(settings, event, null) : rowOf(settings, event, own);
  if (row === null) {
    return { link_type: own < 0 ? 'cost' : 'revenue', reversal: false, countedSign: own };
  }
  const countedSign = isUnsigned && own !== 0 ? signOfRow(row) : own;
  return { ...row, countedSign };
}

/** @param sign null for a row of either direction */
function rowOf(
  { link_types, default_link_types }: MoneySignSettings,
  { source, event_type }: TypedEvent,
  sign: Sign | null,
): Directed | null {
  const words = wordsOfEventType(event_type);
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
