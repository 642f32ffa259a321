import { leadOf, type WitnessReport } from '@decision-ledger/proof/movement';
import { Big } from 'big.js';
import type { LedgerReader, LedgerWriter } from '../../../platform/ledger.js';
import { selectReports } from '../financial-events/index.js';
import type { Compared } from './compare.js';
import { readForeign } from './foreign.js';
import { aloneIn, openIn, readApart, readLate } from './late.js';
import { CROWD, type ReportReader } from './neighbourhood.js';
import {
  type Day,
  daysOf,
  isAdded,
  mayBeAll,
  reachOf,
  type StatedTotal,
  statedTotals,
  totalsFor,
} from './rules/periods.js';
import { addedKeyOf, type Report, wholeKeysOf, wholeSearchesOf } from './rules/report.js';
import type { Doubtful } from './rules/settled.js';
import { wholesOf } from './rules/wholes.js';
import { type KeySearch, selectByKeys } from './store/money-keys.js';
import {
  type ChangedTotal,
  changeTotals,
  selectAdded,
  selectTotals,
  type TotalSearch,
} from './store/period-totals.js';

/** So many parts are told of a sum. */
const MOST_TOLD = 12;
/** One answer pairs so many reports. */
const MOST_PAIRED = 100;
/** Of so many totals it is asked whether a report is all of them. */
const MOST_ASKED = 3;
const DAY = 86_400_000;

/**
 * Keeps the totals of days as reports (UUIDs) come, change and go.
 * @param eventIds reports that may have changed themselves, all of them known
 * @param moved reports whose movements may have changed
 * @returns what finds the reports that state a total as it was or as it is, also of the periods of those that moved
 */
export async function keepTotals(
  tx: LedgerWriter,
  { reader }: Compared,
  eventIds: readonly string[],
  moved: readonly string[],
): Promise<KeySearch[]> {
  const added = eventIds.flatMap((id) => addedIn(reader, id) ?? []);
  const touched = moved.flatMap((id) => addedIn(reader, id) ?? []);
  if (eventIds.length + touched.length === 0) return [];
  const totals = await changeTotals(tx, eventIds, added, touched);
  return [
    ...searchesFor(totals),
    ...[...eventIds, ...moved].flatMap((id) => siblingsOf(reader, id)),
  ];
}

/** What finds the other postings of a transaction. */
function siblingsOf({ known }: ReportReader, id: string): KeySearch[] {
  const report = known.get(id)?.report;
  if (report === undefined || report.whole === null) return [];
  return wholeKeysOf(report).map((key) => ({ key, timestamp: report.timestamp, within: 0 }));
}

function addedIn({ known }: ReportReader, id: string) {
  const one = known.get(id);
  if (one === undefined || one.isDeleted || !isAdded(one.report)) return undefined;
  const { source, currency, kind, sign, timestamp, amount } = one.report;
  return {
    ...{ event_id: id, day: one.day, key: addedKeyOf(one.report) },
    ...{ source, currency, kind, sign, timestamp, amount: amount.replace('-', '') },
  };
}

function searchesFor(changed: readonly ChangedTotal[]): KeySearch[] {
  const after = changed.map((one) => ({
    ...{ ...one, count: one.count + one.added_count },
    amount: new Big(one.amount).plus(one.added_amount).toFixed(),
  }));
  const searches = new Map<string, KeySearch>();
  for (const total of [...statedTotals(changed), ...statedTotals(after)]) {
    const [first, last] = daysOf(total);
    // Recorded times are up to two days from those of days.
    const [start, end] = [(first - 2) * DAY, (last + 3) * DAY];
    for (const key of wholeSearchesOf(total.sum)) {
      const search = { key, timestamp: (start + end) / 2, within: (end - start) / 2 };
      searches.set(`${key} ${first} ${last}`, search);
    }
  }
  return [...searches.values()];
}

/**
 * What is asked of open reports: late postings, what may be in another currency, and sums.
 * @param ids UUIDs of reports that were compared
 * @returns each with the report that is open first
 */
export async function readOpen(
  ledger: LedgerReader,
  compared: Compared,
  ids: readonly string[],
): Promise<Doubtful[]> {
  const open = await openIn(ledger, compared, ids);
  const late = await readLate(ledger, compared, open);
  const asked = new Set(late.map(({ reports: [posting] }) => posting));
  const foreign = await readForeign(
    ledger,
    compared.reader,
    open.filter(({ id }) => !asked.has(id)),
  );
  return [...late, ...foreign, ...(await readSums(ledger, compared, open))];
}

