import type { DecisionInDetail } from '@decision-ledger/client/api/decision-view';
import type { Link as MoneyLink } from '@decision-ledger/client/api/link';
import { Anchor, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useLedger } from '../../app/session/context.ts';
import { LinkLabel } from '../../components/link-label.tsx';
import { DeleteLinkButton } from '../../components/make-link/delete-link-button.tsx';
import { LinkButton } from '../../components/make-link/link-button.tsx';
import { Moment } from '../../components/moment.tsx';
import { Money } from '../../components/money.tsx';
import { isolated } from '../../format/isolated.ts';
import { formatCount, formatShare } from '../../format/numbers.ts';

/** The financial events that the decision is linked to. */
export function Links({ decision }: { decision: DecisionInDetail }) {
  return (
    <>
      <Linked decision={decision} />
      <LinkButton subject={{ kind: 'decision', decision }} />
    </>
  );
}

function Linked({ decision: { links, links_next_cursor } }: { decision: DecisionInDetail }) {
  if (links.length === 0) {
    return (
      <Text c="dimmed" mb="xs">
        No money is linked to this decision.
      </Text>
    );
  }
  return (
    <Table.ScrollContainer minWidth={640}>
      <Table>
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
            <Row key={link.id} link={link} />
          ))}
        </Table.Tbody>
      </Table>
      {links_next_cursor !== null && (
        <Text c="dimmed" size="sm" mt="xs">
          The newest {formatCount(links.length)} links are shown.
        </Text>
      )}
    </Table.ScrollContainer>
  );
}

function Row({ link }: { link: MoneyLink }) {
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
        <LinkLabel label={link.label} />
      </Table.Td>
      <Table.Td>
        <Moment time={link.created_at} />
      </Table.Td>
      <Table.Td ta="end">
        <DeleteLinkButton link={link} />
      </Table.Td>
    </Table.Tr>
  );
}
