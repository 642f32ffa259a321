import type { Settings } from '@decision-ledger/contract/settings';
import { isBooks } from '@decision-ledger/proof/movement';
import type { LedgerReader } from '../../../platform/ledger.js';
import { selectReports } from '../financial-events/index.js';
import { readApart } from './late.js';
import { CROWD, type ReportReader } from './neighbourhood.js';
import { FARTHEST_MS } from './rules/clock.js';
import { mayBeForeign, worthSearchesOf } from './rules/foreign.js';
import { nearestTo } from './rules/late.js';
import { REPEATED_MS } from './rules/likeness.js';
import type { Report } from './rules/report.js';
import type { Doubtful } from './rules/settled.js';
import { type KeySearch, selectByKeys } from './store/money-keys.js';

/** So many are asked about. */
const MOST_ASKED = 3;

/**
 * What postings of the books may have in another currency than others, without a reference: the nearest movements within 4 days
 * that are worth the same, and that the books do not have.
 * @param open reports that were compared, and are open
 * @returns each with the posting first
 */
export async function readForeign(
  ledger: LedgerReader,
  reader: ReportReader,
  open: readonly Report[],
): Promise<Doubtful[]> {
  const currencies = currenciesOf(await reader.readSettings());
  const postings = open.filter(({ source }) => isBooks(source));
  const searches = postings.flatMap((posting) =>
    searchesAround(posting, currencies).map((search) => ({ ...search, posting })),
  );
  const found = await selectByKeys(ledger, searches, CROWD);
  await reader.read(new Set(found.map(({ event_id }) => event_id)));
  const couples = found.flatMap(({ at, event_id }) => {
    const [posting, known] = [searches[at]?.posting, reader.known.get(event_id)];
    if (posting === undefined || known === undefined || known.isDeleted) return [];
    return mayBeForeign(posting, known.report) ? [{ posting, report: known.report }] : [];
  });
  if (couples.length === 0) return [];
  const leads = await readUnbookedLeads(
    ledger,
    couples.map(({ report }) => report.id),
  );
  const isApart = await readApart(ledger, [
    ...new Set(couples.flatMap(({ posting, report }) => [posting.id, report.id])),
  ]);
  return postings.flatMap((posting) => {
    const movements = new Map<string, Report>();
    for (const { posting: its, report } of couples) {
      const lead = leads.get(report.id);
      if (its !== posting || lead === undefined || isApart(posting.id, report.id)) continue;
      if (!movements.has(lead) || report.id === lead) movements.set(lead, report);
    }
    return nearestTo(posting, [...movements.values()], MOST_ASKED).map(
      (report): Doubtful => ({
        reports: [posting.id, report.id],
        ...{ rule: 'repeated_in_books', doubt: 'other_amount' },
      }),
    );
  });
}

/** What finds the postings that may be asked about again because a report (UUID) came, changed or went. */
export async function foreignSearches(
  reader: ReportReader,
  ids: Iterable<string>,
): Promise<KeySearch[]> {
  const currencies = currenciesOf(await reader.readSettings());
  return [...ids].flatMap((id) => {
    const report = reader.known.get(id)?.report;
    if (report === undefined || isBooks(report.source)) return [];
    return searchesAround(report, currencies);
  });
}

const searchesAround = (report: Report, currencies: ReadonlySet<string>): KeySearch[] =>
  worthSearchesOf(report, currencies).map((key) => ({
    ...{ key, timestamp: report.timestamp, within: REPEATED_MS + 2 * FARTHEST_MS },
  }));

/** Those that have a worth; none if there is only one. */
function currenciesOf({ base_currency, exchange_rates }: Settings): ReadonlySet<string> {
  const others = exchange_rates.flatMap(({ from, to }) => (to === base_currency ? [from] : []));
  return new Set(others.length === 0 ? [] : [base_currency, ...others]);
}

/** The leads of the movements of some reports (UUIDs) that the books do not have. */
async function readUnbookedLeads(ledger: LedgerReader, ids: readonly string[]) {
  const rows = await selectReports(ledger, ids);
  const booked = new Set(rows.flatMap((row) => (isBooks(row.source) ? [row.lead_id] : [])));
  return new Map(
    rows.flatMap(({ event_id, lead_id }) =>
      booked.has(lead_id) ? [] : [[event_id, lead_id] as const],
    ),
  );
}