/** Open reports with the totals of another source that they state, by themselves or as the transaction that they are of. */
async function readSums(
  ledger: LedgerReader,
  { reader }: Compared,
  open: readonly Report[],
): Promise<Doubtful[]> {
  const singles = open.filter(mayBeAll);
  const transactions = singles.flatMap((one) =>
    one.whole === null ? [] : [{ ...one, sums: one.whole.sums }],
  );
  const dayOf = ({ id }: Report) => reader.known.get(id)?.day ?? 0;
  const [searches, amounts] = searchFor([...singles, ...transactions], dayOf);
  const totals = statedTotals(await selectTotals(ledger, searches, amounts));
  const found = (report: Report, postings: readonly Report[]) =>
    totalsFor(report, dayOf(postings[0] ?? report), totals)
      .slice(0, MOST_ASKED)
      .map((total) => ({ postings, total }));
  const stating = transactions.filter((one) => found(one, [one]).length > 0);
  const candidates: Candidate[] = [];
  for (const { postings, total } of [
    ...singles.flatMap((one) => found(one, [one])),
    ...(await readTransactions(ledger, reader, stating)).flatMap((one) => found(...one)),
  ]) {
    const most = total.count <= MOST_PAIRED ? total.count : MOST_TOLD;
    const parts = await selectAdded(ledger, addedKeyOf(total), total, most);
    candidates.push({ postings, total, parts });
  }
  return askedOf(ledger, candidates);
}

interface Candidate {
  /** The report of the whole, or all postings of its transaction. */
  readonly postings: readonly Report[];
  readonly total: StatedTotal;
  /** UUIDs, by time. */
  readonly parts: readonly string[];
}

function searchFor(
  wholes: readonly Report[],
  dayOf: (report: Report) => Day,
): [TotalSearch[], string[]] {
  const searches = new Map<string, TotalSearch>();
  const amounts = new Set<string>();
  for (const report of wholes) {
    const [from, until] = reachOf(dayOf(report));
    for (const sum of report.sums) {
      const [amount = '', currency = ''] = sum.split(' ');
      searches.set(`${currency} ${from}`, { currency, from, until });
      amounts.add(amount);
    }
  }
  return [[...searches.values()], [...amounts]];
}

/** The transactions of postings, each as one report and with all its postings, of which none is paired. */
async function readTransactions(
  ledger: LedgerReader,
  reader: ReportReader,
  postings: readonly Report[],
): Promise<[Report, Report[]][]> {
  const searches = postings.flatMap(({ id }) => siblingsOf(reader, id));
  const rows = await selectByKeys(ledger, searches, CROWD);
  const ids = [...new Set(rows.map(({ event_id }) => event_id))].sort();
  await reader.read(ids);
  const keys = new Set(postings.map(({ whole }) => whole?.key));
  const members = ids.flatMap((id) => {
    const known = reader.known.get(id);
    return known && !known.isDeleted && keys.has(known.report.whole?.key) ? [known.report] : [];
  });
  const alone = new Map((await aloneIn(ledger, members)).map((one) => [one.id, one]));
  return [...wholesOf(members)].flatMap(([whole, its]): [Report, Report[]][] => {
    const all = its.flatMap((id) => alone.get(id) ?? []);
    return all.length === its.length ? [[whole, all]] : [];
  });
}

/**
 * Without those of which the source of the whole reports half of the parts by themselves, and those of which people said that they are
 * not the same.
 */
async function askedOf(ledger: LedgerReader, candidates: readonly Candidate[]) {
  const rows = await selectReports(
    ledger,
    candidates.flatMap(({ parts }) => parts),
  );
  const leads = new Map(rows.map(({ event_id, lead_id }) => [event_id, lead_id]));
  const movements = new Map<string, WitnessReport[]>();
  for (const row of rows) {
    const known = movements.get(row.lead_id) ?? [];
    movements.set(row.lead_id, [...known, { ...row, id: row.event_id }]);
  }
  const membersOf = (id: string) => movements.get(leads.get(id) ?? '') ?? [];
  /** Those that the source of the whole does not have by themselves. */
  const openIn = ({ postings: [whole], parts }: Candidate) =>
    parts.filter((id) => !membersOf(id).some(({ source }) => source === whole?.source));
  const named = candidates.flatMap((candidate) => {
    const [first = ''] = openIn(candidate);
    return [...candidate.postings, ...membersOf(first)].map(({ id }) => id);
  });
  const isApart = await readApart(ledger, [...new Set(named)]);
  const taken = new Set<string>();
  return candidates.flatMap((candidate): Doubtful[] => {
    const { postings, total, parts } = candidate;
    const open = openIn(candidate);
    const [[whole], [first]] = [postings, open];
    if (whole === undefined || first === undefined) return [];
    const members = membersOf(first);
    const isSaid = postings.some(({ id }) => members.some((one) => isApart(id, one.id)));
    // Another source may report the same parts.
    const name = `${whole.id} ${leads.get(first)}`;
    const ids = postings.map(({ id }) => id);
    const isWhole = ids.includes(leadOf<WitnessReport>([...postings, ...members]).id);
    const pair = isWhole ? [...ids, ...parts] : [...ids, first];
    // One answer that pairs all of them cannot leave any out.
    const isBooked = isWhole ? open.length < parts.length : 2 * open.length <= parts.length;
    const isTooLong = pair.length > MOST_PAIRED || (isWhole && parts.length < total.count);
    if (isBooked || isSaid || taken.has(name) || isTooLong) return [];
    taken.add(name);
    const sum = { whole: whole.id, parts: parts.slice(0, MOST_TOLD), pair, period: total };
    return [{ reports: [whole.id, first], rule: 'sum_of_period', doubt: 'no_reference', sum }];
  });
}
