import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { type MoneySearch, readMoney, type Tab } from '../../app/page-searches.ts';
import { DayRangeFields } from '../../components/day-range.tsx';
import { SavedFilters } from '../../components/saved-filters.tsx';
import classes from './filter-bar.module.css';
import { FILTERS, isFiltered } from './queries.ts';

interface FilterBarProps {
  readonly tab: Tab;
  readonly filters: MoneySearch;
}

/** The filters of the list in view. The address has them. */
export function FilterBar({ tab, filters }: FilterBarProps) {
  if (FILTERS[tab].length === 0) return null;
  return <Bar tab={tab} filters={filters} />;
}

function Bar({ tab, filters }: FilterBarProps) {
  const navigate = useNavigate();
  const apply = (wanted: MoneySearch) =>
    void navigate({ to: '/money', search: { ...readMoney({ ...wanted }), tab } });
  return (
    <div className={classes.bar} data-screen-only>
      <Fields key={JSON.stringify([tab, filters])} {...{ tab, filters }} onApply={apply} />
      <SavedFilters
        key={tab}
        page={`money.${tab}`}
        current={filters}
        canSave={isFiltered(tab, filters)}
        onChoose={(search) => apply(readMoney(search))}
      />
    </div>
  );
}

const TEXTS = [
  ['source', 'Source', 'Any'],
  ['type', 'Type', 'Any'],
  ['reference', 'Reference', 'INV-1041'],
  ['decision', 'Decision', 'dec_…'],
  ['currency', 'Currency', 'Any'],
] as const;

const STATUS_CHOICES = [
  { value: '', label: 'Any' },
  { value: 'CONFIRMED', label: 'Made by people' },
  { value: 'ML_INFERRED', label: 'Suggested, confirmed' },
  { value: 'ML_SUGGESTED', label: 'Suggested, open' },
  { value: 'REJECTED', label: 'Suggested, rejected' },
];

interface FieldsProps extends FilterBarProps {
  readonly onApply: (wanted: MoneySearch) => void;
}

function Fields({ tab, filters, onApply }: FieldsProps) {
  const [draft, setDraft] = useState(filters);
  const names: readonly string[] = FILTERS[tab];
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    onApply(draft);
  };
  return (
    <form onSubmit={onSubmit} className={classes.fields} aria-label="Filters">
      {names.includes('status') && (
        <NativeSelect
          size="xs"
          label="Status"
          data={STATUS_CHOICES}
          value={draft.status ?? ''}
          onChange={({ currentTarget }) =>
            setDraft({ ...draft, status: readMoney({ status: currentTarget.value }).status })
          }
        />
      )}
      {TEXTS.filter(([name]) => names.includes(name)).map(([name, label, placeholder]) => (
        <TextInput
          key={name}
          {...{ size: 'xs', label, placeholder }}
          value={draft[name] ?? ''}
          onChange={({ currentTarget }) => setDraft({ ...draft, [name]: currentTarget.value })}
        />
      ))}
      {names.includes('from') && (
        <DayRangeFields range={draft} onChange={(range) => setDraft({ ...draft, ...range })} />
      )}
      <Group gap="xs">
        <Button type="submit" size="xs">
          Apply
        </Button>
        {isFiltered(tab, filters) && (
          <Button size="xs" variant="default" onClick={() => onApply({})}>
            Clear
          </Button>
        )}
      </Group>
    </form>
  );
}
