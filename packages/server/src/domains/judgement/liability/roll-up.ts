import type { LogFollower } from '../../../platform/followers/follower.js';
import { addToCells, EXPOSURE_SUMS } from './store/exposure.js';
import { lockState } from './store/liability-states.js';

/** Adds the estimates of new decisions to the cells, so that analyses stay fast. */
export const exposureSums: LogFollower = {
  name: EXPOSURE_SUMS,
  kind: 'projection',
  follows: ['decisions'],
  owns: ['exposure_cells'],
  step: 2000,
  // The sums must have all or none of the estimates before a position: they wait, whatever fails.
  isFatal: () => true,
  advance: async (_ledger, { after, until }) => ({
    write: async (tx) => {
      // Who changes an estimate changes the cells, if it is in them.
      await lockState(tx);
      await addToCells(tx, { after, until });
    },
  }),
};
