import type { AgentPage } from '@decision-ledger/client/api/analytics';
import type { AgentSort, AgentsSearch } from '../../app/search-params.ts';
import { compareDecimals } from '../../format/decimal.ts';

export type Agent = AgentPage['agents'][number];

type Compare = (left: Agent, right: Agent) => number;

const COMPARE: Readonly<Record<AgentSort, Compare>> = {
  agent: (left, right) => left.agent_id.localeCompare(right.agent_id),
  net: (left, right) => compareDecimals(left.net, right.net),
  losses: (left, right) => compareDecimals(left.losses, right.losses),
  guessed: (left, right) => compareDecimals(left.guessed.net, right.guessed.net),
  exposure: (left, right) => compareDecimals(left.exposure ?? '0', right.exposure ?? '0'),
  decisions: (left, right) => left.decisions - right.decisions,
  confidence: (left, right) => (left.mean_confidence ?? -1) - (right.mean_confidence ?? -1),
};

/** How the table is ordered. */
export function orderOf({ sort = 'exposure', order }: AgentsSearch) {
  return { sort, order: order ?? firstOrderOf(sort) };
}

/** The order that a column has at the first click. Losses are negative: the largest are the smallest. */
function firstOrderOf(sort: AgentSort): 'up' | 'down' {
  return sort === 'agent' || sort === 'losses' ? 'up' : 'down';
}

/** The search that a click on the head of a column leads to. */
export function sortedBy(search: AgentsSearch, column: AgentSort): AgentsSearch {
  const { sort, order } = orderOf(search);
  const turned = order === 'up' ? 'down' : 'up';
  const next = sort === column ? turned : firstOrderOf(column);
  return { ...search, sort: column, order: next === firstOrderOf(column) ? undefined : next };
}

/** The agents whose name has the text, in the order of the search. Equal ones are ordered by name. */
export function selectAgents(agents: readonly Agent[], search: AgentsSearch): readonly Agent[] {
  const { sort, order } = orderOf(search);
  const text = search.name?.toLowerCase() ?? '';
  const direction = order === 'up' ? 1 : -1;
  return agents
    .filter(({ agent_id }) => agent_id.toLowerCase().includes(text))
    .toSorted(
      (left, right) => direction * COMPARE[sort](left, right) || COMPARE.agent(left, right),
    );
}
