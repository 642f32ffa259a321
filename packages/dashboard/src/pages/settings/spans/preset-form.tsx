import type { OtlpSettings } from '@decision-ledger/client/api/settings-forms';
import { NativeSelect, Text } from '@mantine/core';
import type { FormEvent } from 'react';
import { TheirChanges, useEdits } from '../../../components/edits.tsx';
import { SaveButton, SaveError } from '../../../components/saving-settings.tsx';
import classes from '../settings.module.css';
import { type TaggedSettings, useSave } from '../tagged-settings.tsx';
import { PRESET_NAMES } from './words.ts';

const CHOICES = Object.entries(PRESET_NAMES).map(([value, label]) => ({ value, label }));

const isPreset = (value: string): value is OtlpSettings['preset'] => value in PRESET_NAMES;

/** Chooses which tool calls are recorded without a rule of one's own. */
export function PresetForm({ settings: { otlp }, tag }: TaggedSettings) {
  const draft = useEdits({ preset: otlp.preset }, tag);
  const { preset } = draft.values;
  const saving = useSave(draft.tag);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const change = { preset, version: otlp.version + 1 };
    saving.mutate({ otlp: change }, { onSuccess: draft.clear });
  };
  return (
    <form onSubmit={onSubmit} className={classes.form} aria-label="Preset">
      <div className={classes.line}>
        <NativeSelect
          size="xs"
          label="Record the tool calls of"
          data={CHOICES}
          value={preset}
          onChange={({ currentTarget: { value } }) =>
            isPreset(value) && draft.edit({ preset: value })
          }
        />
        <SaveButton saving={saving} disabled={preset === otlp.preset}>
          Save the preset
        </SaveButton>
      </div>
      {otlp.rules.length > 0 && (
        <Text size="sm" c="dimmed">
          Rules of your own come first. There {otlp.rules.length === 1 ? 'is' : 'are'}{' '}
          {otlp.rules.length}.
        </Text>
      )}
      <TheirChanges draft={draft} labels={{ preset: 'the preset' }} />
      <SaveError saving={saving} onLoaded={draft.rebase} />
    </form>
  );
}
