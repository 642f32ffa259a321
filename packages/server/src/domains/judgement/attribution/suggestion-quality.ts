import { selectDue } from '../../../platform/followers/due-work.js';
import type { DueFollower } from '../../../platform/followers/follower.js';
import type { Ledger, LedgerReader } from '../../../platform/ledger.js';
import { readSettings } from '../../access/settings/index.js';
import { checkQuality } from './check-quality.js';
import { drawAudits } from './draw-audits.js';
import { refreshingModel } from './models.js';
import {
  lockAttribution,
  SUGGESTION_QUALITY,
  selectQualityState,
} from './store/attribution-states.js';
import { selectUndrawnMonths } from './store/audit-strata.js';
import { selectLastReview } from './store/event-reviews.js';
import { SUGGESTIONS } from './store/events-to-score.js';
import { EVENTS_PER_STEP } from './suggest.js';

const DAY_MS = 86_400_000;

/** Learns from suggestions, checks them and draws audits, each day and after events were scored. */
export const suggestionQuality: DueFollower = {
  name: SUGGESTION_QUALITY,
  kind: 'recorder',
  subjects: 'led',
  owns: ['attribution_drifts'],
  step: 1,
  isLong: true,
  async advance(ledger) {
    const now = ledger.clock.now();
    // Each part of a backlog would change what is learned and drawn.
    if ((await selectDue(ledger, SUGGESTIONS, now, EVENTS_PER_STEP + 1)).length > EVENTS_PER_STEP)
      return null;
    await checkSuggestions(ledger);
    return {
      lock: lockAttribution,
      write: async (tx, ids) => ((await isChecked(tx)) ? ids : []),
      again: (Math.floor(now / DAY_MS) + 1) * DAY_MS,
    };
  },
};

/** Every part can be repeated. */
export async function checkSuggestions(ledger: Ledger): Promise<void> {
  await refreshingModel(ledger, await readSettings(ledger));
  await checkQuality(ledger);
  await drawAudits(ledger);
}

/** Whether no event was scored or reviewed since the check. */
async function isChecked(ledger: LedgerReader): Promise<boolean> {
  const { checked_reviews } = await selectQualityState(ledger);
  if (checked_reviews !== (await selectLastReview(ledger))) return false;
  return (await selectUndrawnMonths(ledger)).length === 0;
}
