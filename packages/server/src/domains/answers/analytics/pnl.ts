import type { Pnl, PnlQuery } from '@decision-ledger/contract/analytics';
import { readChain } from '../../../platform/chain/read-head.js';
import type { Clock } from '../../../platform/clock.js';
import type { Database } from '../../../platform/database.js';
import { expiringCache } from '../../../platform/expiring-cache.js';
import type { Scope } from '../../../platform/scope.js';
import { readConversion, readRounding } from './conversion.js';
import { type Filter, readFilter } from './rules/filter.js';
import { buildPnl, type PnlOfMoney } from './rules/pnl.js';
import type { Conversion } from './store/conditions.js';
import { sumExposure } from './store/exposure.js';
import { sumMoved, sumUnattributed, sumUncertainty } from './store/link-allocations.js';

/**
 * Profit and loss of the money that decisions moved, by the dates of the events.
 * @throws LedgerError `validation_error` for an invalid range
 */
export type ReadPnl = (scope: Scope, query: PnlQuery) => Promise<Pnl>;

const KEPT_MS = 600_000;
const KEPT = 100;

/**
 * All changes of money and rates are recorded in the chain of activity. While its head is the same,
 * cached sums are up to date.
 */
export function pnlReader(db: Database, clock: Clock): ReadPnl {
  const cache = expiringCache<PnlOfMoney>(clock, KEPT_MS, KEPT);
  return async (scope, query) => {
    const filter = readFilter(query);
    // Read first, so that the sums are never older than the head in their cache key.
    const chain = await readChain(db, scope, 'activity');
    const conversion = await readConversion(db, scope);
    const load = () => sumMoney(db, scope, filter, conversion);
    const key = JSON.stringify([scope.ledgerId, chain?.seq, conversion.base, filter]);
    const [money, { decisions, exposure }, { roundExposure }] = await Promise.all([
      chain === null ? load() : cache.get(key, load),
      sumExposure(db, scope, filter),
      readRounding(db, scope, conversion),
    ]);
    return { ...money, expected_liability: roundExposure(exposure), decisions };
  };
}

async function sumMoney(
  db: Database,
  scope: Scope,
  filter: Filter,
  conversion: Conversion,
): Promise<PnlOfMoney> {
  const isWhole = filter.agentId === undefined && filter.actionType === undefined;
  const [moved, unattributed, uncertainty] = await Promise.all([
    sumMoved(db, scope, filter, conversion),
    isWhole ? sumUnattributed(db, scope, filter, conversion) : null,
    sumUncertainty(db, scope, filter, conversion),
  ]);
  return buildPnl(conversion.base, { moved, unattributed, uncertainty });
}
