import type { LedgerWriter } from '../../../platform/ledger.js';
import type { Rates } from '../../record/money-signs/index.js';
import { bandOf, drawOf, MAX_SOURCES, monthBefore, monthOf, OTHER_SOURCES } from './audits.js';
import type { EventScore } from './score-events.js';
import {
  addToStrata,
  type FramedRow,
  type StratumRow,
  selectStrata,
  updateFrames,
} from './store/audits.js';

/**
 * Puts events into the frame that audits of their month are drawn from, unless they were recorded before
 * the last month: nobody is asked about years that were imported.
 * @param now ms
 */
export async function frameEvents(
  tx: LedgerWriter,
  scores: readonly EventScore[],
  rates: Rates,
  now: number,
): Promise<void> {
  const earliest = monthBefore(now);
  const sourcesOf = new Map<string, Set<string>>();
  const framed: FramedRow[] = [];
  const strata = new Map<string, StratumRow>();
  for (const { event } of scores) {
    const month = monthOf(event.created_at);
    const worth = rates.worth(event.amount, event.currency, event.timestamp) ?? event.amount;
    const size = Math.abs(Number(worth));
    if (month < earliest || size === 0) continue;
    const sources = sourcesOf.get(month) ?? (await selectSources(tx, month));
    sourcesOf.set(month, sources);
    if (sources.size < MAX_SOURCES) sources.add(event.source);
    const source = sources.has(event.source) ? event.source : OTHER_SOURCES;
    const band = bandOf(size);
    const draw = drawOf(tx.ledgerId, month, event.event_id);
    framed.push({ event_id: event.event_id, month, source, band, draw });
    const name = JSON.stringify([month, source, band]);
    const events = 1 + (strata.get(name)?.events ?? 0);
    strata.set(name, { month, source, band, events });
  }
  await addToStrata(tx, [...strata.values()]);
  await updateFrames(tx, framed);
}

async function selectSources(tx: LedgerWriter, month: string): Promise<Set<string>> {
  const strata = await selectStrata(tx, month);
  return new Set(strata.map(({ source }) => source).filter((source) => source !== OTHER_SOURCES));
}
