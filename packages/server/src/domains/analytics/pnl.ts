import type { Pnl, PnlQuery } from '@decision-ledger/contract/analytics';
import type { Database } from '../../platform/database.js';
import type { Scope } from '../../platform/scope.js';
import { readSettings } from '../settings/index.js';
import { readFilter } from './rules/filter.js';
import { buildPnl } from './rules/pnl.js';
import { countDecisions } from './store/count-decisions.js';
import { selectAttributed } from './store/select-attributed.js';
import { selectUnattributed } from './store/select-unattributed.js';

/**
 * Profit and loss of what decisions moved, by the dates of the events.
 * @throws LedgerError `validation_error` for a range that is none
 */
export async function readPnl(db: Database, scope: Scope, query: PnlQuery): Promise<Pnl> {
  const filter = readFilter(query);
  const { base_currency: base, exchange_rates: rates } = await readSettings(db, scope);
  const isWhole = filter.agentId === undefined && filter.actionType === undefined;
  const attributed = await selectAttributed(db, scope, filter, base, rates);
  const rest = isWhole ? await selectUnattributed(db, scope, filter, base, rates) : null;
  return buildPnl(base, attributed, rest, await countDecisions(db, scope, filter));
}
