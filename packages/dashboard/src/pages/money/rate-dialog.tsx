import type {
  ExchangeRate,
  SettingsChange,
  SettingsPatch,
} from '@decision-ledger/client/api/settings-forms';
import { Button, Group, Modal, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useLedger } from '../../app/session/context.tsx';
import { problemOfRate, type RateChange, sameDay, withRate } from '../../components/rates.ts';
import { SaveButton, SaveError } from '../../components/saving-settings.tsx';
import { refreshRates } from '../../components/undo-rate.tsx';
import { Money } from '../../components/values.tsx';
import { formatCount } from '../../format/numbers.ts';

interface RateDialogProps {
  readonly from: string;
  /** The base currency. */
  readonly to: string;
  readonly onSet: (change: RateChange) => void;
  readonly onClose: () => void;
}

/** Sets an exchange rate, after a dry run. */
export function RateDialog({ from, to, onSet, onClose }: RateDialogProps) {
  const firstDay = useFirstDay(from);
  const [given, setGiven] = useState({ date: '', rate: '' });
  const date = given.date === '' ? (firstDay ?? '') : given.date;
  const added: ExchangeRate = { from, to, date, rate: given.rate.trim() };
  const preview = usePreview();
  const previewed = isSame(preview.data?.rate, added) ? preview.data : undefined;
  const saving = useSaving((change) => {
    onClose();
    onSet(change);
  });
  const problem = given.rate === '' ? null : problemOfRate(added.rate);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (problemOfRate(added.rate) !== null) return;
    if (previewed === undefined) preview.mutate(added);
    else saving.mutate(previewed);
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
          {previewed !== undefined && <RateEffect previewed={previewed} />}
        </Text>
        <SaveError saving={preview} onLoaded={preview.reset} />
        <SaveError saving={saving} onLoaded={preview.reset} />
        <Group justify="flex-end" mt="md">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <SaveButton size="sm" saving={saving} loading={preview.isPending || saving.isPending}>
            {previewed === undefined ? 'Show the effect' : 'Set the rate'}
          </SaveButton>
        </Group>
      </form>
    </Modal>
  );
}

/** A dry run. What it was made for is what is saved, or nothing. */
interface Previewed {
  readonly rate: ExchangeRate;
  readonly patch: SettingsPatch;
  readonly tag: string;
  /** The rate of the same day that it replaces. */
  readonly former: ExchangeRate | null;
  readonly effect: SettingsChange['dry_run'];
}

function usePreview() {
  const ledger = useLedger();
  return useMutation({
    mutationFn: async (rate: ExchangeRate): Promise<Previewed> => {
      // The rates are replaced as a whole, so they are read just before.
      const { data, tag } = await ledger.settings.getTagged();
      const patch = { exchange_rates: withRate(data.exchange_rates, rate) };
      const { dry_run: effect } = await ledger.settings.preview(patch, { ifMatch: tag });
      return { rate, patch, tag, effect, former: sameDay(data.exchange_rates, rate) };
    },
  });
}

function useSaving(onDone: (change: RateChange) => void) {
  const ledger = useLedger();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ patch, tag }: Previewed) => ledger.settings.update(patch, { ifMatch: tag }),
    onSuccess: async (_settings, { rate, former }) => {
      onDone({ before: former, after: rate });
      await refreshRates(queries);
    },
  });
}

function RateEffect({ previewed: { effect, former } }: { previewed: Previewed }) {
  if (effect === undefined) return null;
  const { exposure_before, exposure_after, currency_before, currency_after, changed } = effect;
  return (
    <>
      {former !== null && <>It replaces the rate {former.rate} of that day. </>}
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
