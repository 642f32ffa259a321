export { createOrganisation, type NewOrganisation } from './create.js';
export { type LedgerRow, selectAllLedgers, selectLedgers } from './store/organisations.js';
