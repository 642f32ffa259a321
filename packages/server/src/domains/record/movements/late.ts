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
  selectAlone,
  selectUnbooked,
  type UnbookedRow,
} from './store/money-keys.js';

/** So many are asked about. */
const MOST_ASKED = 3;
/** So many reports that the books do not have are compared, before a posting and after it, to find the nearest. */
const MOST_COMPARED = 24;
/** So many are enough to tell that something is left to ask about. */
const FEW_COMPARED = 2;

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
 * @param most so many reports that the books do not have are compared, before a posting and after it
 * @returns each with the posting first
 */
export async function readLate(
  ledger: LedgerReader,
  { reader }: Compared,
  open: readonly Report[],
  most = MOST_COMPARED,
): Promise<Doubtful[]> {
  const lone = open.filter(({ source }) => isBooks(source));
  const around = await readUnbooked(ledger, lone, most);
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
 * @param changed UUIDs of those that did
 * @param further searches for those that may be all of a period
 */
export async function recallOpen(
  tx: LedgerWriter,
  compared: Compared,
  changed: ReadonlySet<string>,
  further: readonly KeySearch[],
): Promise<void> {
  const { reader, lookedAt } = compared;
  const searches = [...changed].flatMap((id) => {
    const report = reader.known.get(id)?.report;
    if (report === undefined || isBooks(report.source)) return [];
    return lateSearchesOf([...report.sums]).map((key) => ({
      report,
      ...searchOf(report, key, REFERRED_MS),
    }));
  });
  const settled = new Set([...changed, ...lookedAt]);
  const rows = await selectAlone(tx, [...searches, ...further]);
  const alone = rows.filter(({ event_id }) => !settled.has(event_id));
  const whole = alone.flatMap(({ at, event_id }) => (at < searches.length ? [] : [event_id]));
  const late = alone.flatMap(({ at, event_id, is_queued }) => {
    const report = searches[at]?.report;
    return report === undefined ? [] : [{ report, id: event_id, isQueued: is_queued }];
  });
  const due = new Set([...whole, ...(await requeued(tx, compared, late))]);
  if (due.size > 0) await reconsider(tx, [...due]);
}

interface Recalled {
  /** A report that changed. */
  readonly report: Report;
  /** The UUID of a posting by itself that has an amount of it. */
  readonly id: string;
  readonly isQueued: boolean;
}

/**
 * UUIDs of the postings whose place in the queue may be another one now: nobody is asked about them though the books lack a report
 * that they may be of, or somebody is, and nothing is near that they may be of.
 */
async function requeued(
  ledger: LedgerReader,
  compared: Compared,
  recalled: readonly Recalled[],
): Promise<string[]> {
  const { reader, reports, movements } = compared;
  const isBooked = (id: string) => isBooks(reports.get(id)?.source ?? '');
  const lacking = new Set(movements.filter((ids) => !ids.some(isBooked)).flat());
  const differing = recalled.filter(({ report, isQueued }) => isQueued !== lacking.has(report.id));
  await reader.read(new Set(differing.map(({ id }) => id)));
  const postings = new Map<string, Report>();
  const queued = new Set<string>();
  for (const { report, id, isQueued } of differing) {
    const posting = reader.known.get(id)?.report;
    if (posting === undefined || !mayBeLate(posting, report)) continue;
    postings.set(id, posting);
    if (isQueued) queued.add(id);
  }
  const asked = [...postings.values()].filter(({ id }) => queued.has(id));
  const left = await readLate(ledger, compared, asked, FEW_COMPARED);
  const still = new Set(left.map(({ reports: [id] }) => id));
  return [...postings.keys()].filter((id) => !still.has(id));
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
async function readUnbooked(ledger: LedgerReader, postings: readonly Report[], most: number) {
  const searches = postings.flatMap((posting) =>
    sumSearchesOf(posting).map((key) => ({
      id: posting.id,
      ...searchOf(posting, key, REFERRED_MS),
    })),
  );
  const around = new Map<string, UnbookedRow[]>();
  for (const row of await selectUnbooked(ledger, searches, most)) {
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
