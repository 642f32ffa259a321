import type { MoneySignSettings } from '@decision-ledger/contract/money-signs';
import { JsonObject } from '@decision-ledger/contract/shared';
import type { MoneyKind, MoneyState } from '@decision-ledger/contract/source-profiles';
import { checker } from '@decision-ledger/contract/validation';
import { parseJson } from '@decision-ledger/proof/gate';
import type { Static } from 'typebox';
import { kindRowOf } from './profiles.js';
import { classifyEvent, type Directed, rowOf, type TypedEvent } from './signs.js';
import { wordsOfEventType } from './words.js';

/** What kind and state follow from. */
export interface KnownReport extends TypedEvent {
  /** Null for none. */
  readonly metadata: Readonly<Record<string, unknown>> | null;
}

/** What a report says of its money. */
interface Classification {
  readonly kind: MoneyKind;
  readonly state: MoneyState;
}

/**
 * Kind and state of a report: by the first row that applies of the profiles of its source. Without one, the money moved,
 * and the words of the event type say its kind. Money whose direction nobody knows is unclassified, if it moved between
 * others.
 */
export function classifyReport(signs: MoneySignSettings, report: KnownReport): Classification {
  const row = kindRowOf(signs, report);
  const kind = row?.kind ?? kindOfWords(rowOf(signs, report, null), report);
  const state = row?.state ?? 'moved';
  if (state !== 'moved' || isBetweenOwn(kind) || isZero(report.amount)) return { kind, state };
  const isKnown = classifyEvent(signs, report).countedSign !== 0;
  return { kind, state: isKnown ? 'moved' : 'unclassified' };
}

const checkMetadata = checker(JsonObject, 'metadata');

/** The metadata of an event. @param metadata as it is stored: canonical JSON */
export function readMetadata(metadata: string | null): Static<typeof JsonObject> | null {
  return metadata === null ? null : checkMetadata(parseJson(metadata));
}

/** Kind and direction of the money of a report. */
interface Money {
  readonly kind: MoneyKind;
  /** Whether it stays between accounts of one's own. */
  readonly isOwn: boolean;
  /** 0 if nothing says it, and if it did not move: that is not the same money as what did. */
  readonly sign: 1 | 0 | -1;
}

export function moneyOf(signs: MoneySignSettings, report: KnownReport): Money {
  const { kind, state } = classifyReport(signs, report);
  const sign = state === 'moved' ? classifyEvent(signs, report).countedSign : 0;
  return { kind, isOwn: isBetweenOwn(kind), sign };
}

/** Whether money of a kind stays between accounts of one's own. */
export function isBetweenOwn(kind: MoneyKind): boolean {
  return kind === 'payout' || kind === 'transfer';
}

const isZero = (amount: string): boolean => !/[1-9]/.test(amount);

/** The kind by the words of an event type: never one that does not count. */
function kindOfWords(row: Directed | null, { event_type }: TypedEvent): MoneyKind {
  if (row === null) return 'other';
  const words = new Set(wordsOfEventType(event_type));
  const has = (...some: readonly string[]) => some.some((word) => words.has(word));
  switch (row.link_type) {
    case 'revenue':
      return 'sale';
    case 'refund':
      return 'refund';
    case 'cost':
      return has('fee', 'fees') ? 'fee' : has('tax', 'taxes') ? 'tax' : 'cost';
    case 'loss':
      // A fee of a dispute is lost with it, and is not what was disputed.
      if (has('fee', 'fees')) return 'fee';
      if (row.reversal) return 'recovery';
      return has('dispute', 'disputed', 'chargeback', 'chargebacks') ? 'dispute' : 'other';
    case 'saving':
      return 'other';
  }
}
