import type { ExchangeRate, SettingsChange } from '@decision-ledger/client/api/settings-forms';
import { Button, Group, Modal, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useLedger } from '../../app/session/context.tsx';
import { ErrorPanel } from '../../components/load-states.tsx';
import { problemOfRate, withRate } from '../../components/rates.ts';
import { Money } from '../../components/values.tsx';
import { formatCount } from '../../format/numbers.ts';

interface RateDialogProps {
  readonly from: string;
  /** The base currency. */
  readonly to: string;
  readonly onClose: () => void;
}

/** Sets an exchange rate, after a dry run. */
export function RateDialog({ from, to, onClose }: RateDialogProps) {
  const firstDay = useFirstDay(from);
  const [given, setGiven] = useState({ date: '', rate: '' });
  const date = given.date === '' ? (firstDay ?? '') : given.date;
  const added: ExchangeRate = { from, to, date, rate: given.rate.trim() };
  const { preview, saving } = useRate(added, onClose);
  const problem = given.rate === '' ? null : problemOfRate(added.rate);
  const isPreviewed = preview.data !== undefined && isSame(preview.variables, added);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (problemOfRate(added.rate) !== null) return;
    if (isPreviewed) saving.mutate(added);
    else preview.mutate(added);
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={`Set the rate from ${from} to ${to}`}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <form onSubmit={onSubmit}>
        <TextInput
          data-autofocus
          label={`One ${from} in ${to}`}
          placeholder="1.0825"
          inputMode="decimal"
          required
          value={given.rate}
          error={problem}
          onChange={({ currentTarget }) => setGiven({ ...given, rate: currentTarget.value })}
        />
        <TextInput
          mt="sm"
          type="date"
          label="From this day on"
          description="Default: the day of the first event without a rate."
          required
          value={date}
          onChange={({ currentTarget }) => setGiven({ ...given, date: currentTarget.value })}
        />
        <Text size="sm" mt="md" mih={44} aria-live="polite" component="div">
          {isPreviewed && preview.data !== undefined && <RateEffect change={preview.data} />}
        </Text>
        {preview.error !== null && <ErrorPanel error={preview.error} />}
        {saving.error !== null && <ErrorPanel error={saving.error} />}
        <Group justify="flex-end" mt="md">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={preview.isPending || saving.isPending}>
            {isPreviewed ? 'Set the rate' : 'Show the effect'}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}

function useRate(added: ExchangeRate, onDone: () => void) {
  const ledger = useLedger();
  const queries = useQueryClient();
  // The rates are replaced as a whole, so they are read just before, and only those are replaced.
  const changeOf = async (rate: ExchangeRate) => {
    const { data, tag } = await ledger.settings.getTagged();
    const patch = { exchange_rates: withRate(data.exchange_rates, rate) };
    return [patch, { ifMatch: tag }] as const;
  };
  const preview = useMutation({
    mutationFn: async (rate: ExchangeRate) => ledger.settings.preview(...(await changeOf(rate))),
  });
  const saving = useMutation({
    mutationFn: async (rate: ExchangeRate) => ledger.settings.update(...(await changeOf(rate))),
    onSuccess: async () => {
      onDone();
      notifications.show({ message: `One ${added.from} is ${added.rate} ${added.to}` });
      queries.removeQueries({ queryKey: ['pnl-rows'], type: 'inactive' });
      await queries.invalidateQueries();
    },
  });
  return { preview, saving };
}

function RateEffect({ change: { dry_run } }: { change: SettingsChange }) {
  if (dry_run === undefined) return null;
  const { exposure_before, exposure_after, currency_before, currency_after, changed } = dry_run;
  return (
    <>
      The exposure would change from <Money amount={exposure_before} currency={currency_before} />{' '}
      to{' '}
      <strong>
        <Money amount={exposure_after} currency={currency_after} />
      </strong>
      ; {formatCount(changed)} {changed === 1 ? 'estimate' : 'estimates'} would change. All totals
      would include the money of these days.
    </>
  );
}

/** The day of the oldest event in the currency without a rate, as YYYY-MM-DD. */
function useFirstDay(currency: string): string | undefined {
  const ledger = useLedger();
  return useQuery({
    queryKey: ['pnl-rows', 'first-day', currency],
    queryFn: async ({ signal }) => {
      const figures = ['unconverted', 'unattributed_unconverted'] as const;
      const pages = await Promise.all(
        figures.map((figure) =>
          ledger.analytics.pnlRows({ figure, currency, limit: 1 }, { signal }).page(),
        ),
      );
      const days = pages.flatMap(({ rows }) => rows.map(({ timestamp }) => timestamp.slice(0, 10)));
      return days.sort()[0] ?? '';
    },
  }).data;
}

function isSame(a: ExchangeRate | undefined, b: ExchangeRate): boolean {
  return a !== undefined && a.date === b.date && a.rate === b.rate;
}
