import { uuidToId } from '../../../platform/ids.js';
import type { Ledger, LedgerWriter } from '../../../platform/ledger.js';
import { type Projection, UnmakeableError } from '../../../platform/projections/projection.js';
import {
  noteFinished,
  noteUnfinished,
  type Rebuilt,
  type Replaced,
  rebuildProjection,
  selectUnfinished,
} from '../../../platform/projections/rebuild.js';
import { recordActivity, verifyActivity } from '../../log/activity/index.js';
import { verifyRecorded } from '../../record/decisions/index.js';
import { findingText, reconcileKept } from '../reconciliation/index.js';
import { dependentsOf, PROJECTIONS } from './projections.js';

/** @param step what is compared: a chain, `tables` or a projection */
export type OnStep = (step: string, done: number, total: number) => void;

/** The result for one ledger. */
export interface LedgerRebuild {
  /** What was made again, in its order. */
  readonly projections: readonly Rebuilt[];
  /** Facts or published values that are wrong: nothing that follows from them was made again. */
  readonly damage: readonly string[];
  /** Projections that are to be made again, because rows that they are made of were replaced, or because they waited. */
  readonly unfinished: readonly string[];
  /** What else ended the rebuild before all was made; null if nothing did. */
  readonly failure: Error | null;
}

const WHOLE = { range: { start: undefined, end: undefined }, anchor: null };

/**
 * Makes derived rows again and replaces those that differ, while the ledger is read and written. What they follow from is
 * verified first: from wrong facts, nothing is made. Each transaction that replaces rows chains that it did: sums are cached
 * for each head of that chain; and it notes what follows from them as unfinished. No month is closed from rows that are not
 * finished.
 * @param ledger opened as the owner of the database, because the service may change hardly any of the rows
 */
export async function rebuildLedger(
  ledger: Ledger,
  projections: readonly Projection[],
  onProgress: OnStep,
): Promise<LedgerRebuild> {
  const rebuilt: Rebuilt[] = [];
  const names = projections.map(({ name }) => name);
  const end = (how: Partial<LedgerRebuild>): LedgerRebuild => ({
    projections: rebuilt,
    damage: [],
    unfinished: [],
    failure: null,
    ...how,
  });
  try {
    const damage = await findDamage(ledger, onProgress);
    if (damage.length > 0) return end({ damage });
    const noted = await ledger.write((tx) => noteUnfinished(tx, names));
    for (const projection of projections) {
      const part = (done: number, total: number) => onProgress(projection.name, done, total);
      const made = await rebuildProjection(ledger, projection, { part, replaced: record });
      rebuilt.push(made);
      // Of one that waits, not all rows were compared, so what an earlier rebuild left unfinished is so still.
      const isUntouched = noted.has(projection.name) && countOf(made) === 0;
      if (made.waits_for === null || isUntouched)
        await ledger.write((tx) => noteFinished(tx, projection.name));
    }
    return end({ unfinished: await readUnfinished(ledger) });
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const isDamage = error instanceof UnmakeableError;
    return end(isDamage ? { damage: [error.message] } : { failure: error });
  }
}

/** In the order in which they follow from one another. */
async function readUnfinished(ledger: Ledger): Promise<string[]> {
  const unfinished = new Set(await selectUnfinished(ledger));
  return PROJECTIONS.map(({ name }) => name).filter((name) => unfinished.has(name));
}

function countOf({ added, replaced, removed }: Rebuilt): number {
  return added + replaced + removed;
}

async function findDamage(ledger: Ledger, onProgress: OnStep): Promise<string[]> {
  const walks = { decisions: verifyRecorded, activity: verifyActivity };
  for (const [chain, verify] of Object.entries(walks)) {
    const { finding } = await verify(ledger, WHOLE, ({ checked, total }) =>
      onProgress(chain, checked, total),
    );
    if (finding === null) continue;
    const { seq, kind, detail } = finding;
    return [`the chain of ${chain} is broken at ${seq} (${kind}${detail ? ` ${detail}` : ''})`];
  }
  const { findings } = await reconcileKept(ledger, ({ checked, total }) =>
    onProgress('tables', checked, total),
  );
  return findings.map(findingText);
}

async function record(tx: LedgerWriter, { projection, added, replaced, removed }: Replaced) {
  await noteUnfinished(tx, dependentsOf(projection));
  await recordActivity(tx, {
    type: 'derived.rebuilt',
    actor: 'operator',
    subject: uuidToId('led', tx.ledgerId),
    data: { projection, added, replaced, removed },
  });
}
