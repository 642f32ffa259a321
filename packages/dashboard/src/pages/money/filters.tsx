import { Group, NativeSelect, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { AGES, type MoneySearch, readMoney, STANDINGS, type Tab } from '../../app/search-params.ts';
import { DayRangeFields } from '../../components/day-range.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { FILTERS, isFiltered } from './queries.ts';
import { STANDING_NAMES } from './standing-names.ts';

interface FilterBarProps {
  readonly tab: Tab;
  readonly filters: MoneySearch;
}

const TEXTS = [
  ['source', 'Source', 'Any'],
  ['type', 'Type', 'Any'],
  ['reference', 'Reference', 'INV-1041'],
  ['text', 'Text', 'Words'],
  ['customer', 'Customer', 'c-7'],
  ['decision', 'Decision', 'dec_…'],
  ['currency', 'Currency', 'Any'],
] as const;

const STANDING_VALUES = Object.fromEntries(
  STANDINGS.map((value) => [value, STANDING_NAMES[value]]),
);

/** Filters with a few values: their label, the values in words, and the width if the label is not enough. */
const CHOICES = {
  status: {
    label: 'Status',
    values: {
      CONFIRMED: 'Made by people',
      ML_INFERRED: 'Suggested, confirmed',
      ML_SUGGESTED: 'Suggested, open',
      INHERITED: 'Of the payment',
      REJECTED: 'Suggested, rejected',
    },
  },
  age: {
    label: 'Age',
    values: Object.fromEntries(AGES.map((days) => [days, `Over ${days} days`])),
  },
  standing: { label: 'Counts', width: 140, values: STANDING_VALUES },
  payment: { label: 'Refunds', width: 120, values: { unknown: 'Payment not recorded' } },
} as const;

/** The filters of the list in view. */
export function MoneyFilterBar({ tab, filters }: FilterBarProps) {
  const navigate = useNavigate();
  const names: readonly string[] = FILTERS[tab];
  if (names.length === 0) return null;
  const apply = (wanted: MoneySearch) =>
    void navigate({ to: '/money', search: { ...readMoney({ ...wanted }), tab } });
  return (
    <FilterBar
      page={`money.${tab}`}
      filters={filters}
      isFiltered={isFiltered(tab, filters)}
      read={readMoney}
      onApply={apply}
    >
      {(draft, change) => (
        <>
          {names.includes('status') && <Choice name="status" {...{ draft, change }} />}
          {TEXTS.filter(([name]) => names.includes(name)).map(([name, label, placeholder]) => (
            <TextInput
              key={name}
              {...{ size: 'xs', label, placeholder }}
              value={draft[name] ?? ''}
              onChange={({ currentTarget }) => change({ [name]: currentTarget.value })}
            />
          ))}
          {names.includes('amount') && <Amounts draft={draft} onChange={change} />}
          {(['age', 'standing', 'payment'] as const)
            .filter((name) => names.includes(name))
            .map((name) => (
              <Choice key={name} {...{ name, draft, change }} />
            ))}
          {names.includes('from') && <DayRangeFields range={draft} onChange={change} />}
        </>
      )}
    </FilterBar>
  );
}

interface PartProps {
  readonly draft: MoneySearch;
  readonly onChange: (part: MoneySearch) => void;
}

const AMOUNTS = [
  ['amount', 'Amount'],
  ['min', 'At least'],
  ['max', 'At most'],
] as const;

/** Amounts without sign: what came in and what went out. */
function Amounts({ draft, onChange }: PartProps) {
  return (
    <Group gap="xs" grow wrap="nowrap" data-wide>
      {AMOUNTS.map(([name, label]) => (
        <TextInput
          key={name}
          size="xs"
          w={92}
          label={label}
          placeholder="Any"
          inputMode="decimal"
          value={draft[name] ?? ''}
          onChange={({ currentTarget }) => onChange({ [name]: currentTarget.value.trim() })}
        />
      ))}
    </Group>
  );
}

interface ChoiceProps {
  readonly name: keyof typeof CHOICES;
  readonly draft: MoneySearch;
  readonly change: (part: MoneySearch) => void;
}

function Choice({ name, draft, change }: ChoiceProps) {
  const { label, values, ...size } = CHOICES[name];
  return (
    <NativeSelect
      size="xs"
      label={label}
      {...('width' in size && { w: size.width })}
      data={[
        { value: '', label: 'Any' },
        ...Object.entries(values).map(([value, label]) => ({ value, label })),
      ]}
      value={draft[name] ?? ''}
      onChange={({ currentTarget: { value } }) =>
        change({ [name]: readMoney({ [name]: value })[name] })
      }
    />
  );
}
