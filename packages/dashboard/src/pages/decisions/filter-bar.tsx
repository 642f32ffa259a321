import { Button, Group, NativeSelect, NumberInput, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { type DecisionFilters, isFiltered, readDecisionFilters } from '../../app/search-params.ts';
import { DayRangeFields } from '../../components/day-range.tsx';
import { SavedFilters } from '../../components/saved-filters.tsx';
import classes from './filter-bar.module.css';

/** The filters of the list. The address has them, so a filtered list can be sent as a link. */
export function FilterBar({ filters }: { filters: DecisionFilters }) {
  const navigate = useNavigate();
  const [isOpen, fields] = useDisclosure(false);
  const apply = (search: DecisionFilters) => void navigate({ to: '/decisions', search });
  return (
    <div className={classes.bar} data-screen-only>
      <Button
        size="xs"
        variant="default"
        hiddenFrom="sm"
        aria-expanded={isOpen}
        aria-controls="decision-filters"
        onClick={fields.toggle}
      >
        {isFiltered(filters) ? 'Filters (active)' : 'Filters'}
      </Button>
      <Fields key={JSON.stringify(filters)} filters={filters} isOpen={isOpen} onApply={apply} />
      <SavedFilters
        page="decisions"
        current={filters}
        canSave={isFiltered(filters)}
        onChoose={(search) => apply(readDecisionFilters(search))}
      />
    </div>
  );
}

interface FieldsProps {
  readonly filters: DecisionFilters;
  /** On a phone, where they are hidden at first. */
  readonly isOpen: boolean;
  readonly onApply: (filters: DecisionFilters) => void;
}

function Fields({ filters, isOpen, onApply }: FieldsProps) {
  const [draft, setDraft] = useState(filters);
  const change = (part: DecisionFilters) => setDraft({ ...draft, ...part });
  const text = (name: 'agent' | 'action' | 'metadata', label: string, placeholder: string) => (
    <TextInput
      size="xs"
      label={label}
      placeholder={placeholder}
      value={draft[name] ?? ''}
      onChange={({ currentTarget }) => change({ [name]: currentTarget.value || undefined })}
    />
  );
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    onApply(draft);
  };
  return (
    <form
      id="decision-filters"
      onSubmit={onSubmit}
      className={classes.fields}
      data-open={isOpen}
      aria-label="Filters"
    >
      {text('agent', 'Agent', 'Any')}
      {text('action', 'Action', 'Any')}
      {text('metadata', 'Metadata', 'customer_id=c-7')}
      <NativeSelect
        size="xs"
        label="Human review"
        data={[
          { value: '', label: 'Any' },
          { value: 'yes', label: 'In the loop' },
          { value: 'no', label: 'None' },
        ]}
        value={draft.human ?? ''}
        onChange={({ currentTarget }) =>
          change({ human: readDecisionFilters({ human: currentTarget.value }).human })
        }
      />
      <Confidence draft={draft} onChange={change} />
      <DayRangeFields range={draft} onChange={change} />
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

interface ConfidenceProps {
  readonly draft: DecisionFilters;
  readonly onChange: (part: DecisionFilters) => void;
}

function Confidence({ draft, onChange }: ConfidenceProps) {
  const field = (name: 'min' | 'max', label: string) => (
    <NumberInput
      size="xs"
      w={124}
      label={label}
      placeholder="Any"
      min={0}
      max={1}
      step={0.05}
      value={draft[name] ?? ''}
      onChange={(value) => onChange({ [name]: typeof value === 'number' ? value : undefined })}
    />
  );
  return (
    <Group gap="xs" grow wrap="nowrap" className={classes.pair}>
      {field('min', 'Min. confidence')}
      {field('max', 'Max. confidence')}
    </Group>
  );
}
