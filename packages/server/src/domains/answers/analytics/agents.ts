import type { AgentFigures, AgentQuery } from '@decision-ledger/contract/analytics';
import type { Queryable } from '../../../platform/database.js';
import { mapPage, type PageRows, pageOf } from '../../../platform/page.js';
import type { Scope } from '../../../platform/scope.js';
import { type ReadTools, readConsistent, type State } from './consistent.js';
import { readConversion, readRounding } from './conversion.js';
import { type Filter, readFilter } from './rules/filter.js';
import { describeRow } from './rules/rows.js';
import type { Conversion } from './store/conditions.js';
import { type AgentPosition, sumAgents, sumMoney } from './store/link-allocations.js';

export interface ListedAgent {
  readonly figures: AgentFigures;
  readonly position: AgentPosition;
}

/** A page of agents, with the base currency and the state that it shows. */
export interface AgentRows extends PageRows<ListedAgent> {
  readonly currency: string;
  readonly state: State;
}

/**
 * Agents that decided or moved money in a range, largest exposure first.
 * @throws LedgerError `validation_error` for an invalid range
 */
export async function listAgents(
  tools: ReadTools,
  scope: Scope,
  query: AgentQuery,
  after: AgentPosition | null,
  limit: number,
): Promise<AgentRows> {
  const filter = readFilter(query);
  const { state, result } = await readConsistent(tools, scope, async (db) => {
    const conversion = await readConversion(db, scope);
    const page = await readAgents(db, scope, filter, conversion, after, limit);
    return { ...page, currency: conversion.base };
  });
  return { ...result, state };
}

async function readAgents(
  db: Queryable,
  scope: Scope,
  filter: Filter,
  conversion: Conversion,
  after: AgentPosition | null,
  limit: number,
): Promise<PageRows<ListedAgent>> {
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
