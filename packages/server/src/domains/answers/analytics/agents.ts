import type { AgentFigures, AgentQuery } from '@decision-ledger/contract/analytics';
import type { Database } from '../../../platform/database.js';
import { mapPage, type PageRows, pageOf } from '../../../platform/page.js';
import type { Scope } from '../../../platform/scope.js';
import { readRounding } from './conversion.js';
import { readFilter } from './rules/filter.js';
import { describeRow } from './rules/rows.js';
import type { Conversion } from './store/conditions.js';
import { type AgentPosition, sumAgents, sumMoney } from './store/link-allocations.js';

export interface ListedAgent {
  readonly figures: AgentFigures;
  readonly position: AgentPosition;
}

/**
 * Agents that decided or moved money in a range, largest exposure first.
 * @throws LedgerError `validation_error` for an invalid range
 */
export async function listAgents(
  db: Database,
  scope: Scope,
  conversion: Conversion,
  query: AgentQuery,
  after: AgentPosition | null,
  limit: number,
): Promise<PageRows<ListedAgent>> {
  const filter = readFilter(query);
  const page = pageOf(await sumAgents(db, scope, filter, after, limit + 1), limit);
  const money = await sumMoney(db, scope, filter, conversion, {
    bucket: null,
    by: 'agent_id',
    agentIds: page.rows.map(({ agent_id }) => agent_id),
    limit,
  });
  const byAgent = new Map(money.map((row) => [row.key, row]));
  const rounding = await readRounding(db, scope, conversion);
  return mapPage(page, (row) => ({
    figures: { agent_id: row.agent_id, ...describeRow(row, byAgent.get(row.agent_id), rounding) },
    position: { exposure: row.exposure, agentId: row.agent_id },
  }));
}
