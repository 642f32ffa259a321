import type { Activity } from '@decision-ledger/client/api/chain';
import { isolated } from '../../format/locale.ts';
import { formatMoney, formatQuantity } from '../../format/numbers.ts';

/** What the activity says last of why an event is of its movement. */
export interface MovementRecord {
  readonly by: string;
  readonly rule: string | null;
  /** Who said so, if a person did and is named. */
  readonly reviewer: string | null;
  readonly actor: string;
  /** RFC 3339. */
  readonly created_at: string;
  /** What the rule compared, by its name. */
  readonly compared: Readonly<Record<string, string>>;
}

/**
 * The last pairing among the changes of an event.
 * @param changes newest first
 */
export function movementRecordOf(changes: readonly Activity[]): MovementRecord | null {
  const last = changes.find(({ type }) => type === 'movement.paired');
  if (last === undefined) return null;
  const data = last.data ?? {};
  const compared = membersOf(data.compared);
  return {
    ...{ by: String(data.by ?? ''), actor: last.actor, created_at: last.created_at },
    rule: typeof data.rule === 'string' ? data.rule : null,
    reviewer: membersOf(data.reviewer).name ?? null,
    compared,
  };
}

function membersOf(value: unknown): Readonly<Record<string, string>> {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      typeof member === 'string' ? [[name, member]] : [],
    ),
  );
}

const RULES: Readonly<Record<string, string>> = {
  same_reference: 'they share a reference',
  repeated: 'one source repeats the other',
  repeated_in_books: 'the books repeat it',
  arrived_at_bank: 'it arrived at the bank',
  sum_by_reference: 'events of one order add up to it',
};

/** In words: who paired the event, and what was compared. */
export function whyPaired({ by, rule, reviewer, compared }: MovementRecord): string {
  if (by === 'person') {
    return reviewer === null ? 'Paired by a person' : `Paired by ${isolated(reviewer)}`;
  }
  if (by !== 'rule') return 'Its movement changed, because another event was deleted or replaced';
  const reason = rule === null ? '' : `: ${RULES[rule] ?? rule}`;
  const found = comparedWords(compared);
  return `Paired by rule${reason}${found === '' ? '' : ` (${found})`}`;
}

function comparedWords(compared: Readonly<Record<string, string>>): string {
  const { reference, amount, currency, other_amount, other_currency, seconds_apart } = compared;
  const own = amount === undefined ? '' : formatMoney(amount, currency ?? '');
  const other =
    other_amount === undefined ? '' : ` and ${formatMoney(other_amount, other_currency ?? '')}`;
  return [
    ...(reference === undefined ? [] : [isolated(reference)]),
    ...(own === '' ? [] : [`${own}${other}`]),
    ...(seconds_apart === undefined ? [] : [`${apart(Number(seconds_apart))} apart`]),
  ].join(', ');
}

const UNITS = [
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
] as const;

/** A span in its largest whole unit. */
function apart(seconds: number): string {
  const [size, name] = UNITS.find(([unit]) => seconds >= unit) ?? [1, 'second'];
  return formatQuantity(Math.round(seconds / size), name);
}
