import type { Liability } from '@decision-ledger/client/api/liability';
import { Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useLedger } from '../../app/session/context.ts';
import type { CsvTable } from '../../components/csv/csv-button.tsx';
import { loadWith } from '../../components/data-table/pages.ts';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { Moment } from '../../components/moment.tsx';
import { Money } from '../../components/money.tsx';
import { LinesSkeleton } from '../../components/page-skeleton.tsx';
import { ShortTable } from '../../components/short-table.tsx';
import { formatCount, formatShare } from '../../format/numbers.ts';

const SHOWN = 20;

const CSV: CsvTable<Liability> = {
  name: 'estimates',
  columns: {
    revision: ({ revision }) => revision,
    estimated_at: ({ estimated_at }) => estimated_at,
    expected: ({ expected }) => ({ decimal: expected }),
    expected_low: ({ expected_low }) => ({ decimal: expected_low }),
    expected_high: ({ expected_high }) => ({ decimal: expected_high }),
    open: ({ open }) => ({ decimal: open }),
    currency: ({ currency }) => currency,
    loss_probability: ({ parts }) => parts.loss_probability,
    amount_at_risk: ({ parts }) => ({ decimal: parts.amount_at_risk }),
    realised: ({ parts }) => ({ decimal: parts.realised }),
    realised_currency: ({ parts }) => parts.realised_currency,
    version: ({ version }) => version,
    snapshot: ({ snapshot }) => snapshot,
  },
};

/** How the estimate changed, newest first. */
export function History({ id }: { id: string }) {
  const ledger = useLedger();
  const { data, error, refetch } = useQuery({
    queryKey: ['decision', id, 'estimates'],
    queryFn: ({ signal }) => ledger.decisions.estimates(id, { limit: SHOWN }, { signal }).page(),
  });
  if (error !== null) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <LinesSkeleton lines={2} />;
  return (
    <>
      <ShortTable
        label="History of the estimate"
        minWidth={520}
        csv={CSV}
        rows={loadWith(
          (wanted, options) => ledger.decisions.estimates(id, wanted, options),
          ({ estimates }) => estimates,
        )}
      >
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Estimated</Table.Th>
            <Table.Th ta="end">Expected cost</Table.Th>
            <Table.Th ta="end">Probability of a loss</Table.Th>
            <Table.Th ta="end">Realised</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {data.estimates.map(({ revision, estimated_at, expected, currency, parts }) => (
            <Table.Tr key={revision}>
              <Table.Td>
                <Moment time={estimated_at} />
              </Table.Td>
              <Table.Td ta="end">
                <Money amount={expected} currency={currency} />
              </Table.Td>
              <Table.Td ta="end">{formatShare(parts.loss_probability, 2)}</Table.Td>
              <Table.Td ta="end">
                <Money amount={parts.realised} currency={parts.realised_currency} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </ShortTable>
      {data.next_cursor !== null && (
        <Text c="dimmed" size="sm" mt="xs">
          The newest {formatCount(SHOWN)} estimates are shown.
        </Text>
      )}
    </>
  );
}
