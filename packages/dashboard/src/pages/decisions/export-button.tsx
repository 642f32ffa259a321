import type { ExportFilter } from '@decision-ledger/client/api/export';
import { Anchor, Button, Group, Modal, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import type { DecisionFilters } from '../../app/search-params.ts';
import { useLedger } from '../../app/session/context.tsx';
import { DayRangeFields } from '../../components/day-range.tsx';
import { ExportFilterText } from '../../components/export-scope.tsx';
import { ErrorPanel } from '../../components/load-states.tsx';
import { Gate } from '../../components/page.tsx';
import type { DayRange } from '../../format/dates.ts';
import { exportFilterOf } from './filters.tsx';

/** Exports what the list shows, for those who may. Without a condition, the page Evidence does. */
export function ExportButton({ filters }: { filters: DecisionFilters }) {
  const [isOpen, dialog] = useDisclosure(false);
  const filter = exportFilterOf(filters);
  if (filter === null) return null;
  return (
    <Gate permission="export">
      <Button size="xs" variant="default" onClick={dialog.open} data-screen-only>
        Export these…
      </Button>
      <Modal
        opened={isOpen}
        onClose={dialog.close}
        title="Export these decisions"
        size="lg"
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <ExportForm filter={filter} range={{ from: filters.from, to: filters.to }} />
      </Modal>
    </Gate>
  );
}

function ExportForm({ filter, range }: { filter: ExportFilter; range: DayRange }) {
  const ledger = useLedger();
  const queries = useQueryClient();
  const [{ from = '', to = '' }, setDays] = useState(range);
  const requesting = useMutation({
    mutationFn: () =>
      ledger.exports.create({
        ...{ export_type: 'forensic', start_date: from, end_date: to, filter },
      }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['exports'] }),
  });
  const evidence = (
    <Anchor underline="always" renderRoot={(props) => <Link to="/evidence" {...props} />}>
      Evidence
    </Anchor>
  );
  if (requesting.isSuccess) {
    return <Text role="status">The export is requested. The page {evidence} lists it.</Text>;
  }
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    requesting.mutate();
  };
  return (
    <form onSubmit={onSubmit}>
      <Text size="sm" mb="xs">
        A signed archive of the decisions with <ExportFilterText filter={filter} />, their confirmed
        links and the events of these links.
      </Text>
      <Text size="sm" c="dimmed" mb="md">
        Of all other decisions it has hashes alone. They prove that the range is whole; that none of
        them matches is your statement, and the check says so.
      </Text>
      <DayRangeFields range={{ from, to }} onChange={setDays} />
      {(from === '' || to === '') && (
        <Text size="xs" c="dimmed" mt={4}>
          An archive needs a first and a last day.
        </Text>
      )}
      {requesting.error !== null && <ErrorPanel error={requesting.error} />}
      <Group justify="flex-end" mt="md">
        <Button type="submit" disabled={from === '' || to === ''} loading={requesting.isPending}>
          Export
        </Button>
      </Group>
    </form>
  );
}
