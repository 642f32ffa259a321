import { Button, Group, NumberInput, PasswordInput, Text, TextInput } from '@mantine/core';
import type { FormEvent } from 'react';
import { SaveError } from '../../components/saving-settings.tsx';
import classes from './settings.module.css';
import { type TaggedSettings, useEdits, useSave, WithSettings } from './tagged-settings.tsx';

export function Thresholds() {
  return (
    <WithSettings>
      {(tagged) => (
        <>
          <ThresholdForm {...tagged} />
          <AlertForm {...tagged} />
        </>
      )}
    </WithSettings>
  );
}

function ThresholdForm({ settings, tag }: TaggedSettings) {
  const { exposure_alert_threshold } = settings.liability;
  const draft = useEdits({ threshold: exposure_alert_threshold ?? '' }, tag);
  const { threshold } = draft.values;
  const saving = useSave(draft.tag);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const value = threshold.trim() === '' ? null : threshold.trim();
    const change = { liability: { exposure_alert_threshold: value } };
    saving.mutate(change, { onSuccess: draft.clear });
  };
  return (
    <form onSubmit={onSubmit} className={classes.form}>
      <h2>Exposure</h2>
      <TextInput
        size="xs"
        maw={320}
        inputMode="decimal"
        label={`Threshold, in ${settings.base_currency}`}
        description="Home and Exposure warn when the exposure of the ledger is above it. Empty: none."
        placeholder="None"
        value={threshold}
        onChange={({ currentTarget }) => draft.edit({ threshold: currentTarget.value })}
      />
      <SaveError saving={saving} onLoaded={draft.rebase} />
      <Group>
        <Button size="xs" type="submit" loading={saving.isPending}>
          Save the threshold
        </Button>
      </Group>
    </form>
  );
}

function AlertForm({ settings: { alerts }, tag }: TaggedSettings) {
  const { backlog_seconds } = alerts;
  const draft = useEdits({ url: alerts.url ?? '', secret: '', backlog_seconds }, tag);
  const { values, edits } = draft;
  const saving = useSave(draft.tag);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const alerts = {
      ...(edits.url !== undefined && { url: edits.url.trim() === '' ? null : edits.url.trim() }),
      ...(edits.backlog_seconds !== undefined && { backlog_seconds: edits.backlog_seconds }),
      ...(values.secret !== '' && { secret: values.secret }),
    };
    saving.mutate({ alerts }, { onSuccess: draft.clear });
  };
  return (
    <form onSubmit={onSubmit} className={classes.form}>
      <h2>Alerts</h2>
      <Text size="sm">
        The service sends a signed webhook when background work is late or fails permanently, when
        it recovers, and when losses or events drift.
      </Text>
      <TextInput
        size="xs"
        type="url"
        label="Address that receives alerts"
        description="Empty: no alerts are sent."
        placeholder="https://alerts.example.com/ledger"
        value={values.url}
        onChange={({ currentTarget }) => draft.edit({ url: currentTarget.value })}
      />
      <PasswordInput
        size="xs"
        label="Secret that signs them"
        description={
          alerts.secret === null
            ? 'whsec_ and the base64 of 24 to 64 bytes. It is not shown again.'
            : `A secret is set (${alerts.secret}). Enter another one to replace it.`
        }
        autoComplete="off"
        value={values.secret}
        onChange={({ currentTarget }) => draft.edit({ secret: currentTarget.value.trim() })}
      />
      <NumberInput
        size="xs"
        maw={320}
        label="Work counts as late after, in seconds"
        min={10}
        max={86_400}
        value={values.backlog_seconds}
        onChange={(value) => typeof value === 'number' && draft.edit({ backlog_seconds: value })}
      />
      <SaveError saving={saving} onLoaded={draft.rebase} />
      <Group>
        <Button size="xs" type="submit" loading={saving.isPending}>
          Save alerts
        </Button>
      </Group>
    </form>
  );
}
