import { rangesOf, type Projection } from '../../../platform/projections/projection.js';
import { selectEndOfEvents } from '../../record/financial-events/index.js';
import { CELLS, compareCells, selectEndOfHours } from './store/exposure.js';
import { lockLiability } from './store/liability-states.js';
import { ALLOCATIONS, compareAllocations } from './store/link-allocations.js';

/** Events whose money is divided together. */
const EVENTS = 250;
/** Decisions whose estimates are added up together; those of an hour always are. */
const DECISIONS = 2000;

/** What links move of their events: it follows from the counted amounts. */
export const linkAllocations: Projection = {
  name: 'allocations',
  makes: ['link_allocations.*'],
  after: ['counted-amounts'],
  rows: ALLOCATIONS,
  parts: (ledger) =>
    rangesOf((after) => selectEndOfEvents(ledger, after, EVENTS), compareAllocations),
  lock: lockLiability,
};

/** The sums of estimates by hour, up to where the follower has added them. */
export const exposureCells: Projection = {
  name: 'exposure-cells',
  makes: ['exposure_cells.*'],
  after: ['estimates'],
  rows: CELLS,
  parts: (ledger) => rangesOf((after) => selectEndOfHours(ledger, after, DECISIONS), compareCells),
  lock: lockLiability,
};
