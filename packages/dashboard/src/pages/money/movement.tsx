import type { ReportedEvent } from '@decision-ledger/client/api/financial-event';
import { Anchor, Button, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useLedger } from '../../app/session/context.tsx';
import { authorOf } from '../../components/activity-words.ts';
import { ErrorPanel, LinesSkeleton } from '../../components/load-states.tsx';
import { Gate, Section } from '../../components/page.tsx';
import { Undo } from '../../components/undo.tsx';
import { Moment, Money } from '../../components/values.tsx';
import { isolated } from '../../format/locale.ts';
import classes from './event-drawer.module.css';
import { PairButton } from './pair/pair-button.tsx';
import { useReports } from './reports.ts';
import { type MovementRecord, movementRecordOf, whyPaired } from './why-paired.ts';

/** All events that report the same money as one, which of them counts, and why they were paired. */
export function MovementSection({ event }: { event: ReportedEvent }) {
  const { lead, reports } = event.movement;
  const parting = useParting(event);
  const isParted = parting.made !== null;
  const isDeleted = event.deleted_at !== null;
  if (reports.length === 1 && !isParted && isDeleted) return null;
  return (
    <Section title="The same money">
      {reports.length === 1 && (
        <Text size="sm" c="dimmed">
          No other event is known to report this money.
        </Text>
      )}
      {reports.length > 1 && (
        <>
          <Text size="sm" c="dimmed">
            {reports.length} events report this money. It counts once, with the amount, the currency
            and the time of the one that leads.
          </Text>
          <ul className={classes.links} aria-label="Events of this money">
            <Reports
              ids={[lead, ...reports.filter((id) => id !== lead)]}
              lead={lead}
              own={event.id}
            >
              {(record) => <PartButton parting={parting} record={record} />}
            </Reports>
          </ul>
        </>
      )}
      {isParted && (
        <Undo isPending={parting.isPending} onUndo={parting.undo}>
          Parted: the event counts by itself.
        </Undo>
      )}
      {parting.error !== null && <ErrorPanel error={parting.error} />}
      {!isDeleted && <PairButton event={event} />}
    </Section>
  );
}

interface ReportsProps {
  readonly ids: readonly string[];
  readonly lead: string;
  /** The event in view. */
  readonly own: string;
  /** What can be done with the event in view. */
  readonly children: (record: MovementRecord | null) => ReactNode;
}

function Reports({ ids, lead, own, children }: ReportsProps) {
  const { events, error } = useReports(ids);
  if (error !== null) return <ErrorPanel error={error} />;
  return events.map((event, at) => (
    <li key={ids[at]}>
      {event === undefined ? (
        <LinesSkeleton lines={1} />
      ) : (
        <Report event={event} isLead={event.id === lead} isOwn={event.id === own}>
          {children}
        </Report>
      )}
    </li>
  ));
}

interface ReportProps {
  readonly event: ReportedEvent;
  readonly isLead: boolean;
  readonly isOwn: boolean;
  readonly children: ReportsProps['children'];
}

function Report({ event, isLead, isOwn, children }: ReportProps) {
  const ledger = useLedger();
  const { data: record } = useQuery({
    queryKey: ['event', event.id, 'movement-records'],
    queryFn: async ({ signal }) => {
      const query = { subject: event.id, limit: 100 };
      const { activity } = await ledger.operations.activity(query, { signal }).page();
      return movementRecordOf(activity);
    },
  });
  const name = `${isolated(event.source)} · ${isolated(event.event_type)}`;
  return (
    <>
      {isOwn ? <strong>{name}</strong> : <OtherLink id={event.id}>{name}</OtherLink>}{' '}
      <Money amount={event.amount} currency={event.currency} />
      <span className={classes.more}>
        {isLead ? 'Leads' : 'Witness: it counts nothing'}
        {isOwn && ', in view'} · <Moment time={event.timestamp} />
      </span>
      {record !== undefined && record !== null && (
        <span className={classes.more}>
          {whyPaired(record)} · <Moment time={record.created_at} />
          {record.reviewer === null &&
            record.by === 'person' &&
            ` · ${authorOf(record.actor, NONE)}`}
        </span>
      )}
      {isOwn && children(record ?? null)}
    </>
  );
}

/** Shows another event in place of the one in view. */
function OtherLink({ id, children }: { id: string; children: string }) {
  return (
    <Anchor
      renderRoot={(props) => (
        <Link
          to="/money"
          search={(now) => ({ ...now, event: id })}
          resetScroll={false}
          {...props}
        />
      )}
    >
      {children}
    </Anchor>
  );
}

const NONE: ReadonlyMap<string, string> = new Map();

interface PartButtonProps {
  readonly parting: ReturnType<typeof useParting>;
  readonly record: MovementRecord | null;
}

function PartButton({ parting, record }: PartButtonProps) {
  return (
    <Gate permission="review">
      <Button
        mt={6}
        size="compact-sm"
        variant="default"
        data-screen-only
        loading={parting.isPending}
        onClick={() => parting.part(record)}
      >
        Not the same money
      </Button>
    </Gate>
  );
}

/** An event that was parted from others, and whether a rule had paired it with them. */
interface Parted {
  readonly others: readonly string[];
  readonly isByRule: boolean;
}

/** Takes an event out of its movement, and takes that back. */
function useParting({ id, movement }: ReportedEvent) {
  const ledger = useLedger();
  const queries = useQueryClient();
  const refresh = async () => {
    const stale = ['figures', 'reviews', 'decision', 'event', 'same-money'];
    await Promise.all(stale.map((name) => queries.invalidateQueries({ queryKey: [name] })));
  };
  const parting = useMutation({
    mutationFn: async (record: MovementRecord | null): Promise<Parted> => {
      await ledger.events.part(id);
      const others = movement.reports.filter((other) => other !== id);
      return { others, isByRule: record?.by === 'rule' };
    },
    onSuccess: refresh,
  });
  const undoing = useMutation({
    mutationFn: async ({ others, isByRule }: Parted) => {
      // What a rule made comes back by itself once nothing is said; what a person said is said again.
      if (!isByRule) await ledger.events.pair(id, others[0] ?? '');
      else for (const other of others) await ledger.events.withdrawSameMoney(id, other);
    },
    onSuccess: async () => {
      await refresh();
      parting.reset();
    },
  });
  return {
    made: parting.data ?? null,
    error: parting.error ?? undoing.error,
    isPending: parting.isPending || undoing.isPending,
    part: (record: MovementRecord | null) => parting.mutate(record),
    undo: () => parting.data !== undefined && undoing.mutate(parting.data),
  };
}
