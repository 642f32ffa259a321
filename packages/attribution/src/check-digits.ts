import type { HeldKey, IdMatch, Matches } from './identifier-matches.js';
import type { Knowledge } from './knowledge.js';

/*
 * Some events state an identifier with a check digit that decisions do not know. What is equal without the last
 * figure counts once the ledger has shown that it is one.
 */

/**
 * So many events show it, if few of them state the same without the last figure: numbers that follow each other
 * share all but that.
 */
const TEACHING = { events: 5, logHolders: Math.log(1.5), logEvents: Math.log(3) };

/** What one of the candidates shares with an event. */
interface Sharing {
  readonly matches: Matches;
}

interface Checked<One extends Sharing> {
  /** With the matches that count. */
  readonly counted: readonly One[];
  /** What else is learned from: the keys of shortened identifiers that decisions hold. */
  readonly shortened: readonly HeldKey[];
}

/** Where a decision names what the event states in full, nothing shortened counts. */
export function checkDigits<One extends Sharing>(
  all: readonly One[],
  knowledge: Knowledge,
): Checked<One> {
  if (!all.some(({ matches }) => matches.ids.some(isShortened))) {
    return { counted: all, shortened: [] };
  }
  const isNamed = all.some(({ matches }) => matches.ids.some(namesInFull));
  if (isNamed) return { counted: only(all, (match) => !isShortened(match)), shortened: [] };
  return {
    counted: only(all, (match) => !isShortened(match) || isTaught(match, knowledge)),
    shortened: shortenedKeys(all),
  };
}

const isShortened = ({ mention }: IdMatch): boolean => mention.form === 'shortened';

const namesInFull = (match: IdMatch): boolean =>
  match.form !== 'linked' && !match.isEntity && !isShortened(match);

function isTaught({ mention }: IdMatch, knowledge: Knowledge): boolean {
  const known = knowledge.key(mention.key);
  return (
    known !== undefined &&
    known.matched >= TEACHING.events &&
    known.log_holders <= TEACHING.logHolders &&
    known.log_events <= TEACHING.logEvents
  );
}

const only = <One extends Sharing>(
  all: readonly One[],
  counts: (match: IdMatch) => boolean,
): One[] =>
  all.map((one) => ({ ...one, matches: { ...one.matches, ids: one.matches.ids.filter(counts) } }));

function shortenedKeys(all: readonly Sharing[]): HeldKey[] {
  const keys = new Map<number, HeldKey>();
  for (const { mention } of all.flatMap(({ matches }) => matches.ids.filter(isShortened))) {
    const [, holders] = keys.get(mention.key) ?? [0, 0];
    keys.set(mention.key, [mention.key, holders + 1, mention.canonical]);
  }
  return [...keys.values()];
}
