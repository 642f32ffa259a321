export { PROJECTIONS, projectionsFor } from './projections.js';
export { type LedgerRebuild, rebuildLedger } from './rebuild.js';
