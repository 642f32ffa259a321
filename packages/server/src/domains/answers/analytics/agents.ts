import type { AgentFigures, AgentQuery } from '@decision-ledger/contract/analytics';
import { inTurns } from '../../../platform/in-turns.js';
import type { Ledger, LedgerReader } from '../../../platform/ledger.js';
import {
  mapPage,
  type PageRows,
  pageOf,
  type Slice,
  type SortKey,
} from '../../../platform/page.js';
import type { KnownEstimates } from '../../judgement/liability/index.js';
import { readConversion, readEstimated, readRounding, type State } from './consistent.js';
import { type Filter, isWhole, readAnalyticsFilter } from './rules/filter.js';
import { type Both, joinRows, type Printing, printRows, type RowFigures } from './rules/rows.js';
import type { MoneySettings } from './store/conditions.js';
import {
  type AgentPosition,
  type AgentRow,
  sumAgents,
  sumEvents,
  sumMoney,
} from './store/link-allocations.js';

export interface ListedAgent {
  readonly figures: AgentFigures;
  readonly position: AgentPosition;
}

/** A page of agents, with the base currency and the state that it shows. */
export interface AgentRows extends PageRows<ListedAgent> {
  readonly currency: string;
  readonly state: State;
  readonly known: KnownEstimates;
}

/**
 * Agents that decided or moved money in a range, largest exposure first.
 * @throws LedgerError `validation_error` for an invalid range
 */
export async function listAgents(
  ledger: Ledger,
  query: AgentQuery,
  slice: Slice<AgentPosition>,
): Promise<AgentRows> {
  const filter = readAnalyticsFilter(query);
  const { state, known, result } = await readEstimated(ledger, async (reader, known) => {
    const conversion = await readConversion(reader);
    const question = { filter, known, conversion };
    const page = await readAgents(reader, question, slice);
    return { ...page, currency: conversion.base };
  });
  const { page, byAgent, currency } = result;
  const rows = mapPage(page, (row) => {
    // Looked for only now: an agent may be gone between statements of several states.
    const own = byAgent.get(row.agent_id);
    if (own === undefined) throw new Error('an agent has no figures');
    return {
      figures: { agent_id: row.agent_id, ...own },
      position: { exposure: row.exposure, agentId: row.agent_id },
    };
  });
  return { ...rows, currency, state, known };
}

/** The figures of so many agents are rounded together; of more, each is rounded by itself. */
const MAX_TOGETHER = 10_000;

interface Question {
  readonly filter: Filter;
  readonly known: KnownEstimates;
  readonly conversion: MoneySettings;
}

/** Agents, and the figures of those that have some. */
interface AgentPage {
  readonly page: PageRows<AgentRow>;
  readonly byAgent: ReadonlyMap<string, RowFigures>;
}

async function readAgents(
  ledger: LedgerReader,
  { filter, known, conversion }: Question,
  { after, limit }: Slice<AgentPosition>,
): Promise<AgentPage> {
  const page = pageOf(await sumAgents(ledger, filter, known, { after, limit: limit + 1 }), limit);
  const all = await sumAgents(ledger, filter, known, { after: null, limit: MAX_TOGETHER + 1 });
  const isTogether = all.length <= MAX_TOGETHER;
  const shown = isTogether ? all : page.rows;
  const money = await sumMoney(ledger, filter, conversion, {
    ...{ bucket: null, by: 'agent_id', limit: MAX_TOGETHER },
    agentIds: isTogether ? null : shown.map(({ agent_id }) => agent_id),
  });
  const events = isTogether && isWhole(filter) ? await sumEvents(ledger, filter, conversion) : null;
  const rounding = await readRounding(ledger, conversion);
  const printing = { currency: conversion.base, events, bucket: null, ...rounding };
  const rows = joinRows(shown.map(toRow), money);
  const figures = await inTurns(isTogether ? printRows(rows, printing) : printEach(rows, printing));
  const byAgent = new Map<string, RowFigures>();
  for (const [index, { place }] of rows.entries()) {
    const own = figures[index];
    if (own !== undefined && place.key !== null) byAgent.set(place.key, own);
  }
  return { page, byAgent };
}

/** Each row rounded by itself. */
function* printEach(rows: readonly Both[], printing: Printing): Generator<undefined, RowFigures[]> {
  const figures: RowFigures[] = [];
  for (const row of rows) figures.push(...(yield* printRows([row], printing)));
  return figures;
}

const toRow = ({ agent_id, ...decided }: AgentRow) => ({ start: null, key: agent_id, ...decided });

export const byExposure: SortKey<AgentPosition> = {
  write: ({ exposure, agentId }) => [exposure, agentId],
  read: ([exposure = '', agentId = '']) => ({ exposure, agentId }),
};
