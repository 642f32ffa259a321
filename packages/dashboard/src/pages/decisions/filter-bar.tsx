import { Group, NativeSelect, NumberInput, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type DecisionFilters, isFiltered, readDecisionFilters } from '../../app/search-params.ts';
import { DayRangeFields } from '../../components/day-range.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';

const TEXTS = [
  ['agent', 'Agent', 'Any'],
  ['action', 'Action', 'Any'],
  ['metadata', 'Metadata', 'customer_id=c-7'],
] as const;

const REVIEWS = [
  { value: '', label: 'Any' },
  { value: 'yes', label: 'In the loop' },
  { value: 'no', label: 'None' },
];

export function DecisionFilterBar({ filters }: { filters: DecisionFilters }) {
  const navigate = useNavigate();
  return (
    <FilterBar
      page="decisions"
      filters={filters}
      isFiltered={isFiltered(filters)}
      read={readDecisionFilters}
      onApply={(search) => void navigate({ to: '/decisions', search })}
    >
      {(draft, change) => (
        <>
          {TEXTS.map(([name, label, placeholder]) => (
            <TextInput
              key={name}
              {...{ size: 'xs', label, placeholder }}
              value={draft[name] ?? ''}
              onChange={({ currentTarget }) => change({ [name]: currentTarget.value || undefined })}
            />
          ))}
          <NativeSelect
            size="xs"
            label="Human review"
            data={REVIEWS}
            value={draft.human ?? ''}
            onChange={({ currentTarget }) =>
              change({ human: readDecisionFilters({ human: currentTarget.value }).human })
            }
          />
          <Confidence draft={draft} onChange={change} />
          <DayRangeFields range={draft} onChange={change} />
        </>
      )}
    </FilterBar>
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
    <Group gap="xs" grow wrap="nowrap" data-wide>
      {field('min', 'Min. confidence')}
      {field('max', 'Max. confidence')}
    </Group>
  );
}
