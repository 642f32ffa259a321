import { isBooks } from '@decision-ledger/proof/movement';
import type { LedgerReader, LedgerWriter } from '../../../platform/ledger.js';
import { reconsider, selectReports } from '../financial-events/index.js';
import { type Compared, readStatements } from './compare.js';
import { mayBeLate, nearestTo } from './rules/late.js';
import { isBank, isNear, REFERRED_MS } from './rules/likeness.js';
import { lateSearchesOf, type Report, sumSearchesOf } from './rules/report.js';
import type { Doubtful } from './rules/settled.js';
import {
  type KeySearch,
  selectByKeys,
  selectUnbooked,
  type UnbookedRow,
} from './store/money-keys.js';

/** So many are asked about. */
const MOST_ASKED = 3;
/** So many reports that the books do not have are compared, before a posting and after it. */
const MOST_COMPARED = 24;
/** More reports of one amount are not recalled. */
const MOST_RECALLED = 50;

/** The reports of books and banks, of those with some ids (UUIDs), that nothing is paired with and no rule speaks for. */
export async function openIn(
  ledger: LedgerReader,
  { reports, doubtful }: Compared,
  ids: readonly string[],
): Promise<Report[]> {
  const doubted = new Set(doubtful.flatMap((one) => one.reports));
  const told = ids.flatMap((id) => {
    const report = reports.get(id);
    if (report === undefined || report.isOwn || doubted.has(id)) return [];
    return isBooks(report.source) || isBank(report.source) ? [report] : [];
  });
  return aloneIn(ledger, told);
}

/**
 * What postings of the books may be the late record of: the nearest movements of their amount within 45 days that the books do
 * not have.
 * It follows from stored movements: look-ups that reach so far would join all sales of one amount.
 * @param open reports that were compared, and are open
 * @returns each with the posting first
 */
export async function readLate(
  ledger: LedgerReader,
  { reader }: Compared,
  open: readonly Report[],
): Promise<Doubtful[]> {
  const lone = open.filter(({ source }) => isBooks(source));
  const around = await readUnbooked(ledger, lone);
  await reader.read(new Set([...around.values()].flat().map(({ event_id }) => event_id)));
  const candidates = lone.map((posting) => ({
    posting,
    found: (around.get(posting.id) ?? []).flatMap(({ event_id, lead_id: lead }) => {
      const report = reader.known.get(event_id)?.report;
      return report !== undefined && mayBeLate(posting, report) ? [{ lead, report }] : [];
    }),
  }));
  const named = candidates.flatMap(({ posting, found }) =>
    found.length === 0 ? [] : [posting.id, ...found.map(({ report }) => report.id)],
  );
  const isApart = await readApart(ledger, [...new Set(named)]);
  return candidates.flatMap(({ posting, found }) => {
    const movements = new Map<string, Report>();
    for (const { lead, report } of found) {
      if (isApart(posting.id, report.id)) continue;
      if (!movements.has(lead) || report.id === lead) movements.set(lead, report);
    }
    return doubtsOf(posting, [...movements.values()]);
  });
}

function doubtsOf(posting: Report, movements: readonly Report[]): Doubtful[] {
  const isOne = movements.length === 1;
  return nearestTo(posting, movements, MOST_ASKED).map((report): Doubtful => {
    const doubt = isOne && !isNear(posting, report) ? 'far_apart' : 'several_possibilities';
    return { reports: [posting.id, report.id], rule: 'repeated_in_books', doubt };
  });
}

/**
 * Lets reports that nothing is paired with be compared again, because one came, went, or was paired or parted.
 * @param further searches for those that may be all of a period
 */
export async function recallOpen(
  tx: LedgerWriter,
  { reader }: Compared,
  changed: ReadonlySet<string>,
  further: readonly KeySearch[],
): Promise<void> {
  const searches = [...changed].flatMap((id) => {
    const report = reader.known.get(id)?.report;
    if (report === undefined || isBooks(report.source)) return [];
    return lateSearchesOf([...report.sums]).map((key) => searchOf(report, key, REFERRED_MS));
  });
  const rows = await selectByKeys(tx, [...searches, ...further], MOST_RECALLED);
  const found = new Set(rows.map(({ event_id }) => event_id));
  const others = [...found].filter((id) => !changed.has(id));
  const alone = await aloneIn(
    tx,
    others.map((id) => ({ id })),
  );
  if (alone.length > 0) {
    await reconsider(
      tx,
      alone.map(({ id }) => id),
    );
  }
}

/** Those that are in a movement by themselves. */
export async function aloneIn<Named extends { readonly id: string }>(
  ledger: LedgerReader,
  all: readonly Named[],
): Promise<Named[]> {
  const rows = await selectReports(
    ledger,
    all.map(({ id }) => id),
  );
  const sizes = new Map<string, number>();
  for (const { lead_id } of rows) sizes.set(lead_id, (sizes.get(lead_id) ?? 0) + 1);
  return all.filter(({ id }) => sizes.get(id) === 1);
}

/** For each posting, the reports of its amounts within 45 days whose movements the books do not have. */
async function readUnbooked(ledger: LedgerReader, postings: readonly Report[]) {
  const searches = postings.flatMap((posting) =>
    sumSearchesOf(posting).map((key) => ({
      id: posting.id,
      ...searchOf(posting, key, REFERRED_MS),
    })),
  );
  const around = new Map<string, UnbookedRow[]>();
  for (const row of await selectUnbooked(ledger, searches, MOST_COMPARED)) {
    const id = searches[row.at]?.id ?? '';
    around.set(id, [...(around.get(id) ?? []), row]);
  }
  return around;
}

const searchOf = ({ timestamp }: Report, key: string, within: number) => ({
  ...{ key, timestamp, within },
});

/** Whether a person said of two that they are not the same money. */
export async function readApart(ledger: LedgerReader, ids: readonly string[]) {
  const said = (ids.length === 0 ? [] : await readStatements(ledger, ids)).flatMap(
    ({ pair, isSame }) => (isSame === false ? [[...pair].sort().join()] : []),
  );
  const apart = new Set(said);
  return (one: string, other: string) => apart.has([one, other].sort().join());
}
