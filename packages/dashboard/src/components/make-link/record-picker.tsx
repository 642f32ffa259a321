import type { Ledger } from '@decision-ledger/client';
import type { Decision } from '@decision-ledger/client/api/decision';
import type { FinancialEvent, ReportedEvent } from '@decision-ledger/client/api/financial-event';
import type { SearchHit } from '@decision-ledger/client/api/search';
import { Radio, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLedger } from '../../app/session/context.tsx';
import { isolated } from '../../format/locale.ts';
import { formatMoney } from '../../format/numbers.ts';
import { ErrorPanel, LinesSkeleton } from '../load-states.tsx';
import { Moment } from '../values.tsx';
import classes from './make-link.module.css';

const PAUSE_MS = 180;
/** The service refuses longer words. */
const MAX_CHARS = 200;

/** Where the other end is looked for. */
export interface Sought {
  /** Of the query that reads the choices. */
  readonly key: string;
  /** What is looked for, such as `decision`. */
  readonly name: string;
  readonly description: string;
  /** What the choices are while nothing is typed. */
  readonly near: string;
  /** @param text what is typed; empty at first */
  readonly find: (text: string, signal: AbortSignal) => Promise<readonly Choice[]>;
}

interface PickerProps {
  readonly sought: Sought;
  readonly chosen: Choice | null;
  readonly problem?: string | undefined;
  readonly onChoose: (choice: Choice) => void;
}

/** Chooses a record: by id, by a search, or among those that are near. */
export function Picker({ sought, chosen, problem, onChoose }: PickerProps) {
  const [text, setText] = useState('');
  const [wanted] = useDebouncedValue(text.trim(), PAUSE_MS);
  const { key, name, description, near, find } = sought;
  const { data, error, isFetching } = useQuery({
    queryKey: ['link-choices', key, wanted],
    queryFn: ({ signal }) => find(wanted, signal),
  });
  const isSettled = wanted === text.trim() && !isFetching;
  // What was chosen stays in view, whatever is searched for afterwards.
  const found = data ?? [];
  const others = found.filter(({ id }) => id !== chosen?.id);
  return (
    <>
      <TextInput
        data-autofocus
        label={`Find the ${name}`}
        description={description}
        maxLength={MAX_CHARS}
        value={text}
        error={problem}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <Radio.Group
        mt="xs"
        label={wanted === '' ? near : 'Found'}
        value={chosen?.id ?? ''}
        onChange={(id) => {
          const choice = found.find((one) => one.id === id);
          if (choice !== undefined) onChoose(choice);
        }}
      >
        <div className={classes.choices} aria-busy={!isSettled}>
          {[...(chosen === null ? [] : [chosen]), ...others].map((choice) => (
            <Radio
              key={choice.id}
              value={choice.id}
              label={<bdi>{choice.label}</bdi>}
              description={<ChoiceNote choice={choice} />}
            />
          ))}
        </div>
      </Radio.Group>
      {data === undefined && error === null && <LinesSkeleton lines={2} />}
      {error !== null && <ErrorPanel error={error} />}
      <Text size="xs" c="dimmed" role="status">
        {isSettled && found.length === 0 && error === null
          ? `No ${name} is found. Paste its id, or search for something else.`
          : ''}
      </Text>
    </>
  );
}

function ChoiceNote({ choice: { timestamp, detail } }: { choice: Choice }) {
  return (
    <>
      <Moment time={timestamp} />
      {detail !== undefined && (
        <>
          {' · '}
          <bdi>{detail}</bdi>
        </>
      )}
    </>
  );
}

interface RecordPickerProps extends Omit<PickerProps, 'sought'> {
  readonly subject: Subject;
}

/** Chooses the other end of a link: by id, by a search, or among the records that are near in time. */
export function RecordPicker({ subject, ...props }: RecordPickerProps) {
  const ledger = useLedger();
  const { name, prefix } = WANTED[subject.kind];
  const sought: Sought = {
    key: subject.kind === 'event' ? subject.event.id : subject.decision.decision_id,
    name,
    description: `Its id (${prefix}…), or what the search finds: ${SOUGHT[subject.kind]}.`,
    near: NEAR[subject.kind],
    find: (text, signal) =>
      text === '' ? findNear(ledger, subject, signal) : findByText(ledger, subject, text, signal),
  };
  return <Picker sought={sought} {...props} />;
}

