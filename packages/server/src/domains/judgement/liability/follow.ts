import type { LogFollower } from '../../../platform/followers/follower.js';
import { catchUp } from '../../../platform/followers/step.js';
import type { Ledger } from '../../../platform/ledger.js';
import { selectLastErasure } from '../../record/decisions/index.js';
import { readFirstEstimates } from './first-estimates.js';
import { ESTIMATES, storeFirst } from './store/exposure.js';
import { lockLiabilityState } from './store/liability-states.js';

/** Stores the first estimates of decisions, and adds them to the cells, so that analyses stay fast. */
export const estimateFollower: LogFollower = {
  name: ESTIMATES,
  kind: 'projection',
  follows: ['decisions'],
  owns: ['exposure_cells'],
  step: 1000,
  // The sums must have all or none of the estimates before a position: they wait, whatever fails.
  isFatal: () => true,
  async advance(ledger, { after, until }) {
    const span = { after, until };
    const erasure = await selectLastErasure(ledger);
    const made = await readFirstEstimates(ledger, span);
    return {
      async write(tx) {
        // Who changes an estimate changes the cells, if it is in them. An erasure takes this lock before it erases.
        await lockLiabilityState(tx);
        const isOutdated = (await selectLastErasure(tx)) !== erasure;
        await storeFirst(tx, span, isOutdated ? await readFirstEstimates(tx, span) : made);
      },
    };
  },
};

/**
 * Stores the estimates of all decisions that are recorded when it begins.
 * @throws if one cannot be made
 */
export function storeEstimates(
  ledger: Ledger,
  signal: AbortSignal = new AbortController().signal,
): Promise<void> {
  return catchUp(ledger, estimateFollower, signal);
}
