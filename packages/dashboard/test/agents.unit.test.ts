import { describe, expect, it } from 'vitest';
import { type Agent, selectAgents, sortedBy } from '#dashboard/pages/agents/order.ts';

const SUMS = { revenue: '0.00', losses: '0.00', net: '0.00' };

function agentOf(agent_id: string, given: Partial<Agent>): Agent {
  return {
    ...{ agent_id, decisions: 1, mean_confidence: 0.5, human_review_share: 0, exposure: '0.00' },
    ...{ ...SUMS, guessed: SUMS, unconverted: [] },
    ...given,
  };
}

const AGENTS = [
  agentOf('b', { net: '10.00', losses: '-5.00', exposure: '9.00' }),
  agentOf('A', { net: '-3.00', losses: '-20.00', exposure: '100.00' }),
  agentOf('c', { net: '10.00', losses: '0.00', exposure: null }),
];
const names = (search: Parameters<typeof selectAgents>[1]) =>
  selectAgents(AGENTS, search)
    .map(({ agent_id }) => agent_id)
    .join('');

describe('The table of agents', () => {
  it.each([
    [{}, 'Abc'],
    [{ sort: 'net' }, 'bcA'],
    [{ sort: 'net', order: 'up' }, 'Abc'],
    [{ sort: 'losses' }, 'Abc'],
    [{ sort: 'agent' }, 'Abc'],
    [{ sort: 'agent', order: 'down' }, 'cbA'],
    [{ name: 'a' }, 'A'],
    [{ name: 'x' }, ''],
  ] as const)('The search %o gives the agents in the order "%s"', (search, order) => {
    expect(names(search)).toBe(order);
  });

  it('A column is turned by a second click, and the range and the filter stay', () => {
    const search = { from: '2026-04-01', name: 'bot' };
    const first = sortedBy(search, 'net');
    expect(first).toEqual({ ...search, sort: 'net', order: undefined });
    const second = sortedBy(first, 'net');
    expect(second).toEqual({ ...search, sort: 'net', order: 'up' });
    expect(sortedBy(second, 'net').order).toBeUndefined();
  });
});
