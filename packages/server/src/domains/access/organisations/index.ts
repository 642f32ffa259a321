export { createOrganisation, type NewOrganisation } from './create.js';
export { type LedgerRow, selectLedgers } from './store/organisations.js';
