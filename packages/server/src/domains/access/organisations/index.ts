export { createOrganisation, type NewOrganisation } from './create.js';
export { findLedger } from './find.js';
export { type LedgerRow, selectAllLedgers, selectLedgers } from './store/organisations.js';
