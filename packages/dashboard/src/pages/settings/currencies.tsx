import type { ExchangeRate } from '@decision-ledger/client/api/settings-forms';
import { ActionIcon, Table, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { now } from '../../app/clock.ts';
import { TheirChanges, useEdits } from '../../components/edits.tsx';
import { Icon } from '../../components/icon.tsx';
import {
  keyOf,
  type RateChange,
  sameDay,
  sortedRates,
  withoutRate,
  withRate,
} from '../../components/rates.ts';
import { type CsvTable, ShortTable } from '../../components/rows.tsx';
import { SaveButton, SaveError } from '../../components/saving-settings.tsx';
import { UndoRate } from '../../components/undo-rate.tsx';
import { formatDay } from '../../format/dates.ts';
import classes from './settings.module.css';
import { type TaggedSettings, useSave, WithSettings } from './tagged-settings.tsx';

export function Currencies() {
  return (
    <WithSettings>
      {(tagged) => (
        <>
          <BaseCurrency {...tagged} />
          <Rates {...tagged} />
        </>
      )}
    </WithSettings>
  );
}

function BaseCurrency({ settings: { base_currency }, tag }: TaggedSettings) {
  const draft = useEdits({ currency: base_currency }, tag);
  const { currency } = draft.values;
  const saving = useSave(draft.tag);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    saving.mutate({ base_currency: currency }, { onSuccess: draft.clear });
  };
  return (
    <form onSubmit={onSubmit} className={classes.form}>
      <h2>Base currency</h2>
      <div className={classes.line}>
        <TextInput
          size="xs"
          label="Currency of totals (ISO 4217)"
          maxLength={3}
          pattern="[A-Z]{3}"
          value={currency}
          onChange={({ currentTarget }) =>
            draft.edit({ currency: currentTarget.value.toUpperCase() })
          }
          required
          withAsterisk={false}
        />
        <SaveButton saving={saving} disabled={currency === base_currency}>
          Change
        </SaveButton>
      </div>
      <Text size="sm" c="dimmed">
        Amounts stay as they were recorded; totals are converted. After a change, estimates follow
        in the next nightly run. The amounts of the risk matrix and the threshold are in this
        currency: change them too.
      </Text>
      <TheirChanges draft={draft} labels={{ currency: 'the base currency' }} />
      <SaveError saving={saving} onLoaded={draft.rebase} />
    </form>
  );
}

const CSV: CsvTable<ExchangeRate> = {
  name: 'exchange-rates',
  columns: {
    from: ({ from }) => from,
    to: ({ to }) => to,
    rate: ({ rate }) => ({ decimal: rate }),
    date: ({ date }) => date,
  },
};

function Rates({ settings, tag }: TaggedSettings) {
  const { exchange_rates: rates, base_currency } = settings;
  const saving = useSave(tag);
  const [change, setChange] = useState<RateChange | null>(null);
  const remove = (rate: ExchangeRate) =>
    saving.mutate(
      { exchange_rates: withoutRate(rates, rate) },
      { onSuccess: () => setChange({ before: rate, after: null }) },
    );
  return (
    <div className={classes.form}>
      <h2>Exchange rates</h2>
      <Text size="sm">
        An amount is converted with the latest rate that applies on its day. Without one, it is left
        out of totals and shown as unconverted.
      </Text>
      <AddRate rates={rates} base={base_currency} tag={tag} onAdded={setChange} />
      <SaveError saving={saving} />
      {change !== null && (
        <UndoRate key={JSON.stringify(change)} change={change} onDone={() => setChange(null)} />
      )}
      {rates.length === 0 ? (
        <Text size="sm" c="dimmed">
          There is no rate yet. Only amounts in {base_currency} count.
        </Text>
      ) : (
        <ShortTable label="Exchange rates" minWidth={300} csv={CSV} rows={sortedRates(rates)}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Rate</Table.Th>
              <Table.Th>From</Table.Th>
              <Table.Th />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {sortedRates(rates).map((rate) => (
              <Table.Tr key={keyOf(rate)}>
                <Table.Td>
                  1 {rate.from} = {rate.rate} {rate.to}
                </Table.Td>
                <Table.Td>{formatDay(rate.date)}</Table.Td>
                <Table.Td ta="end">
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    disabled={saving.isPending}
                    aria-label={`Remove the rate of ${rate.from} to ${rate.to} from ${rate.date}`}
                    onClick={() => remove(rate)}
                  >
                    <Icon name="close" size={12} />
                  </ActionIcon>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </ShortTable>
      )}
    </div>
  );
}

interface AddRateProps {
  readonly rates: readonly ExchangeRate[];
  readonly base: string;
  readonly tag: string;
  readonly onAdded: (change: RateChange) => void;
}

function AddRate({ rates, base, tag, onAdded }: AddRateProps) {
  /** The day and the base stay for the next one. */
  const [empty, setEmpty] = useState({
    from: '',
    to: base,
    date: new Date(now()).toISOString().slice(0, 10),
    rate: '',
  });
  const draft = useEdits<ExchangeRate>(empty, tag);
  const rate = draft.values;
  const former = sameDay(rates, rate);
  const saving = useSave(draft.tag);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const onSuccess = () => {
      draft.clear();
      setEmpty({ ...rate, from: '', rate: '' });
      onAdded({ before: former, after: rate });
    };
    saving.mutate({ exchange_rates: withRate(rates, rate) }, { onSuccess });
  };
  const field = (name: keyof ExchangeRate, label: string, extra: object) => (
    <TextInput
      size="xs"
      label={label}
      value={rate[name]}
      onChange={({ currentTarget: { value } }) =>
        draft.edit({ [name]: name === 'from' || name === 'to' ? value.toUpperCase() : value })
      }
      required
      withAsterisk={false}
      {...extra}
    />
  );
  const code = { maxLength: 3, pattern: '[A-Z]{3}', placeholder: 'USD', w: 80 };
  return (
    <form onSubmit={onSubmit} aria-label="Add a rate">
      <div className={classes.line}>
        {field('from', '1 unit of', code)}
        {field('rate', 'is worth', { inputMode: 'decimal', placeholder: '0.92', w: 110 })}
        {field('to', 'in', code)}
        {field('date', 'from', { type: 'date' })}
        <SaveButton saving={saving}>Add rate</SaveButton>
      </div>
      {former !== null && (
        <Text size="sm" role="status">
          It replaces the rate {former.rate} of that day.
        </Text>
      )}
      <SaveError saving={saving} onLoaded={draft.rebase} />
    </form>
  );
}
