import type { Candidate } from './candidates.js';
import type { HashedMention } from './hashed-features.js';

/** The candidates of an event that are about one transaction: its steps. */
export type Case = ReadonlySet<Candidate>;

/**
 * The transactions that an event names and few decisions hold, each with its steps: the decisions that hold it, and
 * those that follow under a link that one of them holds, such as a session or a ticket. A batch is a step of each
 * transaction that it holds, and joins none of them.
 */
export function casesOf(candidates: readonly Candidate[]): readonly Case[] {
  const cases: Named[] = [];
  for (const one of namedTransactions(candidates)) {
    if (!cases.some((wider) => isSame(one, wider))) cases.push(one);
  }
  return cases.map((one) => {
    const steps = [...one.keys()];
    return new Set([...steps, ...followersOf(steps, candidates)]);
  });
}

/** The candidates that hold a name of a transaction, with the keys under which they do. */
type Named = ReadonlyMap<Candidate, readonly number[]>;

/** The most held first. */
function namedTransactions(candidates: readonly Candidate[]): Named[] {
  const named = new Map<number, Map<Candidate, readonly number[]>>();
  for (const candidate of candidates) {
    for (const name of candidate.shared.transactions) {
      const holders = named.get(name.canonical) ?? new Map<Candidate, readonly number[]>();
      named.set(name.canonical, holders.set(candidate, keysOf(candidate, name)));
    }
  }
  return [...named.values()].sort((a, b) => b.size - a.size);
}

const keysOf = ({ decision }: Candidate, { canonical, digits }: HashedMention): number[] =>
  decision.features.mentions
    .filter((own) => own.canonical === canonical || (digits !== 0 && own.digits === digits))
    .map(({ key }) => key);

/** Whether all that hold one name of a transaction hold the other too, and none lists both under one key. */
const isSame = (one: Named, wider: Named): boolean =>
  [...one].every(([step, keys]) => wider.get(step)?.every((key) => !keys.includes(key)) === true);

/** Those that name another transaction under a key of the event follow no step of this one. */
function followersOf(
  steps: readonly Candidate[],
  candidates: readonly Candidate[],
): readonly Candidate[] {
  const linked = candidates.filter(
    ({ shared: { matches } }) =>
      matches.contradictions.length === 0 && matches.ids.some(({ form }) => form === 'linked'),
  );
  if (linked.length === 0) return [];
  const held = new Set(
    steps.flatMap(({ decision }) => decision.features.mentions.map(({ canonical }) => canonical)),
  );
  return linked.filter(({ shared: { matches } }) =>
    matches.ids.some(({ form, token }) => form === 'linked' && held.has(token)),
  );
}
