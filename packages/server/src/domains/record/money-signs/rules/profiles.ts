import type { MoneySignSettings } from '@decision-ledger/contract/money-signs';
import {
  type Clock,
  type KindRow,
  matchesPattern,
} from '@decision-ledger/contract/source-profiles';
import { wordsOfEventType } from './words.js';

/** What the row of a profile depends on. */
interface ProfiledReport {
  readonly source: string;
  readonly event_type: string;
  /** Null for none. */
  readonly metadata: Readonly<Record<string, unknown>> | null;
}

/** The first row that applies to a report, of all profiles of its source. */
export function kindRowOf(
  { profiles, default_profiles }: Pick<MoneySignSettings, 'profiles' | 'default_profiles'>,
  report: ProfiledReport,
): KindRow | null {
  const type = folded(report.event_type);
  const row = [...profiles, ...default_profiles]
    .filter(({ source }) => matchesPattern(source, report.source))
    .flatMap(({ kinds = [] }) => kinds)
    .find(
      (one) =>
        patternsOf(one).some((pattern) => matchesPattern(pattern, type)) &&
        isWith(one.when, report.metadata),
    );
  return row ?? null;
}

/** How the reports of a source are compared with others. */
interface Comparing {
  /** Patterns of the sources that it repeats. */
  readonly repeats: readonly string[];
  /** What its references are read from; null for everything. */
  readonly references: ReadonlySet<string> | null;
  /** Null for recorded times. */
  readonly clock: Clock | null;
}

/** Of all profiles of a source, the first one that states a member decides it. */
export function comparingOf(
  { profiles, default_profiles }: Pick<MoneySignSettings, 'profiles' | 'default_profiles'>,
  source: string,
): Comparing {
  const own = [...profiles, ...default_profiles].filter((one) =>
    matchesPattern(one.source, source),
  );
  const references = own.find((one) => one.references !== undefined)?.references;
  return {
    repeats: own.find(({ repeats }) => repeats !== undefined)?.repeats ?? [],
    references: references === undefined ? null : new Set(references),
    clock: own.find(({ clock }) => clock !== undefined)?.clock ?? null,
  };
}

function isWith(when: KindRow['when'], metadata: ProfiledReport['metadata']): boolean {
  if (when === undefined) return true;
  if (metadata === null || !Object.hasOwn(metadata, when.member)) return false;
  const value = metadata[when.member];
  if (when.value === undefined) return value !== null;
  const isScalar = ['string', 'number', 'boolean'].includes(typeof value);
  return isScalar && String(value).toLowerCase() === when.value.toLowerCase();
}

/** A text without any words is itself. */
const folded = (eventType: string): string => wordsOfEventType(eventType).join(' ') || eventType;

/** Many events are compared with the rows of the same settings. */
const patterns = new WeakMap<KindRow, readonly string[]>();

/** The event types of a row as they are compared. */
function patternsOf(row: KindRow): readonly string[] {
  const known = patterns.get(row);
  if (known !== undefined) return known;
  const made = row.event_types.map(foldedPattern);
  patterns.set(row, made);
  return made;
}

function foldedPattern(pattern: string): string {
  return pattern.endsWith('*') ? `${folded(pattern.slice(0, -1))}*` : folded(pattern);
}
