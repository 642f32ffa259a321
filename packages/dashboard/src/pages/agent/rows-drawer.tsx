import { Drawer } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { present } from '../../app/search-params.ts';
import { ExposureRowList } from './exposure-rows.tsx';
import { MoneyRowList } from './money-rows.tsx';
import type { StatementFigure } from './search.ts';

const route = getRouteApi('/shell/agents/$agentId');

const TITLES: Readonly<Record<StatementFigure, string>> = {
  'confirmed.revenue': 'Confirmed revenue',
  'confirmed.savings': 'Confirmed savings',
  'confirmed.costs': 'Confirmed costs',
  'confirmed.refunds': 'Confirmed refunds',
  'confirmed.losses': 'Confirmed losses',
  'confirmed.net': 'Confirmed net',
  'matched.net': 'Matched',
  'expected.net': 'Expected net: confirmed and matched',
  'guessed.net': 'Guesses',
  exposure: 'Exposure, by decision',
};

/** The rows of the figure in the address. */
export function RowsDrawer({ agentId }: { agentId: string }) {
  const { figure, from, to } = route.useSearch();
  const navigate = route.useNavigate();
  const query = { agent_id: agentId, ...present({ start: from, end: to }) };
  return (
    <Drawer
      opened={figure !== undefined}
      onClose={() => void navigate({ search: { from, to }, resetScroll: false })}
      position="right"
      size="lg"
      title={figure === undefined ? '' : TITLES[figure]}
      closeButtonProps={{ 'aria-label': 'Close the rows' }}
    >
      {figure === 'exposure' && <ExposureRowList query={query} />}
      {figure !== undefined && figure !== 'exposure' && (
        <MoneyRowList key={figure} query={{ ...query, figure }} />
      )}
    </Drawer>
  );
}
