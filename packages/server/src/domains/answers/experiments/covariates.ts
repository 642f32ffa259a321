import type { CovariateColumn } from '@decision-ledger/experiments/comparison';
import { type Loaded, READ_AHEAD, type Reading, readAhead } from './load.js';
import {
  type FirstAssignment,
  type HistoryRow,
  type PriorDecision,
  type Stretch,
  selectHistory,
  selectOthers,
  selectPriorMoney,
  selectStretch,
  type Window,
} from './store/history.js';

/** Customers, and decisions, that one statement reads. */
const CUSTOMER_PAGE = 500;
const PAGE = 5000;

const DAY_MS = 24 * 3_600_000;

/** Looking up a customer in the index of terms takes as long as reading so many decisions in a row. */
const LOOKUP = 8;

interface Known extends FirstAssignment {
  /** Place of the customer. */
  readonly cluster: number;
}

/** Values of the customers by their place. */
interface Histories {
  readonly net: Float64Array;
  readonly decisions: Float64Array;
}

/** Reads what the ledger knew of each customer before its first assignment. */
export async function loadCovariates(
  reading: Reading,
  loaded: Loaded,
): Promise<readonly CovariateColumn[]> {
  const { clusters } = loaded.sample;
  const { covariates } = reading.request;
  if (covariates.length === 0) return [];
  const values = { net: new Float64Array(clusters), decisions: new Float64Array(clusters) };
  const stretch = await stretchOfHistory(reading, loaded);
  if (stretch === null) await lookUp(reading, loaded, values);
  else await readThrough(reading, loaded, stretch, values);
  const columns = { prior_net: values.net, prior_decisions: values.decisions };
  return covariates.map((name) => ({ name, values: columns[name] }));
}

function* knownCustomers({ sample, first }: Loaded): Generator<Known> {
  for (let cluster = 0; cluster < sample.clusters; cluster += 1) {
    const own = first(cluster);
    if (own !== null) yield { cluster, ...own };
  }
}

interface Span {
  readonly window: Window;
  readonly stretch: Stretch;
}

/** Where the history of all customers lies, if reading through it is faster than looking them up. */
async function stretchOfHistory(
  { ledger, request }: Reading,
  loaded: Loaded,
): Promise<Span | null> {
  let [count, earliest, latest] = [0, Number.POSITIVE_INFINITY, 0];
  for (const { timestamp } of knownCustomers(loaded)) {
    count += 1;
    earliest = Math.min(earliest, timestamp);
    latest = Math.max(latest, timestamp);
  }
  if (count === 0) return null;
  const window = { from: earliest - request.historyDays * DAY_MS, until: latest };
  const limit = loaded.sample.decisions + LOOKUP * count;
  const stretch = await selectStretch(ledger, window, limit);
  return stretch === null ? null : { window, stretch };
}

async function lookUp(
  { ledger, request, conversion }: Reading,
  loaded: Loaded,
  values: Histories,
): Promise<void> {
  let page: Known[] = [];
  const flush = async () => {
    const rows = await selectHistory(ledger, request, conversion, page);
    for (const row of rows) add(values, page[row.place - 1]?.cluster, row);
    page = [];
  };
  for (const one of knownCustomers(loaded)) {
    page.push(one);
    if (page.length === CUSTOMER_PAGE) await flush();
  }
  if (page.length > 0) await flush();
}

async function readThrough(
  reading: Reading,
  loaded: Loaded,
  { window, stretch }: Span,
  values: Histories,
): Promise<void> {
  const { ledger, experimentId, request, conversion } = reading;
  const parts: Stretch[] = [];
  for (let from = stretch.from; from <= stretch.until; from += PAGE) {
    parts.push({ from, until: Math.min(stretch.until, from + PAGE - 1) });
  }
  const read = (part: Stretch) =>
    selectOthers(ledger, experimentId, request.customerKey, window, part);
  for await (const rows of readAhead(parts, READ_AHEAD, read)) {
    const priors: PriorDecision[] = [];
    for (const { seq, timestamp, cluster: hash } of rows) {
      const cluster = loaded.placeOf(hash);
      const own = cluster === null ? null : loaded.first(cluster);
      if (cluster === null || own === null) continue;
      const age = own.timestamp - timestamp;
      if (age > 0 && age <= request.historyDays * DAY_MS) priors.push({ ...own, cluster, seq });
    }
    if (priors.length === 0) continue;
    for (const row of await selectPriorMoney(ledger, request, conversion, priors)) {
      add(values, row.place, row);
    }
  }
}

function add(
  { net, decisions }: Histories,
  cluster: number | undefined,
  { net: moved, decisions: made }: HistoryRow,
): void {
  if (cluster === undefined) return;
  net[cluster] = (net[cluster] ?? 0) + moved;
  decisions[cluster] = (decisions[cluster] ?? 0) + made;
}
