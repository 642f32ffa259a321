import { finish, fold } from '@decision-ledger/contract/fold';
import type { Ledger } from '../../../platform/ledger.js';
import {
  selectStrata,
  selectUndrawnMonths,
  updateDrawn,
  updateDrawnFrom,
  updateUndrawn,
} from './store/audits.js';
import { lockAttributionState } from './store/models.js';

/** Audits of a month, where there are as many events. */
const AUDITS = 30;
/** Sources of a month with strata of their own; later ones share one. */
export const MAX_SOURCES = 6;
/** The source of the shared stratum. */
export const OTHER_SOURCES = '';

/**
 * How many events of each stratum are audited: as many of each, and together at least 30, or all.
 * @param events the sizes of the strata
 */
export function auditsPerStratum(events: readonly number[]): number {
  const all = events.reduce((sum, count) => sum + count, 0);
  const wanted = Math.min(AUDITS, all);
  let each = 0;
  let drawn = 0;
  while (drawn < wanted) {
    each += 1;
    drawn = events.reduce((sum, count) => sum + Math.min(each, count), 0);
  }
  return each;
}

/** The band of an amount: below 10, 100, 1,000, and above. */
export function bandOf(amount: number): number {
  return [10, 100, 1000].filter((least) => amount >= least).length;
}

/**
 * The place of an event in the lottery of its month: it depends on ledger, month and event alone, not on
 * any score.
 */
export function drawOf(ledgerId: string, month: string, eventId: string): number {
  return finish(fold(eventId, fold(` audit ${month} `, fold(ledgerId))));
}

/** The first day of the month (UTC) of a time in ms, as YYYY-MM-DD. */
export function monthOf(at: number): string {
  return `${new Date(at).toISOString().slice(0, 7)}-01`;
}

/** The month before that of a time in ms. */
export function monthBefore(at: number): string {
  const date = new Date(at);
  return monthOf(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - 1, 1));
}

/**
 * Draws the audits of each month whose events changed since the last draw: in each stratum, those that
 * come first in the lottery. A draw depends on nothing but the events, so repeating one has no effect. An
 * event that later ones displace is no audit any more.
 */
export async function drawAudits(ledger: Ledger): Promise<void> {
  for (const month of await selectUndrawnMonths(ledger)) {
    await ledger.write(async (tx) => {
      await lockAttributionState(tx);
      const strata = await selectStrata(tx, month);
      const each = auditsPerStratum(strata.map(({ events }) => events));
      const drawn = strata.map(({ source, band, events }) => ({
        source,
        band,
        audits: Math.min(each, events),
        probability: Math.min(each, events) / Math.max(1, events),
      }));
      await updateUndrawn(tx, month);
      await updateDrawn(tx, month, drawn);
      await updateDrawnFrom(tx, month);
    });
  }
}
