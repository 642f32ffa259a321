import { Group, NumberInput, Text } from '@mantine/core';
import type { FormEvent } from 'react';
import { TheirChanges, useEdits } from '../../components/edits.tsx';
import { SaveButton, SaveError } from '../../components/saving-settings.tsx';
import classes from './settings.module.css';
import { type TaggedSettings, useSave, WithSettings } from './tagged-settings.tsx';

/** A day and ten years, in seconds. */
const [MIN, MAX] = [86_400, 315_360_000];

export function Recording() {
  return <WithSettings>{(tagged) => <LatenessForm {...tagged} />}</WithSettings>;
}

function LatenessForm({ settings: { recording }, tag }: TaggedSettings) {
  const draft = useEdits<{ limit: number | null }>({ limit: recording.max_lateness_seconds }, tag);
  const { limit } = draft.values;
  const saving = useSave(draft.tag);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    saving.mutate({ recording: { max_lateness_seconds: limit } }, { onSuccess: draft.clear });
  };
  return (
    <form onSubmit={onSubmit} className={classes.form}>
      <h2>Late decisions</h2>
      <Text size="sm">
        A limit lets an export prove that it has every decision of a range by the time of decision:
        once the limit has passed, nothing can be recorded into that range any more. A decision that
        is dated further back is refused; record it without its timestamp, with the time in
        metadata.decided_at. Imports of older data are refused, too: set the limit after them.
      </Text>
      <NumberInput
        size="xs"
        maw={320}
        label="Latest recording after a decision, in seconds"
        description={`From ${MIN} (24 hours) to ${MAX} (10 years). Empty: no limit.${inWords(limit)}`}
        placeholder="No limit"
        min={MIN}
        max={MAX}
        allowDecimal={false}
        value={limit ?? ''}
        onChange={(value) => draft.edit({ limit: typeof value === 'number' ? value : null })}
      />
      <Text size="xs" c="dimmed">
        Each change is recorded in the activity chain, and every bundle with decisions shows it.
      </Text>
      <TheirChanges draft={draft} labels={{ limit: 'the limit, in seconds,' }} />
      <SaveError saving={saving} onLoaded={draft.rebase} />
      <Group>
        <SaveButton saving={saving}>Save the limit</SaveButton>
      </Group>
    </form>
  );
}

function inWords(limit: number | null): string {
  return limit === null ? '' : ` Now ${(limit / 3600).toFixed(1).replace(/\.0$/, '')} hours.`;
}