const SOUGHT = {
  event: 'a metadata value',
  decision: 'a reference, an amount or a description',
} as const;

const NEAR = {
  event: 'The last decisions before the event',
  decision: 'The first events after the decision',
} as const;

/** What a link is made from: the other end is chosen. */
export type Subject =
  | { readonly kind: 'event'; readonly event: ReportedEvent }
  | { readonly kind: 'decision'; readonly decision: DatedDecision };

type DatedDecision = Pick<Decision, 'decision_id' | 'timestamp'>;

/** A record that may be the other end. */
export interface Choice {
  readonly id: string;
  readonly label: string;
  readonly timestamp: string;
  /** What else tells it from others. */
  readonly detail?: string;
}

/** What is asked for at each kind of subject. */
export const WANTED = {
  event: { type: 'decision', name: 'decision', prefix: 'dec_' },
  decision: { type: 'financial_event', name: 'event', prefix: 'evt_' },
} as const;

const NEAR_MS = 7 * 86_400_000;
const SHOWN = 8;
/** Lists are read newest first, and those of a busy ledger have many records of one week. */
const READ = 50;

/** Decisions before an event, or events after a decision: the nearest in time first. */
async function findNear(ledger: Ledger, subject: Subject, signal: AbortSignal): Promise<Choice[]> {
  if (subject.kind === 'event') {
    const { timestamp } = subject.event;
    const query = { start: shifted(timestamp, -NEAR_MS), end: shifted(timestamp, 1) };
    const { decisions } = await ledger.decisions
      .list({ ...query, limit: SHOWN }, { signal })
      .page();
    return decisions.map(choiceOfDecision);
  }
  const { timestamp } = subject.decision;
  const query = { start: timestamp, end: shifted(timestamp, NEAR_MS) };
  const { financial_events } = await ledger.events
    .list({ ...query, limit: READ }, { signal })
    .page();
  return financial_events.toReversed().slice(0, SHOWN).map(choiceOfEvent);
}

/** Records of the wanted kind that the search of the ledger finds. */
async function findByText(
  ledger: Ledger,
  subject: Subject,
  text: string,
  signal: AbortSignal,
): Promise<Choice[]> {
  const { type } = WANTED[subject.kind];
  const { results } = await ledger.operations.search({ q: text, limit: 20 }, { signal }).page();
  return results
    .filter((hit) => hit.type === type && (hit.deleted_at ?? null) === null)
    .slice(0, SHOWN)
    .map(choiceOfHit);
}

function choiceOfDecision({
  decision_id,
  agent_id,
  action_type,
  timestamp,
}: Pick<Decision, 'decision_id' | 'agent_id' | 'action_type' | 'timestamp'>): Choice {
  return { id: decision_id, label: `${isolated(action_type)} by ${isolated(agent_id)}`, timestamp };
}

type NamedEvent = Pick<
  FinancialEvent,
  'id' | 'source' | 'event_type' | 'amount' | 'currency' | 'timestamp'
> &
  Partial<Pick<FinancialEvent, 'external_id' | 'description'>>;

export function choiceOfEvent(event: NamedEvent): Choice {
  const { id, source, event_type, amount, currency, timestamp } = event;
  const detail = [event.external_id, event.description].filter((text) => text !== undefined);
  return {
    ...{ id, timestamp },
    label: `${isolated(event_type)} · ${formatMoney(amount, currency)} · ${isolated(source)}`,
    ...(detail.length > 0 && { detail: detail.join(' · ') }),
  };
}

function choiceOfHit({ type, id, timestamp, ...hit }: SearchHit): Choice {
  if (type === 'decision') {
    return choiceOfDecision({
      ...{ decision_id: id, timestamp },
      ...{ agent_id: hit.agent_id ?? '', action_type: hit.action_type ?? '' },
    });
  }
  return choiceOfEvent({
    ...{ id, timestamp, source: hit.source ?? '', event_type: hit.event_type ?? '' },
    ...{ amount: hit.amount ?? '', currency: hit.currency ?? '' },
  });
}

function shifted(time: string, ms: number): string {
  return new Date(Date.parse(time) + ms).toISOString();
}
