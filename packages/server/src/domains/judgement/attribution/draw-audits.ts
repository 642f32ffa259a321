import type { Ledger } from '../../../platform/ledger.js';
import { auditsPerStratum } from './audit-plan.js';
import { lockAttributionState } from './store/attribution-states.js';
import { updateDrawn, updateUndrawn } from './store/audit-draw.js';
import { selectStrata, selectUndrawnMonths, updateDrawnFrom } from './store/audit-strata.js';

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
