import { Radio, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLedger } from '../../app/session/context.tsx';
import { ErrorPanel, LinesSkeleton } from '../load-states.tsx';
import { Moment } from '../values.tsx';
import classes from './make-link.module.css';
import { type Choice, findByText, findNear, type Subject, WANTED } from './subject.ts';

const PAUSE_MS = 180;

interface RecordPickerProps {
  readonly subject: Subject;
  readonly chosen: Choice | null;
  readonly problem: string | undefined;
  readonly onChoose: (choice: Choice) => void;
}

/** Chooses the other end of a link: by id, by a search, or among the records that are near in time. */
export function RecordPicker({ subject, chosen, problem, onChoose }: RecordPickerProps) {
  const [text, setText] = useState('');
  const [wanted] = useDebouncedValue(text.trim(), PAUSE_MS);
  const { name, prefix } = WANTED[subject.kind];
  const { data, error, isFetching } = useChoices(subject, wanted);
  const isSettled = wanted === text.trim() && !isFetching;
  // What was chosen stays in view, whatever is searched for afterwards.
  const found = data ?? [];
  const others = found.filter(({ id }) => id !== chosen?.id);
  return (
    <>
      <TextInput
        data-autofocus
        label={`Find the ${name}`}
        description={`Its id (${prefix}…), or what the search finds: ${SOUGHT[subject.kind]}.`}
        value={text}
        error={problem}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <Radio.Group
        mt="xs"
        label={wanted === '' ? NEAR[subject.kind] : 'Found'}
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
              description={<Moment time={choice.timestamp} />}
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

const SOUGHT = {
  event: 'a metadata value',
  decision: 'a reference, an amount or a description',
} as const;

const NEAR = {
  event: 'The last decisions before the event',
  decision: 'The first events after the decision',
} as const;

function useChoices(subject: Subject, text: string) {
  const ledger = useLedger();
  const id = subject.kind === 'event' ? subject.event.id : subject.decision.decision_id;
  return useQuery({
    queryKey: ['link-choices', id, text],
    queryFn: ({ signal }) =>
      text === '' ? findNear(ledger, subject, signal) : findByText(ledger, subject, text, signal),
  });
}
