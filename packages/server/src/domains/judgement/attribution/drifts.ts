import { DRIFTED, referenceMonths, stabilityOf } from '@decision-ledger/attribution/stability';
import { AttributionDrift } from '@decision-ledger/contract/alert';
import { checker } from '@decision-ledger/contract/validation';
import { parseJson } from '@decision-ledger/proof/gate';
import { uuidToId } from '../../../platform/ids.js';
import type { LedgerReader, LedgerWriter } from '../../../platform/ledger.js';
import { announce } from '../../log/announcements/index.js';
import { insertDrift, selectAttributionDrifts } from './store/attribution-drifts.js';
import { selectScoredCounts } from './store/scored-counts.js';

export type FoundDrift = AttributionDrift;

/** What drifted in some months (`2026-04`, in order), against the months before each. */
export async function findDrifts(
  ledger: LedgerReader,
  months: readonly string[],
): Promise<FoundDrift[]> {
  const [first, last] = [months[0], months.at(-1)];
  if (first === undefined || last === undefined) return [];
  const [from = first] = referenceMonths(first);
  const counts = await selectScoredCounts(ledger, from, last);
  return months.flatMap((month) => {
    const [reference_start = month] = referenceMonths(month);
    return stabilityOf(month, counts).flatMap(
      ({ metric, index, events, reference_events }): FoundDrift[] => {
        if (index === null || index <= DRIFTED) return [];
        const about = { subject: 'attribution', metric, month, reference_start } as const;
        return [{ ...about, index: round(index), events, reference_events }];
      },
    );
  });
}

const round = (value: number): number => Math.round(value * 1e6) / 1e6;

/** Stores and announces drifts, each month and metric once. @param at ms */
export async function keepDrifts(
  tx: LedgerWriter,
  drifts: readonly FoundDrift[],
  at: number,
): Promise<void> {
  const kept: FoundDrift[] = [];
  for (const drift of drifts) {
    const { month, metric } = drift;
    const row = { month, metric, data: JSON.stringify(drift) };
    if (await insertDrift(tx, row, at)) kept.push(drift);
  }
  const subject = uuidToId('led', tx.ledgerId);
  await announce(
    tx,
    kept.map((data) => ({ type: 'drift.detected', subject, data })),
    at,
  );
}

const checkDrift = checker(AttributionDrift, 'drift');

/** Drifts found after a number, oldest first. */
export async function listAttributionDrifts(
  ledger: LedgerReader,
  after: number,
  limit: number,
): Promise<{ readonly found: number; readonly data: FoundDrift }[]> {
  const rows = await selectAttributionDrifts(ledger, after, limit);
  return rows.map(({ found, data }) => ({ found, data: checkDrift(parseJson(data)) }));
}
