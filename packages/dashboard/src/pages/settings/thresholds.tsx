import { Group, NumberInput, PasswordInput, Text, TextInput } from '@mantine/core';
import type { FormEvent } from 'react';
import { TheirChanges, useEdits } from '../../components/edits.tsx';
import { SaveButton, SaveError } from '../../components/saving-settings.tsx';
import { BudgetForm } from './budgets.tsx';
import classes from './settings.module.css';
import { type TaggedSettings, useSave, WithSettings } from './tagged-settings.tsx';

export function Thresholds() {
  return (
    <WithSettings>
      {(tagged) => (
        <>
          <ThresholdForm {...tagged} />
          <BudgetForm {...tagged} />
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
        description="Home and Exposure warn when what could still be lost is above it. Empty: none."
        placeholder="None"
        value={threshold}
        onChange={({ currentTarget }) => draft.edit({ threshold: currentTarget.value })}
      />
      <TheirChanges draft={draft} labels={{ threshold: 'the threshold' }} />
      <SaveError saving={saving} onLoaded={draft.rebase} />
      <Group>
        <SaveButton saving={saving}>Save the threshold</SaveButton>
      </Group>
    </form>
  );
}

const ALERT_LABELS = {
  url: 'the address',
  secret: 'the secret',
  backlog_seconds: 'the seconds after which work counts as late',
};

function AlertForm({ settings: { alerts }, tag }: TaggedSettings) {
  const { backlog_seconds } = alerts;
  const [url, mask] = [alerts.url ?? '', alerts.secret ?? ''];
  const stored = { url, secret: mask, backlog_seconds };
  const draft = useEdits({ url, secret: '', backlog_seconds }, tag, stored);
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
        it recovers, when losses or events drift, and when a threshold or a budget is reached.
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
      <TheirChanges draft={draft} labels={ALERT_LABELS} />
      <SaveError saving={saving} onLoaded={draft.rebase} />
      <Group>
        <SaveButton saving={saving}>Save alerts</SaveButton>
      </Group>
    </form>
  );
}
