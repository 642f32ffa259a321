import {
  type Audit,
  judgeAudit,
  type Quality,
  qualityOf,
} from '@decision-ledger/attribution/audits';
import { LEAST_PRECISION, labelWindow } from '@decision-ledger/attribution/labels';
import {
  referenceMonths,
  type ScoredCount,
  stabilityOf,
} from '@decision-ledger/attribution/stability';
import type {
  AttributionQuality,
  QualityMonth,
  QualityPeriod,
} from '@decision-ledger/contract/analytics-quality';
import { formatTimestamp } from '@decision-ledger/contract/time';
import type { LedgerReader } from '../../../platform/ledger.js';
import { selectScoredCounts } from './store/attribution-drifts.js';
import { type AuditRow, type RecordedRange, selectAudits } from './store/audits.js';
import { selectQualityState } from './store/models.js';

/** What audits say of suggestions, without the state that it was read in. */
export type QualityFigures = Omit<AttributionQuality, 'as_of' | 'activity_seq'>;

/**
 * How often the suggestions for events of a range were right, by the audits, and how each month differs
 * from those before.
 * @param now ms
 */
export async function readQuality(
  ledger: LedgerReader,
  range: RecordedRange,
  now: number,
): Promise<QualityFigures> {
  const audits = await readAudits(ledger, range);
  const counts = await readCounts(ledger, range);
  const scored = counts.map(({ month }) => month).filter((month) => isWithin(month, range));
  const months = [...new Set([...audits.map(({ month }) => month), ...scored])].sort();
  return {
    label: await readLabel(ledger, now),
    ...describe(qualityOf(audits)),
    by_month: months.map((month): QualityMonth => {
      const own = audits.filter((audit) => audit.month === month);
      const drift = stabilityOf(month, counts).map(({ shares, reference_shares, ...figures }) => ({
        ...figures,
        shares: [...shares],
        reference_shares: [...reference_shares],
      }));
      return { month, ...describe(qualityOf(own)), drift };
    }),
  };
}

const monthOf = (at: number): string => new Date(at).toISOString().slice(0, 7);

/** Of the months of a range and of those that the first one is compared with. */
function readCounts(ledger: LedgerReader, { start, end }: RecordedRange): Promise<ScoredCount[]> {
  const [from = null] = start === undefined ? [] : referenceMonths(monthOf(start));
  return selectScoredCounts(ledger, from, end === undefined ? null : monthOf(end - 1));
}

function isWithin(month: string, { start, end }: RecordedRange): boolean {
  return (
    (start === undefined || month >= monthOf(start)) &&
    (end === undefined || month <= monthOf(end - 1))
  );
}

async function readLabel(ledger: LedgerReader, now: number): Promise<QualityFigures['label']> {
  const { label_withdrawn, label_changed_at } = await selectQualityState(ledger);
  const start = labelWindow(now);
  const quality = qualityOf(await readAudits(ledger, { start, end: undefined }));
  return {
    state: label_withdrawn ? 'withdrawn' : 'given',
    changed_at: label_changed_at === null ? null : formatTimestamp(label_changed_at),
    least_precision: LEAST_PRECISION,
    audits_since: new Date(start).toISOString().slice(0, 10),
    answered: quality.answered,
    precision: quality.precision.matched,
  };
}

function describe({ calibration, ...quality }: Quality): QualityPeriod {
  return {
    ...quality,
    calibration: calibration === null ? null : { ...calibration, bins: [...calibration.bins] },
  };
}

/** The audits of events that were recorded in a range, with what people said of them. */
export async function readAudits(ledger: LedgerReader, range: RecordedRange): Promise<Audit[]> {
  const byEvent = new Map<string, AuditRow[]>();
  for (const row of await selectAudits(ledger, range)) {
    const others = byEvent.get(row.event_id);
    if (others === undefined) byEvent.set(row.event_id, [row]);
    else others.push(row);
  }
  return [...byEvent.values()].flatMap((rows) => toAudit(rows));
}

/** @param rows of one event, oldest first */
function toAudit(rows: readonly AuditRow[]): Audit[] {
  const [row] = rows;
  if (row === undefined) return [];
  const said = rows.filter(({ verdict }) => verdict !== null && verdict !== 'skipped');
  const candidates = said[0]?.candidates ?? null;
  const decisions = (verdict: AuditRow['verdict']) =>
    said.flatMap((one) =>
      one.verdict === verdict && one.decision_id !== null ? [one.decision_id] : [],
    );
  const answer = judgeAudit(
    candidates?.map(({ decision_id, share, label, is_suggested }) => ({
      decisionId: decision_id,
      share,
      isMatched: label === 'matched',
      isSuggested: is_suggested,
    })) ?? null,
    {
      causes: decisions('cause'),
      others: decisions('not_cause'),
      isNone: said.some(({ verdict }) => verdict === 'none'),
      isSkipped: rows.some(({ verdict }) => verdict === 'skipped'),
    },
  );
  const { month, source, band, probability } = row;
  return [{ month, stratum: `${band} ${source}`, probability, answer }];
}
