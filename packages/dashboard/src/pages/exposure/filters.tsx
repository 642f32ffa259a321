import { Button, Group, TextInput } from '@mantine/core';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { DayRangeFields } from '../../components/day-range.tsx';
import classes from './exposure.module.css';
import { type ExposureSearch, isFiltered } from './search.ts';

const route = getRouteApi('/shell/exposure');

/** Which decisions the figures count. */
export function ExposureFilters() {
  const search = route.useSearch();
  return <Fields key={JSON.stringify(search)} search={search} />;
}

function Fields({ search }: { search: ExposureSearch }) {
  const navigate = useNavigate();
  const [draft, setDraft] = useState(search);
  const apply = (next: ExposureSearch) => void navigate({ to: '/exposure', search: next });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    apply(draft);
  };
  const text = (name: 'agent' | 'action', label: string) => (
    <TextInput
      size="xs"
      label={label}
      placeholder="Any"
      value={draft[name] ?? ''}
      onChange={({ currentTarget }) =>
        setDraft({ ...draft, [name]: currentTarget.value || undefined })
      }
    />
  );
  return (
    <form onSubmit={onSubmit} className={classes.filters} aria-label="Filters" data-screen-only>
      {text('agent', 'Agent')}
      {text('action', 'Action type')}
      <DayRangeFields range={draft} onChange={(range) => setDraft({ ...draft, ...range })} />
      <Group gap="xs">
        <Button type="submit" size="xs" variant="default">
          Apply
        </Button>
        {isFiltered(search) && (
          <Button size="xs" variant="default" onClick={() => apply({})}>
            Clear
          </Button>
        )}
      </Group>
    </form>
  );
}
