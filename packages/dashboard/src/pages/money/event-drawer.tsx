import type { FinancialEvent } from '@decision-ledger/client/api/financial-event';
import type { Link as MoneyLink } from '@decision-ledger/client/api/link';
import { Anchor, Code, Drawer, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useLedger } from '../../app/session/context.tsx';
import { rowLink } from '../../components/data-table/data-table.tsx';
import { ErrorPanel, LinesSkeleton } from '../../components/load-states.tsx';
import { DeleteLinkButton, LinkButton } from '../../components/make-link/link-buttons.tsx';
import { Section } from '../../components/page.tsx';
import { Facts, Hash, LinkLabel, Moment, Money } from '../../components/values.tsx';
import { formatShare } from '../../format/numbers.ts';
import classes from './event-drawer.module.css';

const route = getRouteApi('/shell/money');

/** One financial event with its links, over the list. */
export function EventDrawer({ id }: { id: string }) {
  const search = route.useSearch();
  const navigate = useNavigate();
  const close = () =>
    void navigate({
      to: '/money',
      search: { ...search, event: undefined },
      resetScroll: false,
    });
  return (
    <Drawer
      opened
      onClose={close}
      position="right"
      size="lg"
      title="Financial event"
      closeButtonProps={{ 'aria-label': 'Close the event' }}
    >
      <Loaded id={id} />
    </Drawer>
  );
}

function Loaded({ id }: { id: string }) {
  const ledger = useLedger();
  const event = useQuery({
    queryKey: ['event', id],
    queryFn: ({ signal }) => ledger.events.get(id, { signal }),
  });
  const links = useQuery({
    queryKey: ['event', id, 'links'],
    queryFn: async ({ signal }) =>
      (await ledger.links.list({ financial_event_id: id }, { signal }).page()).links,
    enabled: event.data !== undefined,
  });
  if (event.error !== null) {
    return <ErrorPanel error={event.error} onRetry={() => void event.refetch()} />;
  }
  if (event.data === undefined) return <LinesSkeleton />;
  return (
    <>
      <Detail event={event.data} />
      <Section title="Links">
        {links.error !== null && (
          <ErrorPanel error={links.error} onRetry={() => void links.refetch()} />
        )}
        {links.data === undefined && links.error === null && <LinesSkeleton lines={2} />}
        {links.data?.length === 0 && <Text c="dimmed">No decision is linked to this event.</Text>}
        <ul className={classes.links}>
          {links.data?.map((link) => (
            <LinkRow key={link.id} link={link} />
          ))}
        </ul>
        {event.data.deleted_at === null && (
          <LinkButton subject={{ kind: 'event', event: event.data }} />
        )}
      </Section>
    </>
  );
}

function Detail({ event }: { event: FinancialEvent }) {
  const { id, source, event_type, amount, currency, external_id, description, metadata } = event;
  const { timestamp, created_at, deleted_at, superseded_by } = event;
  return (
    <>
      <p className={classes.amount}>
        <Money amount={amount} currency={currency} />
      </p>
      <Hash value={id} label="the id of the event" full />
      {deleted_at !== null && (
        <Text c="var(--negative)" size="sm" my="xs">
          {superseded_by === undefined ? 'Deleted' : 'Superseded'} on <Moment time={deleted_at} />:
          it no longer counts.
        </Text>
      )}
      <div className={classes.facts}>
        <Facts
          facts={[
            ['Type', event_type],
            ['Source', source],
            ['Happened', <Moment key="time" time={timestamp} />],
            ['Recorded', <Moment key="created" time={created_at} />],
            ...(external_id === undefined ? [] : ([['Reference', external_id]] as const)),
            ...(description === undefined ? [] : ([['Description', description]] as const)),
          ]}
        />
      </div>
      {metadata !== undefined && (
        <Section title="Metadata">
          <Code block className={classes.metadata} tabIndex={0}>
            {JSON.stringify(metadata, null, 2)}
          </Code>
        </Section>
      )}
    </>
  );
}

function LinkRow({ link }: { link: MoneyLink }) {
  const { decision_id, correlation_strength, link_type, reversal, label, notes } = link;
  return (
    <li>
      <Anchor
        renderRoot={(props) => (
          <Link to="/decisions/$decisionId" params={{ decisionId: decision_id }} {...props} />
        )}
      >
        {decision_id}
      </Anchor>
      <span className={classes.more}>
        {reversal ? `${link_type}, reversed` : link_type}, {formatShare(correlation_strength, 1)}{' '}
        <LinkLabel label={label} /> <DeleteLinkButton link={link} />
      </span>
      {notes !== undefined && (
        <Text size="xs" c="dimmed" dir="auto">
          {notes}
        </Text>
      )}
    </li>
  );
}

/** Opens a financial event over the list, which stays as it is. */
export function EventLink({ id, children }: { id: string; children: ReactNode }) {
  const search = route.useSearch();
  return (
    <Link to="/money" search={{ ...search, event: id }} className={rowLink} resetScroll={false}>
      {children}
    </Link>
  );
}
