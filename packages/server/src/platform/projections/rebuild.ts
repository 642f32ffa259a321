import sql from 'sql-template-tag';
import { isContention } from '../failures.js';
import { type Ledger, type LedgerReader, type LedgerWriter, ownRow } from '../ledger.js';
import type { RowDifference } from './derived-rows.js';
import {
  comparePart,
  OutdatedPartError,
  type PartComparison,
  type Projection,
  type ProjectionPart,
} from './projection.js';

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
  /** Why some rows were left as they are; null if all were compared. */
  readonly waits_for: string | null;
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

/**
 * Makes the rows of a projection again, part by part, and replaces those that differ. A part that agrees takes no lock;
 * one that differs is compared again under the lock of its projection, because it may have changed meanwhile. A rebuild
 * that was interrupted is simply run again.
 */
export async function rebuildProjection(
  ledger: Ledger,
  projection: Projection,
  on: OnRebuild,
): Promise<Rebuilt> {
  let waits_for: string | null = null;
  const counts = { added: 0, replaced: 0, removed: 0 };
  const differences: RowDifference[] = [];
  let rows = 0;
  for await (const part of projection.parts(ledger)) {
    const made = await retried(() => makePart(ledger, projection, part, on));
    rows += made.rows;
    waits_for ??= made.waits_for;
    const { added, replaced, removed } = countsOf(made.differences);
    counts.added += added;
    counts.replaced += replaced;
    counts.removed += removed;
    differences.push(...made.differences.slice(0, MAX_LISTED - differences.length));
    on.part(part.done, part.total);
  }
  return { projection: projection.name, rows, ...counts, waits_for, differences };
}

/** @returns what differed when the lock was held */
async function makePart(
  ledger: Ledger,
  projection: Projection,
  part: ProjectionPart,
  { replaced }: OnRebuild,
): Promise<PartComparison> {
  const seen = await ledger.read((reader) => comparePart(reader, projection, part));
  if (seen.differences.length === 0) return seen;
  const { name, rows, lock } = projection;
  return ledger.write(async (tx) => {
    await lock(tx);
    const found = await comparePart(tx, projection, part);
    const count = found.differences.length;
    if (count === 0) return found;
    const changed = await rows.replace(tx, found.differences);
    if (changed !== count) {
      throw new OutdatedPartError(`${name}: ${count} rows differed, and ${changed} were changed`);
    }
    await replaced(tx, { projection: name, ...countsOf(found.differences) });
    return found;
  });
}

const MAX_TRIES = 5;

async function retried<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      const mayPass = error instanceof OutdatedPartError || isContention(error);
      if (!mayPass || tries === MAX_TRIES) throw error;
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

/**
 * Notes that projections are being made again. Until each is finished, some of its rows may be right and others not, also
 * after the rebuild was interrupted.
 * @returns the projections of which no earlier rebuild is unfinished
 */
export async function noteUnfinished(
  tx: LedgerWriter,
  projections: readonly string[],
): Promise<Set<string>> {
  const noted = await tx.query<{ projection: string }>(sql`
    insert into unfinished_rebuilds (ledger_id, projection)
    select own.ledger_id, projection
    from ${ownRow(tx.ledgerId)} as own, unnest(${projections}::text[]) as made (projection)
    on conflict do nothing returning projection`);
  return new Set(noted.map(({ projection }) => projection));
}

export async function noteFinished(tx: LedgerWriter, projection: string): Promise<void> {
  await tx.query(sql`
    delete from unfinished_rebuilds
    where ledger_id = ${tx.ledgerId} and projection = ${projection}`);
}

/** The projections whose rebuild runs or was interrupted, or is due because rows that they are made of were replaced. */
export async function selectUnfinished(ledger: LedgerReader): Promise<string[]> {
  const rows = await ledger.query<{ projection: string }>(sql`
    select projection from unfinished_rebuilds
    where ledger_id = ${ledger.ledgerId} order by projection`);
  return rows.map(({ projection }) => projection);
}

/** Whether a rebuild of one of some projections runs, or was interrupted. */
export async function isUnfinished(
  ledger: LedgerReader,
  projections: readonly string[],
): Promise<boolean> {
  const rows = await ledger.query(sql`
    select from unfinished_rebuilds
    where ledger_id = ${ledger.ledgerId} and projection = any(${projections}::text[]) limit 1`);
  return rows.length > 0;
}
