import { Button } from '@mantine/core';
import { useState } from 'react';
import { useLive } from '../../app/live/context.tsx';
import { formatCount } from '../../format/numbers.ts';
import type { DecisionFilters } from './filters.ts';

interface NewDecisionsProps {
  readonly filters: DecisionFilters;
  readonly onShow: () => void;
}

/** Says how many decisions were recorded since the list was read, so that the list itself does not jump. */
export function NewDecisions({ filters, onShow }: NewDecisionsProps) {
  const [count, setCount] = useState(0);
  useLive(({ type, data }) => {
    if (type !== 'decision.recorded') return;
    const isWanted =
      (filters.agent === undefined || filters.agent === data.agent_id) &&
      (filters.action === undefined || filters.action === data.action_type);
    if (isWanted) setCount((old) => old + 1);
  });
  if (count === 0) return null;
  const onClick = () => {
    setCount(0);
    window.scrollTo({ top: 0 });
    onShow();
  };
  return (
    <Button size="compact-sm" variant="light" mb="xs" onClick={onClick} data-screen-only>
      {count === 1 ? 'Show 1 new decision' : `Show ${formatCount(count)} new decisions`}
    </Button>
  );
}
