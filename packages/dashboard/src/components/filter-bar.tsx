import { Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import classes from './filter-bar.module.css';
import { SavedFilters } from './saved-filters.tsx';

interface FieldsProps<Filters> {
  /** Those of the address, so that a filtered list can be sent as a link. */
  readonly filters: Filters;
  readonly isFiltered: boolean;
  /** Reads search parameters: those of a saved filter, or none. */
  readonly read: (search: Readonly<Record<string, unknown>>) => Filters;
  readonly onApply: (filters: Filters) => void;
  /** The inputs of filters that are not applied yet. */
  readonly children: (draft: Filters, change: (part: Partial<Filters>) => void) => ReactNode;
}

interface FilterBarProps<Filters> extends FieldsProps<Filters> {
  /** The list whose saved filters these are. */
  readonly page: string;
}

/** The filters of a list, and those saved for it. On a phone, the inputs are hidden at first. */
export function FilterBar<Filters extends object>({ page, ...given }: FilterBarProps<Filters>) {
  const { filters, isFiltered, read, onApply } = given;
  const [isOpen, fields] = useDisclosure(false);
  const id = useId();
  return (
    <div className={classes.bar} data-screen-only>
      <Button
        size="xs"
        variant="default"
        hiddenFrom="sm"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={fields.toggle}
      >
        {isFiltered ? 'Filters (active)' : 'Filters'}
      </Button>
      <div id={id} className={classes.form} data-open={isOpen}>
        <Fields key={`${page} ${JSON.stringify(filters)}`} {...given} />
      </div>
      <SavedFilters
        key={page}
        page={page}
        current={filters}
        canSave={isFiltered}
        onChoose={(search) => onApply(read(search))}
      />
    </div>
  );
}

function Fields<Filters extends object>({
  filters,
  isFiltered,
  read,
  onApply,
  children,
}: FieldsProps<Filters>) {
  const [draft, setDraft] = useState(filters);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    onApply(draft);
  };
  return (
    <form onSubmit={onSubmit} className={classes.fields} aria-label="Filters">
      {children(draft, (part) => setDraft({ ...draft, ...part }))}
      <Group gap="xs">
        <Button type="submit" size="xs">
          Apply
        </Button>
        {isFiltered && (
          <Button size="xs" variant="default" onClick={() => onApply(read({}))}>
            Clear
          </Button>
        )}
      </Group>
    </form>
  );
}
