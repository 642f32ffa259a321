import type {
  ExposureRow,
  ExposureRowsQuery,
  ExposureSums,
} from '@decision-ledger/contract/analytics-rows';
import { formatTimestamp } from '@decision-ledger/contract/time';
import { uuidToId } from '../../../platform/ids.js';
import type { Ledger } from '../../../platform/ledger.js';
import { type PageRows, pageOf } from '../../../platform/page.js';
import { type KnownEstimates, readKnownEstimates } from '../../judgement/liability/index.js';
import { readSnapshot, type State } from './consistent.js';
import { readConversion } from './conversion.js';
import { requireEstimatesIn } from './exposure.js';
import { readAnalyticsFilter } from './rules/filter.js';
import { type EstimatedRow, selectEstimated, sumEstimated } from './store/exposure-rows.js';

export interface ListedExposure {
  readonly row: ExposureRow;
  readonly position: string[];
}

/** A page of decisions, with the currency and the state that it shows and, on the first one, the sums. */
export interface ExposurePage extends PageRows<ListedExposure> {
  readonly currency: string;
  readonly state: State;
  readonly known: KnownEstimates;
  readonly sum: ExposureSums | null;
}

/**
 * The decisions that a figure of the exposure counts. A page and its sums are of one snapshot, because a
 * nightly run changes estimates and no other figure.
 * @throws LedgerError `validation_error` for an invalid range, `unavailable` while estimates are in
 *   several currencies
 */
export async function listExposureRows(
  ledger: Ledger,
  query: ExposureRowsQuery,
  after: readonly string[] | null,
  limit: number,
): Promise<ExposurePage> {
  const filter = readAnalyticsFilter(query);
  const { state, result } = await readSnapshot(ledger, async (reader) => {
    const { base: currency } = await readConversion(reader);
    await requireEstimatesIn(reader, currency);
    const known = await readKnownEstimates(reader);
    const page = { after: positionOf(after), limit: limit + 1 };
    const found = await selectEstimated(reader, filter, known, page);
    const sum = after === null ? await sumEstimated(reader, filter, known) : null;
    return { found, sum, currency, known };
  });
  const { rows, hasMore } = pageOf(result.found, limit);
  return { ...result, rows: rows.map(describe), hasMore, state };
}

function positionOf(after: readonly string[] | null) {
  const [timestamp, decisionId] = after ?? [];
  if (timestamp === undefined || decisionId === undefined) return null;
  return { timestamp: Number(timestamp), decisionId };
}

function describe({ decision_id, timestamp, ...row }: EstimatedRow): ListedExposure {
  return {
    row: {
      decision_id: uuidToId('dec', decision_id),
      ...row,
      timestamp: formatTimestamp(timestamp),
    },
    position: [String(timestamp), decision_id],
  };
}
