import { isBooks } from '@decision-ledger/proof/movement';
import type { LedgerReader, LedgerWriter } from '../../../platform/ledger.js';
import { reconsider, selectReports } from '../financial-events/index.js';
import { type Compared, readStatements } from './compare.js';
import { CROWD } from './neighbourhood.js';
import { isBank, mayBeLate, nearestTo, REFERRED_MS, REPEATED_MS } from './rules/likeness.js';
import { lateSearchesOf, type Report, sumSearchesOf } from './rules/report.js';
import type { Doubtful } from './rules/settled.js';
import { type KeySearch, selectByKeys } from './store/money-keys.js';

/** Of a crowd, so many are asked about. */
const MOST_ASKED = 3;
const DAY = 86_400_000;
/** A crowd is looked for in all of the time, then nearer. */
const WINDOWS = [REFERRED_MS, REPEATED_MS, DAY];
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
 * What postings of the books may be the late record of: the only movement of their amount within 45 days that the books do
 * not have, or the nearest ones of a crowd.
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
  if (lone.length === 0) return [];
  const around = await foundAround(ledger, lone);
  const others = [...new Set([...around.values()].flatMap(({ found }) => found))];
  await reader.read(others);
  const movements = await selectReports(ledger, others);
  const leads = new Map(movements.map(({ event_id, lead_id }) => [event_id, lead_id]));
  const booked = new Set(movements.flatMap((one) => (isBooks(one.source) ? [one.lead_id] : [])));
  const candidates = lone.map((posting) => ({
    posting,
    found: (around.get(posting.id)?.found ?? []).flatMap((id) => {
      const [known, lead = id] = [reader.known.get(id), leads.get(id)];
      if (known === undefined || known.isDeleted || booked.has(lead)) return [];
      return mayBeLate(posting, known.report) ? [{ lead, report: known.report }] : [];
    }),
  }));
  const named = candidates.flatMap(({ posting, found }) =>
    found.length === 0 ? [] : [posting.id, ...found.map(({ report }) => report.id)],
  );
  const isApart = await readApart(ledger, [...new Set(named)]);
  return candidates.flatMap(({ posting, found }) => {
    const open = new Map<string, Report>();
    for (const { lead, report } of found) {
      if (isApart(posting.id, report.id)) continue;
      if (!open.has(lead) || report.id === lead) open.set(lead, report);
    }
    return doubtsOf(posting, [...open.values()], around.get(posting.id)?.isCrowd ?? false);
  });
}

/** The one, however far it is; else the nearest of those which no rule compared, because one of them is in a crowd. */
function doubtsOf(posting: Report, open: readonly Report[], isCrowd: boolean): Doubtful[] {
  const isOne = !isCrowd && open.length === 1;
  const near = ({ timestamp }: Report) => Math.abs(timestamp - posting.timestamp) <= REPEATED_MS;
  const doubt = isOne ? 'far_apart' : 'several_possibilities';
  return nearestTo(posting, isOne ? open : open.filter(near), MOST_ASKED).map(
    ({ id }): Doubtful => ({ reports: [posting.id, id], rule: 'repeated_in_books', doubt }),
  );
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

/** UUIDs of the reports of each one's amounts: within 45 days, or the nearest of a crowd. */
async function foundAround(ledger: LedgerReader, postings: readonly Report[]) {
  const searches = postings.flatMap((posting) =>
    sumSearchesOf(posting).flatMap((key) =>
      WINDOWS.map((within) => ({ id: posting.id, ...searchOf(posting, key, within) })),
    ),
  );
  const around = new Map<string, { found: string[]; isCrowd: boolean }>();
  const byPlace = new Map<number, string[]>();
  for (const { at, event_id } of await selectByKeys(ledger, searches, CROWD + 2)) {
    byPlace.set(at, [...(byPlace.get(at) ?? []), event_id]);
  }
  for (const [at, { id, within }] of searches.entries()) {
    const entry = around.get(id) ?? { found: [], isCrowd: false };
    const found = byPlace.get(at) ?? [];
    const isMany = found.length >= CROWD + 2;
    entry.isCrowd ||= isMany && within === REPEATED_MS;
    if (!isMany || within !== REFERRED_MS) entry.found.push(...found);
    around.set(id, entry);
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
