import type { LedgerWriter } from '../../../platform/ledger.js';
import { readSettings } from '../../access/settings/index.js';
import { classifyEvent } from '../../record/money-signs/index.js';
import { lockAttributionState } from './store/attribution-states.js';
import { insertWaiting } from './store/events-to-score.js';
import { selectSuggestedTypes } from './store/suggested-types.js';

/** Lets the events (UUIDs) wait to be scored whose suggestions have another link type than the settings give. */
export async function awaitOtherTypes(
  tx: LedgerWriter,
  eventIds: readonly string[],
): Promise<void> {
  // As extraction does, before rows that both insert.
  await lockAttributionState(tx);
  const rows = await selectSuggestedTypes(tx, eventIds);
  if (rows.length === 0) return;
  const { attribution } = await readSettings(tx);
  const others = rows.filter((row) => {
    const { link_type, reversal } = classifyEvent(attribution, row);
    return link_type !== row.link_type || reversal !== row.reversal;
  });
  const waiting = new Set(others.map(({ event_id }) => event_id));
  await insertWaiting(tx, [...waiting]);
}
