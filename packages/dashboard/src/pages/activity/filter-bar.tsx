import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { DayRangeFields } from '../../components/day-range.tsx';
import { SavedFilters } from '../../components/saved-filters/saved-filters.tsx';
import classes from './activity.module.css';
import { type ActivityFilters, isFiltered, readActivity } from './search.ts';
import { CHANGES } from './words.ts';

const KINDS = [
  { value: '', label: 'Any' },
  ...Object.entries(CHANGES).map(([value, label]) => ({ value, label })),
];

/** The filters of the list. The address has them, so a filtered list can be sent as a link. */
export function FilterBar({ filters }: { filters: ActivityFilters }) {
  const navigate = useNavigate();
  const apply = (search: ActivityFilters) => void navigate({ to: '/activity', search });
  return (
    <div className={classes.bar} data-screen-only>
      <Fields key={JSON.stringify(filters)} filters={filters} onApply={apply} />
      <SavedFilters
        page="activity"
        current={filters}
        canSave={isFiltered(filters)}
        onChoose={(search) => apply(readActivity(search))}
      />
    </div>
  );
}

interface FieldsProps {
  readonly filters: ActivityFilters;
  readonly onApply: (filters: ActivityFilters) => void;
}

function Fields({ filters, onApply }: FieldsProps) {
  const [draft, setDraft] = useState(filters);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    onApply(draft);
  };
  const { type } = draft;
  const isUnknown = type !== undefined && !Object.hasOwn(CHANGES, type);
  return (
    <form onSubmit={onSubmit} className={classes.fields} aria-label="Filters">
      <NativeSelect
        size="xs"
        label="Change"
        data={isUnknown ? [...KINDS, { value: type, label: type }] : KINDS}
        value={type ?? ''}
        onChange={({ currentTarget }) =>
          setDraft({ ...draft, type: currentTarget.value || undefined })
        }
      />
      <TextInput
        size="xs"
        label="Subject (whole id)"
        placeholder="dec_…, key_…"
        value={draft.subject ?? ''}
        onChange={({ currentTarget }) =>
          setDraft({ ...draft, subject: currentTarget.value.trim() || undefined })
        }
      />
      <DayRangeFields range={draft} onChange={(range) => setDraft({ ...draft, ...range })} />
      <Group gap="xs">
        <Button type="submit" size="xs">
          Apply
        </Button>
        {isFiltered(filters) && (
          <Button size="xs" variant="default" onClick={() => onApply({})}>
            Clear
          </Button>
        )}
      </Group>
    </form>
  );
}
