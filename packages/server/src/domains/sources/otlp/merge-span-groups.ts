import type { Clock } from '../../../platform/clock.js';
import type { Database } from '../../../platform/database.js';
import type { LedgerWriter } from '../../../platform/ledger.js';
import type { Installation } from '../../../platform/statement.js';
import { endOf, type KeptGroup, SpanGroups } from './rules/span-groups.js';
import {
  deleteSpanGroups,
  lockSpanGroups,
  selectLedgersWithStale,
  updateSpanGroups,
} from './store/span-groups.js';

/** Adds groups to those of the ledger, and drops what is more than a day old. */
export async function mergeSpanGroups(
  tx: LedgerWriter,
  added: readonly KeptGroup[],
): Promise<void> {
  const now = tx.clock.now();
  const all = new SpanGroups();
  all.merge(await lockSpanGroups(tx), now);
  all.merge(added, now);
  const groups = all.kept();
  const starts = groups.flatMap(({ hours }) => hours.map(([start]) => start));
  if (starts.length === 0) await deleteSpanGroups(tx);
  else await updateSpanGroups(tx, groups, endOf(Math.min(...starts)));
}

export interface PruneTools {
  readonly clock: Clock;
  readonly db: Database;
  readonly installation: Installation;
}

/** Drops what is more than a day old in ledgers in which nothing arrives any more. */
export async function pruneSpanGroups({ db, installation, clock }: PruneTools): Promise<void> {
  for (const scope of await selectLedgersWithStale(installation, clock.now())) {
    await db.ledger(scope).write((tx) => mergeSpanGroups(tx, []));
  }
}
