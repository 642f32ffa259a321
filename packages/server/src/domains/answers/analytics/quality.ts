import type { AttributionQuality, QualityQuery } from '@decision-ledger/contract/analytics-quality';
import { readRange } from '@decision-ledger/contract/time';
import type { Ledger } from '../../../platform/ledger.js';
import { readQuality } from '../../judgement/attribution/index.js';
import { readConsistent } from './consistent.js';

/** The route of the model answers with it as it is. */
export { readAttributionModel } from '../../judgement/attribution/index.js';

/**
 * How often suggestions are right, by the audits of events that were recorded in a range.
 * @throws LedgerError `validation_error` for an invalid range
 */
export async function readAttributionQuality(
  ledger: Ledger,
  { start, end }: QualityQuery,
): Promise<AttributionQuality> {
  const range = readRange(start, end);
  const { state, result } = await readConsistent(ledger, (reader) =>
    readQuality(reader, range, reader.clock.now()),
  );
  const { as_of, activity_seq } = state;
  return { as_of, activity_seq, ...result };
}
