import { Group, NumberInput, Text, TextInput } from '@mantine/core';
import type { FormEvent } from 'react';
import { TheirChanges, useEdits } from '../../components/edits.tsx';
import { SaveButton, SaveError } from '../../components/saving-settings.tsx';
import { sumOf } from '../../format/decimal.ts';
import classes from './settings.module.css';
import { type TaggedSettings, useSave, WithSettings } from './tagged-settings.tsx';
import { draftOf, problemOf, WEIGHTS, weightsOf } from './weights.ts';

const LEAST = {
  half_life_hours: 0.25,
  suggest_share: 0.01,
  suggest_probability: 0.01,
  suggest_recorded: 0,
};

const WEIGHT_LABELS = Object.fromEntries(WEIGHTS.map(({ name, label }) => [name, label]));

const LIMIT_LABELS = {
  half_life_hours: 'the half-life, in hours,',
  suggest_share: 'the share to suggest from',
  suggest_probability: 'the probability to suggest from',
  suggest_recorded: 'the probability to guess from',
};

export function Attribution() {
  return <WithSettings>{(tagged) => <Form {...tagged} />}</WithSettings>;
}

function Form({ settings: { attribution }, tag }: TaggedSettings) {
  const { half_life_hours, suggest_share, suggest_probability, suggest_recorded } = attribution;
  const weighing = useEdits(draftOf(attribution.weights), tag);
  const limiting = useEdits(
    { half_life_hours, suggest_share, suggest_probability, suggest_recorded },
    tag,
  );
  const { values: weights } = weighing;
  const { values: limits } = limiting;
  // Of two, the older: a tag that is not the newest was seen before the first change.
  const seen = weighing.tag === tag ? limiting.tag : weighing.tag;
  const saving = useSave(seen);
  const problem = problemOf(weights);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (problem === null) {
      const isWeighed = Object.keys(weighing.edits).length > 0;
      const change = { ...limiting.edits, ...(isWeighed && { weights: weightsOf(weights) }) };
      const onSuccess = () => {
        weighing.clear();
        limiting.clear();
      };
      saving.mutate({ attribution: change }, { onSuccess });
    }
  };
  const limit = (name: keyof typeof limits, label: string, description: string, most: number) => (
    <NumberInput
      size="xs"
      {...{ label, description }}
      min={LEAST[name]}
      max={most}
      step={name === 'half_life_hours' ? 1 : 0.05}
      value={limits[name]}
      onChange={(value) => typeof value === 'number' && limiting.edit({ [name]: value })}
    />
  );
  return (
    <form onSubmit={onSubmit} className={classes.form}>
      <Text size="sm">
        How much each kind of evidence counts when the service suggests which decision caused an
        event. Changes apply to events that are processed from then on.
      </Text>
      <div className={classes.weights}>
        {WEIGHTS.map(({ name, label, hint }) => (
          <TextInput
            key={name}
            size="xs"
            inputMode="decimal"
            label={label}
            description={hint}
            value={weights[name]}
            onChange={({ currentTarget }) => weighing.edit({ [name]: currentTarget.value.trim() })}
          />
        ))}
      </div>
      <Text size="sm" role="status" {...(problem !== null && { c: 'var(--negative)' })}>
        {problem ?? `The weights sum to ${Number(sumOf(Object.values(weights)))}.`}
      </Text>
      <div className={classes.grid}>
        {limit(
          'half_life_hours',
          'Half-life, in hours',
          'After it, a decision is half as likely',
          8760,
        )}
        {limit('suggest_share', 'Suggest from a share of', 'Of the event, from 0 to 1', 1)}
        {limit(
          'suggest_probability',
          'or a probability of',
          'That it is the cause, from 0 to 1',
          1,
        )}
        {limit(
          'suggest_recorded',
          'Guess from a probability of',
          'That some recorded decision is the cause',
          1,
        )}
      </div>
      <TheirChanges draft={weighing} labels={WEIGHT_LABELS} />
      <TheirChanges draft={limiting} labels={LIMIT_LABELS} />
      <SaveError
        saving={saving}
        onLoaded={(newer) => {
          weighing.rebase(newer);
          limiting.rebase(newer);
        }}
      />
      <Group>
        <SaveButton saving={saving} disabled={problem !== null}>
          Save
        </SaveButton>
      </Group>
    </form>
  );
}
