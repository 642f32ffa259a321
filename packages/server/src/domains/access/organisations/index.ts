export {
  createOrganisation,
  findLedger,
  ledgersOf,
  type NewOrganisation,
} from './organisations.js';
export { type LedgerRow, selectAllLedgers, selectLedgers } from './store/organisations.js';
