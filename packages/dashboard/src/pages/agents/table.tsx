import { Anchor, Table } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { AgentSort, AgentsSearch } from '../../app/search-params.ts';
import { Money } from '../../components/values.tsx';
import { formatCount, formatShare } from '../../format/numbers.ts';
import { type Agent, orderOf, sortedBy } from './order.ts';
import classes from './table.module.css';

interface AgentTableProps {
  readonly agents: readonly Agent[];
  readonly currency: string;
  readonly search: AgentsSearch;
}

interface Column {
  readonly sort: AgentSort;
  readonly header: string;
  /** The smallest screen that shows it; default: every screen. */
  readonly from?: 'sm' | 'md';
  readonly cell: (agent: Agent, currency: string) => ReactNode;
}

const COLUMNS: readonly Column[] = [
  {
    sort: 'net',
    header: 'Net',
    cell: ({ net }, currency) => <Money amount={net} currency={currency} signed />,
  },
  {
    sort: 'losses',
    header: 'Losses',
    from: 'md',
    cell: ({ losses }, currency) => <Money amount={losses} currency={currency} />,
  },
  {
    sort: 'guessed',
    header: 'Guesses',
    from: 'md',
    cell: ({ guessed }, currency) => <Money amount={guessed.net} currency={currency} />,
  },
  {
    sort: 'exposure',
    header: 'Exposure',
    cell: ({ exposure }, currency) =>
      exposure === null ? 'Being estimated' : <Money amount={exposure} currency={currency} />,
  },
  {
    sort: 'decisions',
    header: 'Decisions',
    from: 'sm',
    cell: ({ decisions }) => formatCount(decisions),
  },
  {
    sort: 'confidence',
    header: 'Mean confidence',
    from: 'md',
    cell: ({ mean_confidence: mean }) => (mean === null ? 'None' : formatShare(mean, 1)),
  },
];

/** One line for each agent. Its name leads to its statement of the same range. */
export function AgentTable({ agents, currency, search }: AgentTableProps) {
  const { from, to } = search;
  return (
    <Table.ScrollContainer minWidth={320}>
      <Table
        className={classes.table}
        highlightOnHover
        highlightOnHoverColor="var(--surface)"
        aria-label="Agents"
      >
        <Table.Thead>
          <Table.Tr>
            <Head column={{ sort: 'agent', header: 'Agent' }} search={search} />
            {COLUMNS.map((column) => (
              <Head key={column.sort} column={column} search={search} />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {agents.map((agent) => (
            <Table.Tr key={agent.agent_id}>
              <Table.Td className={classes.name}>
                <Anchor
                  fw={500}
                  renderRoot={(props) => (
                    <Link
                      to="/agents/$agentId"
                      params={{ agentId: agent.agent_id }}
                      search={{ from, to }}
                      {...props}
                    />
                  )}
                >
                  {agent.agent_id}
                </Anchor>
              </Table.Td>
              {COLUMNS.map(({ sort, from: screen, cell }) => (
                <Table.Td key={sort} ta="end" data-column={sort} data-from={screen}>
                  {cell(agent, currency)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

interface HeadProps {
  readonly column: Pick<Column, 'sort' | 'header' | 'from'>;
  readonly search: AgentsSearch;
}

const STATES = { up: 'ascending', down: 'descending' } as const;

function Head({ column: { sort, header, from }, search }: HeadProps) {
  const current = orderOf(search);
  const isSorted = current.sort === sort;
  return (
    <Table.Th
      ta={sort === 'agent' ? 'start' : 'end'}
      aria-sort={isSorted ? STATES[current.order] : 'none'}
      data-from={from}
    >
      <Link
        to="/agents"
        search={sortedBy(search, sort)}
        resetScroll={false}
        className={classes.sort}
        data-sorted={isSorted}
        data-align={sort === 'agent' ? 'start' : 'end'}
      >
        {header}
        <span aria-hidden="true" className={classes.mark}>
          {isSorted && current.order === 'up' ? '↑' : '↓'}
        </span>
      </Link>
    </Table.Th>
  );
}
