import type { DecisionInDetail } from '@decision-ledger/client/api/decision';
import type { FinancialEvent } from '@decision-ledger/client/api/financial-event';
import type { Link as MoneyLink } from '@decision-ledger/client/api/link';
import { Anchor, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useLedger } from '../../app/session/context.tsx';
import { DeletedLink, LinkButton } from '../../components/make-link/link-buttons.tsx';
import { LinkAction, TakenFrom } from '../../components/make-link/taken-link.tsx';
import { type CsvTable, loadWith, ShortTable } from '../../components/rows.tsx';
import { LinkLabel, Moment, Money } from '../../components/values.tsx';
import { isolated } from '../../format/locale.ts';
import { formatCount, formatShare } from '../../format/numbers.ts';

/** The financial events that the decision is linked to. */
export function Links({ decision }: { decision: DecisionInDetail }) {
  const [deleted, setDeleted] = useState<MoneyLink | null>(null);
  return (
    <>
      <Linked decision={decision} onDeleted={setDeleted} />
      {deleted !== null && (
        <DeletedLink key={deleted.id} link={deleted} onDone={() => setDeleted(null)} />
      )}
      <LinkButton subject={{ kind: 'decision', decision }} deleted={deleted?.id} />
    </>
  );
}

interface LinkedEvent {
  readonly link: MoneyLink;
  readonly event: FinancialEvent;
}

const CSV: CsvTable<LinkedEvent> = {
  name: 'links-of-decision',
  columns: {
    link_id: ({ link }) => link.id,
    financial_event_id: ({ event }) => event.id,
    source: ({ event }) => event.source,
    event_type: ({ event }) => event.event_type,
    event_amount: ({ event }) => ({ decimal: event.amount }),
    currency: ({ event }) => event.currency,
    link_type: ({ link }) => link.link_type,
    reversal: ({ link }) => link.reversal,
    correlation_strength: ({ link }) => link.correlation_strength,
    label: ({ link }) => link.label,
    status: ({ link }) => link.status,
    inherited_from: ({ link }) => link.inherited_from,
    created_by: ({ link }) => link.created_by,
    reviewed_by: ({ link }) => link.reviewed_by,
    created_at: ({ link }) => link.created_at,
  },
};

interface LinkedProps {
  readonly decision: DecisionInDetail;
  readonly onDeleted: (link: MoneyLink) => void;
}

function Linked({ decision, onDeleted }: LinkedProps) {
  const ledger = useLedger();
  const { decision_id, links, links_next_cursor } = decision;
  if (links.length === 0) {
    return (
      <Text c="dimmed" mb="xs">
        No money is linked to this decision.
      </Text>
    );
  }
  return (
    <>
      <ShortTable
        label="Links"
        minWidth={640}
        csv={CSV}
        rows={loadWith(
          (wanted, options) => ledger.links.list({ decision_id, ...wanted }, options),
          (page) =>
            Promise.all(
              page.links.map(async (link) => ({
                ...{ link, event: await ledger.events.get(link.financial_event_id) },
              })),
            ),
        )}
      >
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Event</Table.Th>
            <Table.Th ta="end">Amount</Table.Th>
            <Table.Th>Kind</Table.Th>
            <Table.Th ta="end">Share</Table.Th>
            <Table.Th>Certainty</Table.Th>
            <Table.Th>Linked</Table.Th>
            <Table.Th />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {links.map((link) => (
            <Row key={link.id} link={link} onDeleted={onDeleted} />
          ))}
        </Table.Tbody>
      </ShortTable>
      {links_next_cursor !== null && (
        <Text c="dimmed" size="sm" mt="xs">
          The newest {formatCount(links.length)} links are shown.
        </Text>
      )}
    </>
  );
}

interface RowProps {
  readonly link: MoneyLink;
  readonly onDeleted: (link: MoneyLink) => void;
}

function Row({ link, onDeleted }: RowProps) {
  const ledger = useLedger();
  const id = link.financial_event_id;
  const { data: event } = useQuery({
    queryKey: ['event', id],
    queryFn: ({ signal }) => ledger.events.get(id, { signal }),
  });
  return (
    <Table.Tr>
      <Table.Td>
        <Anchor renderRoot={(props) => <Link to="/money" search={{ event: id }} {...props} />}>
          {event === undefined ? id : `${isolated(event.source)} · ${isolated(event.event_type)}`}
        </Anchor>
      </Table.Td>
      <Table.Td ta="end">
        {event !== undefined && <Money amount={event.amount} currency={event.currency} />}
      </Table.Td>
      <Table.Td>{link.reversal ? `${link.link_type}, reversed` : link.link_type}</Table.Td>
      <Table.Td ta="end">{formatShare(link.correlation_strength, 1)}</Table.Td>
      <Table.Td>
        <LinkLabel label={link.label} /> <TakenFrom link={link} />
      </Table.Td>
      <Table.Td>
        <Moment time={link.created_at} />
      </Table.Td>
      <Table.Td ta="end">
        <LinkAction link={link} onDeleted={onDeleted} />
      </Table.Td>
    </Table.Tr>
  );
}
