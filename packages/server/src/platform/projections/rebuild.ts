import type { Ledger, LedgerWriter } from '../ledger.js';
import { isContention } from '../why-unavailable.js';
import type { Comparison, RowDifference } from './differences.js';
import type { Part, Projection } from './projection.js';

/** Differences that are listed; the others are counted. */
const MAX_LISTED = 10;

/** What was done to the rows of a projection. */
export interface Rebuilt {
  readonly projection: string;
  /** Rows that should be there. */
  readonly rows: number;
  readonly added: number;
  readonly replaced: number;
  readonly removed: number;
  readonly skipped: { readonly rows: number; readonly reason: string } | null;
  /** The first ones. */
  readonly differences: readonly RowDifference[];
}

/** What was done to a part. */
export type Replaced = Pick<Rebuilt, 'projection' | 'added' | 'replaced' | 'removed'>;

/** What else happens when a projection is made again. */
export interface OnRebuild {
  readonly part: (done: number, total: number) => void;
  /** Part of the transaction that replaces rows. */
  readonly replaced: (tx: LedgerWriter, done: Replaced) => Promise<unknown>;
}

/** For a rebuild that shows no progress and records nothing. */
export const QUIETLY: OnRebuild = { part: () => undefined, replaced: () => Promise.resolve() };

/**
 * Makes the rows of a projection again, part by part, and replaces those that differ. A part that agrees takes no lock;
 * one that differs is compared again under the lock of its projection, and is right when the transaction commits. So
 * answers are whole at every moment, and a rebuild that was interrupted is simply run again.
 */
export async function rebuildProjection(
  ledger: Ledger,
  projection: Projection,
  on: OnRebuild,
): Promise<Rebuilt> {
  const tally = new Tally();
  for await (const part of projection.parts(ledger)) {
    const found = await ledger.read((reader) => part.compare(reader));
    tally.add(
      found.differences.length === 0
        ? found
        : await retried(() => replacePart(ledger, projection, part, on)),
    );
    on.part(part.done, part.total);
  }
  return tally.result(projection.name);
}

async function replacePart(
  ledger: Ledger,
  projection: Projection,
  part: Part,
  { replaced }: OnRebuild,
): Promise<Comparison> {
  return ledger.write(async (tx) => {
    await projection.lock(tx);
    const found = await part.compare(tx);
    if (found.differences.length === 0) return found;
    await projection.replace(tx, found.differences);
    await requireSame(tx, projection, part);
    await replaced(tx, { projection: projection.name, ...countsOf(found.differences) });
    return found;
  });
}

const MAX_TRIES = 5;

async function retried<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isContention(error) || tries === MAX_TRIES) throw error;
    }
  }
}

function countsOf(differences: readonly RowDifference[]): Omit<Replaced, 'projection'> {
  const counts = { added: 0, replaced: 0, removed: 0 };
  for (const { expected, actual } of differences) {
    counts[actual === null ? 'added' : expected === null ? 'removed' : 'replaced'] += 1;
  }
  return counts;
}

/** What was written must be what is read, to the byte. */
async function requireSame(tx: LedgerWriter, { name }: Projection, part: Part): Promise<void> {
  const { differences } = await part.compare(tx);
  const [first] = differences;
  if (first === undefined) return;
  throw new Error(
    `${name}: ${differences.length} rows differ after they were replaced, first ${first.key}`,
  );
}

class Tally {
  #rows = 0;
  readonly #counts = { added: 0, replaced: 0, removed: 0 };
  #skipped: Rebuilt['skipped'] = null;
  readonly #differences: RowDifference[] = [];

  add({ rows, differences, skipped }: Comparison): void {
    this.#rows += rows;
    const { added, replaced, removed } = countsOf(differences);
    this.#counts.added += added;
    this.#counts.replaced += replaced;
    this.#counts.removed += removed;
    this.#differences.push(...differences.slice(0, MAX_LISTED - this.#differences.length));
    if (skipped !== undefined) {
      const { rows: more, reason } = skipped;
      this.#skipped = { rows: (this.#skipped?.rows ?? 0) + more, reason };
    }
  }

  result(projection: string): Rebuilt {
    const { skipped, differences } = { skipped: this.#skipped, differences: this.#differences };
    return { projection, rows: this.#rows, ...this.#counts, skipped, differences };
  }
}
