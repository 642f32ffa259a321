import type { SettingsAnswer } from '@decision-ledger/client/api/settings-forms';
import { Button, Group, NumberInput, PasswordInput, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { ErrorPanel } from '../../components/error-panel.tsx';
import classes from './settings.module.css';
import { useSave } from './use-settings.ts';
import { WithSettings } from './with-settings.tsx';

export function Thresholds() {
  return (
    <WithSettings>
      {(settings) => (
        <>
          <ThresholdForm key={settings.liability.exposure_alert_threshold} settings={settings} />
          <AlertForm key={JSON.stringify(settings.alerts)} settings={settings} />
        </>
      )}
    </WithSettings>
  );
}

function ThresholdForm({ settings }: { settings: SettingsAnswer }) {
  const { exposure_alert_threshold } = settings.liability;
  const [threshold, setThreshold] = useState(exposure_alert_threshold ?? '');
  const saving = useSave();
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const value = threshold.trim() === '' ? null : threshold.trim();
    saving.mutate({ liability: { exposure_alert_threshold: value } });
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
        onChange={({ currentTarget }) => setThreshold(currentTarget.value)}
      />
      {saving.error !== null && <ErrorPanel error={saving.error} />}
      <Group>
        <Button size="xs" type="submit" loading={saving.isPending}>
          Save the threshold
        </Button>
      </Group>
    </form>
  );
}

function AlertForm({ settings: { alerts } }: { settings: SettingsAnswer }) {
  const [url, setUrl] = useState(alerts.url ?? '');
  const [secret, setSecret] = useState('');
  const [seconds, setSeconds] = useState(alerts.backlog_seconds);
  const saving = useSave(() => setSecret(''));
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    saving.mutate({
      alerts: {
        ...{ url: url.trim() === '' ? null : url.trim(), backlog_seconds: seconds },
        ...(secret !== '' && { secret }),
      },
    });
  };
  return (
    <form onSubmit={onSubmit} className={classes.form}>
      <h2>Alerts</h2>
      <Text size="sm">
        The service sends a signed webhook when background work is late or fails for good, when that
        is over, and when losses or events drift.
      </Text>
      <TextInput
        size="xs"
        type="url"
        label="Address that receives alerts"
        description="Empty: no alerts are sent."
        placeholder="https://alerts.example.com/ledger"
        value={url}
        onChange={({ currentTarget }) => setUrl(currentTarget.value)}
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
        value={secret}
        onChange={({ currentTarget }) => setSecret(currentTarget.value.trim())}
      />
      <NumberInput
        size="xs"
        maw={320}
        label="Work counts as late after, in seconds"
        min={10}
        max={86_400}
        value={seconds}
        onChange={(value) => typeof value === 'number' && setSeconds(value)}
      />
      {saving.error !== null && <ErrorPanel error={saving.error} />}
      <Group>
        <Button size="xs" type="submit" loading={saving.isPending}>
          Save alerts
        </Button>
      </Group>
    </form>
  );
}
