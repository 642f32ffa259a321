import { type Quality, qualityOf } from '@decision-ledger/attribution/audits';
import {
  isLabelWithdrawn,
  LEAST_PRECISION,
  labelWindow,
} from '@decision-ledger/attribution/labels';
import { DRIFTED, referenceMonths, stabilityOf } from '@decision-ledger/attribution/stability';
import { AttributionDrift } from '@decision-ledger/contract/alert';
import { checker } from '@decision-ledger/contract/validation';
import { parseJson } from '@decision-ledger/proof/gate';
import { lockHead } from '../../../platform/chain/head.js';
import { uuidToId } from '../../../platform/ids.js';
import type { Ledger, LedgerReader, LedgerWriter } from '../../../platform/ledger.js';
import { recordActivity } from '../../log/activity/index.js';
import { announce } from '../../log/announcements/index.js';
import { monthBefore, monthOf } from './audits.js';
import { readAudits } from './read-quality.js';
import {
  insertDrift,
  selectAttributionDrifts,
  selectScoredCounts,
} from './store/attribution-drifts.js';
import { insertWaitingMatched } from './store/events-to-score.js';
import {
  lockAttributionState,
  type QualityState,
  selectQualityState,
  updateChecked,
  updateLabel,
} from './store/models.js';
import { selectLastReview } from './store/reviews.js';

const DAY_MS = 86_400_000;

/** What a check found. */
interface Findings {
  readonly now: number;
  readonly state: QualityState;
  readonly reviews: number;
  readonly quality: Quality;
  readonly drifts: readonly FoundDrift[];
}

/**
 * Decides from the audits whether suggestions may be labelled `matched`, each day and after each review,
 * and looks for drift each day. After a change of the label, the events that it concerns wait to be scored.
 */
export async function checkQuality(ledger: Ledger): Promise<void> {
  const now = ledger.clock.now();
  const today = Math.floor(now / DAY_MS);
  const state = await selectQualityState(ledger);
  const reviews = await selectLastReview(ledger);
  const isNewDay = state.checked_day !== today;
  if (!isNewDay && state.checked_reviews === reviews) return;
  const window = { start: labelWindow(now), end: undefined };
  const quality = qualityOf(await readAudits(ledger, window));
  const drifts = isNewDay ? await recentDrifts(ledger, now) : [];
  await ledger.write(async (tx) => {
    await lockHead(tx, 'activity');
    await lockAttributionState(tx);
    const locked = await selectQualityState(tx);
    if (locked.checked_day !== state.checked_day) return;
    if (locked.checked_reviews !== state.checked_reviews) return;
    await decideLabel(tx, { now, state, reviews, quality, drifts });
    await keepDrifts(tx, drifts, now);
    await updateChecked(tx, today, reviews);
  });
}

/** Of the current month and the one before. */
async function recentDrifts(ledger: LedgerReader, now: number): Promise<FoundDrift[]> {
  const months = [monthBefore(now), monthOf(now)].map((day) => day.slice(0, 7));
  return findDrifts(ledger, months);
}

async function decideLabel(tx: LedgerWriter, { now, state, quality }: Findings): Promise<void> {
  const isWithdrawn = isLabelWithdrawn(
    { isWithdrawn: state.label_withdrawn, changedAt: state.label_changed_at },
    quality,
    now,
  );
  if (isWithdrawn === state.label_withdrawn) return;
  const { matched } = quality.precision;
  await recordActivity(tx, {
    type: isWithdrawn ? 'attribution.label_withdrawn' : 'attribution.label_restored',
    actor: 'engine',
    subject: uuidToId('led', tx.ledgerId),
    data: {
      label: 'matched',
      least_precision: LEAST_PRECISION,
      precision: matched === null ? null : { ...matched },
      answered: quality.answered,
      audits_since: new Date(labelWindow(now)).toISOString().slice(0, 10),
    },
  });
  await updateLabel(tx, isWithdrawn, now);
  await insertWaitingMatched(tx);
}

type FoundDrift = AttributionDrift;

/** What drifted in some months (`2026-04`, in order), against the months before each. */
async function findDrifts(ledger: LedgerReader, months: readonly string[]): Promise<FoundDrift[]> {
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
async function keepDrifts(
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
