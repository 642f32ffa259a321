import type { Queryable } from '../../platform/database.js';
import type { Scope } from '../../platform/scope.js';
import { readSettings } from '../settings/index.js';
import type { Conversion } from './store/rates.js';

/** What a ledger's amounts are converted into, and by which rates. */
export async function readConversion(db: Queryable, scope: Scope): Promise<Conversion> {
  const { base_currency: base, exchange_rates: rates } = await readSettings(db, scope);
  return { base, rates };
}
