import type { ConnectionState, WithheldPlan } from '@decision-ledger/client/api/operations';
import { Anchor, Button, Group, Modal, Table, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useLedger } from '../../app/session/context.tsx';
import { ErrorPanel } from '../../components/load-states.tsx';
import { type CsvTable, ShortTable } from '../../components/rows.tsx';
import { Moment, Money } from '../../components/values.tsx';
import { formatRange, monthRange } from '../../format/dates.ts';
import { formatQuantity } from '../../format/numbers.ts';

interface WithheldProps {
  readonly connection: ConnectionState;
  /** Of the query that reads the connections. */
  readonly queryKey: readonly string[];
}

/** What a poll found and did not apply, for a person who knows whether the books are right. */
export function Withheld({ connection, queryKey }: WithheldProps) {
  const [isOpen, dialog] = useDisclosure(false);
  const { id, withheld } = connection;
  if (withheld === null) return null;
  return (
    <>
      <Button
        mt={6}
        size="compact-sm"
        variant="default"
        aria-label={`Changes withheld of ${id}`}
        onClick={dialog.open}
      >
        {withheld.is_released ? 'Released changes…' : 'Changes withheld…'}
      </Button>
      <Modal
        opened={isOpen}
        onClose={dialog.close}
        size="xl"
        title={`Changes withheld of ${id}`}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <Plan plan={withheld} onFollow={dialog.close} />
        <Release id={id} plan={withheld} queryKey={queryKey} onDone={dialog.close} />
      </Modal>
    </>
  );
}

const REASONS: Readonly<Record<WithheldPlan['reasons'][number], string>> = {
  deletions: 'more than a tenth of the events would be deleted',
  month: 'a month would be left without events',
  confirmed: 'an event with a link that a person made or confirmed would be deleted',
  sums: 'more than a tenth of the money of a currency would change',
};

function Plan({ plan, onFollow }: { plan: WithheldPlan; onFollow: () => void }) {
  const { since, reasons, deleted, changed, confirmed, months, held_back, items } = plan;
  const all = deleted + changed;
  return (
    <>
      <Text size="sm">
        Since <Moment time={since} />, the books differ from what is recorded:{' '}
        {formatQuantity(deleted, 'event')} would be deleted
        {confirmed > 0 && ` (${confirmed} with a confirmed link)`} and{' '}
        {formatQuantity(changed, 'event')} changed. None of it is applied, because{' '}
        {reasons.map((reason) => REASONS[reason]).join('; ')}.
      </Text>
      {months.length > 0 && (
        <Text size="sm" mt={6}>
          Left without events: {months.map((month) => formatRange(monthRange(month))).join(', ')}.
        </Text>
      )}
      {held_back > 0 && (
        <Text size="sm" mt={6}>
          {formatQuantity(held_back, 'new record')} will wait until then, because they may be edits
          of deleted ones.
        </Text>
      )}
      <Sums plan={plan} />
      <Items items={items} onFollow={onFollow} />
      {all > items.length && (
        <Text size="xs" c="dimmed">
          These are the first {items.length} of {all}.
        </Text>
      )}
    </>
  );
}

const SUMS: CsvTable<WithheldPlan['sums'][number]> = {
  name: 'withheld-sums',
  columns: {
    currency: ({ currency }) => currency,
    before: ({ before }) => ({ decimal: before }),
    after: ({ after }) => ({ decimal: after }),
  },
};

function Sums({ plan: { sums } }: { plan: WithheldPlan }) {
  if (sums.length === 0) return null;
  return (
    <ShortTable label="Sums of the connection" minWidth={360} csv={SUMS} rows={sums}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Currency</Table.Th>
          <Table.Th ta="end">Recorded now</Table.Th>
          <Table.Th ta="end">After a release</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {sums.map(({ currency, before, after }) => (
          <Table.Tr key={currency}>
            <Table.Td>{currency}</Table.Td>
            <Table.Td ta="end">
              <Money amount={before} currency={currency} />
            </Table.Td>
            <Table.Td ta="end">
              <Money amount={after} currency={currency} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </ShortTable>
  );
}

type Item = WithheldPlan['items'][number];

const ITEMS: CsvTable<Item> = {
  name: 'withheld-events',
  columns: {
    change: ({ change }) => change,
    event: ({ event }) => event,
    amount: ({ amount }) => ({ decimal: amount }),
    currency: ({ currency }) => currency,
    description: ({ description }) => description,
  },
};

interface ItemsProps {
  readonly items: readonly Item[];
  /** An event is opened. */
  readonly onFollow: () => void;
}

function Items({ items, onFollow }: ItemsProps) {
  return (
    <ShortTable label="Events withheld" minWidth={480} csv={ITEMS} rows={items}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Would be</Table.Th>
          <Table.Th ta="end">Amount</Table.Th>
          <Table.Th>Description</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {items.map(({ change, event, amount, currency, description }) => (
          <Table.Tr key={event}>
            <Table.Td>
              <Anchor
                onClick={onFollow}
                renderRoot={(props) => (
                  <Link to="/money" search={{ tab: 'connections', event }} {...props} />
                )}
              >
                {change === 'deleted' ? 'Deleted' : 'Changed'}
              </Anchor>
            </Table.Td>
            <Table.Td ta="end">
              <Money amount={amount} currency={currency} />
            </Table.Td>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>
              <bdi>{description}</bdi>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </ShortTable>
  );
}

interface ReleaseProps {
  readonly id: string;
  readonly plan: WithheldPlan;
  readonly queryKey: readonly string[];
  readonly onDone: () => void;
}

function Release({ id, plan: { plan, is_released }, queryKey, onDone }: ReleaseProps) {
  const ledger = useLedger();
  const queries = useQueryClient();
  // What a person saw is released, also if a later poll has found something else since: then it is refused.
  const releasing = useMutation({
    mutationFn: () => ledger.operations.releaseAccounting(id, { plan }),
    onSuccess: async () => {
      onDone();
      notifications.show({
        message: 'Released. A poll has started, and applies it if it finds the same.',
      });
      await queries.invalidateQueries({ queryKey });
    },
  });
  return (
    <>
      <Text size="sm" mt="md">
        {is_released
          ? 'It is released: the next poll that finds the same applies it, and anything else is withheld again.'
          : 'If the books are wrong, correct them: the next poll withholds nothing then. If they are right, release the changes. The activity will name you. Nothing here takes a release back, because the events follow the books: a transaction that is in the books again brings its event back with its links.'}
      </Text>
      {releasing.error !== null && <ErrorPanel error={releasing.error} />}
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={onDone}>
          {is_released ? 'Close' : 'Leave it withheld'}
        </Button>
        {!is_released && (
          <Button color="red.8" loading={releasing.isPending} onClick={() => releasing.mutate()}>
            Release the changes
          </Button>
        )}
      </Group>
    </>
  );
}
