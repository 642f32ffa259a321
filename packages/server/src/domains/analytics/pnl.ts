import type { Pnl, PnlQuery } from '@decision-ledger/contract/analytics';
import type { Database } from '../../platform/database.js';
import type { Scope } from '../../platform/scope.js';
import { readConversion, readRounding } from './conversion.js';
import { readFilter } from './rules/filter.js';
import { buildPnl } from './rules/pnl.js';
import { sumExposure } from './store/sum-exposure.js';
import { sumMoved } from './store/sum-moved.js';
import { sumUnattributed } from './store/sum-unattributed.js';
import { sumUncertainty } from './store/sum-uncertainty.js';

/**
 * Profit and loss of what decisions moved, by the dates of the events.
 * @throws LedgerError `validation_error` for a range that is none
 */
export async function readPnl(db: Database, scope: Scope, query: PnlQuery): Promise<Pnl> {
  const filter = readFilter(query);
  const conversion = await readConversion(db, scope);
  const isWhole = filter.agentId === undefined && filter.actionType === undefined;
  const [moved, unattributed, uncertainty, { decisions, exposure }] = await Promise.all([
    sumMoved(db, scope, filter, conversion),
    isWhole ? sumUnattributed(db, scope, filter, conversion) : null,
    sumUncertainty(db, scope, filter, conversion),
    sumExposure(db, scope, filter),
  ]);
  const { roundExposure } = await readRounding(db, scope, conversion);
  const expected_liability = roundExposure(exposure);
  return buildPnl(conversion.base, {
    ...{ moved, unattributed, uncertainty, decisions, expected_liability },
  });
}
