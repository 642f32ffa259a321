import type { Reconciliation } from '@decision-ledger/contract/chain';
import { readChain } from '../../../platform/chain/head.js';
import type { VerificationProgress } from '../../../platform/chain/verify.js';
import type { Ledger } from '../../../platform/ledger.js';
import { ROW_TABLES, type RowTableName } from '../../../tables/recorded-tables.js';
import { checkDerived, DERIVED } from './check-derived.js';
import { checkEstimates, checkHistory } from './check-estimates.js';
import { checkPublished, compareSettings } from './check-published.js';
import { checkMade, checkRows } from './check-rows.js';
import { ReconciliationTally } from './rules/tally.js';
import { checkSeals } from './seal.js';

/** The order of the comparison: what others follow from comes first. */
const ORDER = Object.keys(ROW_TABLES).filter((name): name is RowTableName =>
  Object.hasOwn(ROW_TABLES, name),
);

type OnProgress = (progress: VerificationProgress) => void;

/**
 * Rebuilds the rows of a ledger from its activity chain and compares them with their tables, in both
 * directions, then computes again the sums that are made of them. The chain itself must have been
 * verified: its records are taken as true. Memory is bounded, and each step is short.
 */
export async function reconcile(
  ledger: Ledger,
  onProgress: OnProgress = () => undefined,
): Promise<Reconciliation> {
  return reconcileWith(ledger, onProgress, compareTables);
}

/**
 * The same, and all earlier estimates: no bundle holds them, and a ledger has far more of them than
 * decisions, so an export does not wait for this.
 */
export async function reconcileWithHistory(
  ledger: Ledger,
  onProgress: OnProgress = () => undefined,
): Promise<Reconciliation> {
  return reconcileWith(ledger, onProgress, async (_ledger, tally, head) => {
    await compareTables(ledger, tally, head);
    await checkHistory(ledger, tally);
  });
}

/** Compares facts and published rows alone: what can be made again follows from them. */
export async function reconcileKept(
  ledger: Ledger,
  onProgress: OnProgress = () => undefined,
): Promise<Reconciliation> {
  return reconcileWith(ledger, onProgress, compareKept);
}

async function reconcileWith(
  ledger: Ledger,
  onProgress: OnProgress,
  compare: typeof compareTables,
): Promise<Reconciliation> {
  const head = (await readChain(ledger, 'activity'))?.seq ?? 0;
  const tally = new ReconciliationTally((checked) =>
    onProgress({ checked, total: Math.max(checked, head) }),
  );
  await compare(ledger, tally, head);
  onProgress({ checked: head, total: head });
  return tally.result(head);
}

async function compareTables(
  ledger: Ledger,
  tally: ReconciliationTally,
  head: number,
): Promise<void> {
  await compareKept(ledger, tally, head);
  const { reviews, assignments, costs, movements, counted, allocations, cells } = DERIVED;
  for (const reported of [reviews, assignments, costs, movements, counted, allocations]) {
    await checkDerived(ledger, reported, tally);
  }
  await checkEstimates(ledger, tally);
  await checkDerived(ledger, cells, tally);
}

/** Facts and published rows. */
async function compareKept(
  ledger: Ledger,
  tally: ReconciliationTally,
  head: number,
): Promise<void> {
  for (const name of ORDER) await checkRows(ledger, name, tally);
  await compareSettings(ledger, tally);
  await checkPublished(ledger, tally);
  await checkSeals(ledger, tally);
  await checkMade(ledger, head, tally);
}
