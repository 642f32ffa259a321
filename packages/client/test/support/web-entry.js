export { Ledger } from '@decision-ledger/client';
