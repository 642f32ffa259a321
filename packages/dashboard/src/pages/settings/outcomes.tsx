import { Group } from '@mantine/core';
import type { FormEvent } from 'react';
import { TheirChanges, useEdits } from '../../components/edits.tsx';
import { SaveButton, SaveError } from '../../components/saving-settings.tsx';
import { OutcomeRules } from './outcome-rules.tsx';
import classes from './settings.module.css';
import { type TaggedSettings, useSave, WithSettings } from './tagged-settings.tsx';
import { entriesOf, TextList } from './text-list.tsx';

/** How it is read from a payload whether an action was done, failed or was denied. */
export function Outcomes() {
  return (
    <WithSettings>
      {(tagged) => (
        <>
          <OutcomeRules {...tagged} />
          <PathsForm {...tagged} />
        </>
      )}
    </WithSettings>
  );
}

const LISTS = [
  ['errors', 'Paths of errors', 'A text, true, or an object that is not empty says that it failed'],
  ['http_statuses', 'Paths of HTTP statuses', 'From 400 on it failed, from 200 to 299 it was done'],
  ['results', 'Paths of results inside the outputs', 'They are read as the outputs are'],
] as const;

const LABELS = Object.fromEntries(LISTS.map(([name, label]) => [name, label.toLowerCase()]));

function PathsForm({ settings: { liability }, tag }: TaggedSettings) {
  const { errors, http_statuses, results } = liability.outcomes;
  const stored = {
    errors: errors.join('\n'),
    http_statuses: http_statuses.join('\n'),
    results: results.join('\n'),
  };
  const draft = useEdits(stored, tag);
  const saving = useSave(draft.tag);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const edited = LISTS.flatMap(([name]) => {
      const lines = draft.edits[name];
      return lines === undefined ? [] : [[name, entriesOf(lines)]];
    });
    const change = { liability: { outcomes: Object.fromEntries(edited) } };
    saving.mutate(change, { onSuccess: draft.clear });
  };
  return (
    <form onSubmit={onSubmit} className={classes.form}>
      <h2>Where else it is read</h2>
      {LISTS.map(([name, label, description]) => (
        <TextList
          key={name}
          label={label}
          description={`${description}. One path on each line, such as outputs.error.`}
          value={draft.values[name]}
          onChange={(value) => draft.edit({ [name]: value })}
        />
      ))}
      <TheirChanges draft={draft} labels={LABELS} />
      <SaveError saving={saving} onLoaded={draft.rebase} />
      <Group>
        <SaveButton saving={saving}>Save the paths</SaveButton>
      </Group>
    </form>
  );
}
