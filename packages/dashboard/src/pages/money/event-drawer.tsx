import type { RelatedEvent } from '@decision-ledger/client/api/financial-event';
import type { Link as MoneyLink } from '@decision-ledger/client/api/link';
import { Anchor, Code, Drawer, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useLedger } from '../../app/session/context.tsx';
import { ErrorPanel, LinesSkeleton } from '../../components/load-states.tsx';
import { DeletedLink, LinkButton } from '../../components/make-link/link-buttons.tsx';
import { useLinksOfMovement } from '../../components/make-link/links-of-movement.ts';
import { LinkAction, TakenFrom } from '../../components/make-link/taken-link.tsx';
import { Section } from '../../components/page.tsx';
import { Facts, Hash, LinkLabel, Moment, Money } from '../../components/values.tsx';
import { formatShare } from '../../format/numbers.ts';
import classes from './event-drawer.module.css';
import { MovementSection } from './movement.tsx';
import { Relations } from './relations.tsx';
import { SettlementSection } from './settlement.tsx';
import { KIND_NAMES, STANDING_NAMES } from './standing-names.ts';

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
      <Loaded key={id} id={id} />
    </Drawer>
  );
}

function Loaded({ id }: { id: string }) {
  const ledger = useLedger();
  const event = useQuery({
    queryKey: ['event', id],
    queryFn: ({ signal }) => ledger.events.get(id, { signal }),
  });
  if (event.error !== null) {
    return <ErrorPanel error={event.error} onRetry={() => void event.refetch()} />;
  }
  if (event.data === undefined) return <LinesSkeleton />;
  return (
    <Detail event={event.data}>
      <SettlementSection event={event.data} />
      <MovementSection event={event.data} />
      <Relations event={event.data} />
      <Links event={event.data} />
    </Detail>
  );
}

/** The links of all events that report the same money, and what makes and deletes them. */
function Links({ event }: { event: RelatedEvent }) {
  const links = useLinksOfMovement(event);
  const [deleted, setDeleted] = useState<MoneyLink | null>(null);
  return (
    <Section title="Links">
      {links.error !== null && (
        <ErrorPanel error={links.error} onRetry={() => void links.refetch()} />
      )}
      {links.data === undefined && links.error === null && <LinesSkeleton lines={2} />}
      {links.data?.length === 0 && <Text c="dimmed">No decision is linked to this event.</Text>}
      <ul className={classes.links}>
        {links.data?.map((link) => (
          <LinkRow
            key={link.id}
            link={link}
            isOwn={link.financial_event_id === event.id}
            onDeleted={setDeleted}
          />
        ))}
      </ul>
      {deleted !== null && (
        <DeletedLink key={deleted.id} link={deleted} onDone={() => setDeleted(null)} />
      )}
      {event.deleted_at === null && (
        <LinkButton subject={{ kind: 'event', event }} deleted={deleted?.id} />
      )}
    </Section>
  );
}

/** The event itself, and what follows before its metadata. */
function Detail({ event, children }: { event: RelatedEvent; children: ReactNode }) {
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
            ['Kind', KIND_NAMES[event.kind]],
            ['Counts', STANDING_NAMES[event.standing]],
            ['Source', source],
            ['Happened', <Moment key="time" time={timestamp} />],
            ['Recorded', <Moment key="created" time={created_at} />],
            ...(external_id === undefined ? [] : ([['Reference', external_id]] as const)),
            ...(description === undefined ? [] : ([['Description', description]] as const)),
          ]}
        />
      </div>
      {children}
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

interface LinkRowProps {
  readonly link: MoneyLink;
  /** Whether it is of the event in view, and not of another one that reports the same money. */
  readonly isOwn: boolean;
  readonly onDeleted: (link: MoneyLink) => void;
}

function LinkRow({ link, isOwn, onDeleted }: LinkRowProps) {
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
        <LinkLabel label={label} /> <TakenFrom link={link} />{' '}
        {!isOwn && 'of another event of this money '}
        <LinkAction link={link} onDeleted={onDeleted} />
      </span>
      {notes !== undefined && (
        <Text size="xs" c="dimmed" dir="auto">
          {notes}
        </Text>
      )}
    </li>
  );
}
