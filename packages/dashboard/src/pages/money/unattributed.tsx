import { Text } from '@mantine/core';
import { EmptyState, ErrorPanel, LinesSkeleton } from '../../components/load-states.tsx';
import { Money } from '../../components/values.tsx';
import classes from './figures.module.css';
import { isFiltered, rowsQuery, type TabProps } from './queries.ts';
import { NothingFound, RowTable, usePnl } from './row-table.tsx';

export function Unattributed({ filters }: TabProps) {
  const { data, error, refetch } = usePnl(filters);
  if (error !== null) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <LinesSkeleton />;
  const own = data.by_currency.find(({ currency }) => currency === filters.currency);
  const amount = filters.currency === undefined ? data.unattributed : (own?.unattributed ?? '0');
  return (
    <>
      <div className={classes.figure}>
        {amount !== null && (
          <strong className={classes.amount}>
            <Money amount={amount} currency={filters.currency ?? data.currency} />
          </strong>
        )}
        <Text c="dimmed" size="sm">
          Money that no link takes: nobody knows which decision moved it. A review can name the
          cause.
        </Text>
      </div>
      <RowTable
        label="Unattributed money"
        figure="unattributed"
        query={rowsQuery(filters)}
        empty={
          isFiltered('unattributed', filters) ? (
            <NothingFound />
          ) : (
            <EmptyState title="All money is attributed">
              The part of each event that no link takes appears here. There is none.
            </EmptyState>
          )
        }
      />
    </>
  );
}
