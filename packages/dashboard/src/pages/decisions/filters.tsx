import type { DecisionQuery } from '@decision-ledger/client/api/decision';
import type { ExportFilter } from '@decision-ledger/client/api/export';
import { Group, NativeSelect, NumberInput, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import {
  type DecisionFilters,
  isFiltered,
  present,
  readDecisionFilters,
} from '../../app/search-params.ts';
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

export function queryOf(filters: DecisionFilters): DecisionQuery {
  const { from, to, metadata } = filters;
  return {
    ...conditionsOf(filters),
    ...present({ start: from, end: to }),
    ...metadataOf(metadata),
  };
}

function metadataOf(text: string | undefined): { [name: `metadata.${string}`]: string } {
  const member = memberOf(text);
  return member === null ? {} : { [`metadata.${member.key}`]: member.value };
}

/** The same as the filter of an export, whose days are given apart; null without a condition. */
export function exportFilterOf(filters: DecisionFilters): ExportFilter | null {
  const member = memberOf(filters.metadata);
  const filter: ExportFilter = {
    ...conditionsOf(filters),
    ...(member !== null && { metadata: { [member.key]: member.value } }),
  };
  return Object.keys(filter).length === 0 ? null : filter;
}

function conditionsOf({ agent, action, human, min, max }: DecisionFilters) {
  return present({
    agent_id: agent,
    action_type: action,
    human_in_loop: human === undefined ? undefined : human === 'yes',
    min_confidence: min,
    max_confidence: max,
  });
}

/** A member of metadata, from a text such as `customer_id=c-7`. */
function memberOf(text: string | undefined): { key: string; value: string } | null {
  const at = text?.indexOf('=') ?? -1;
  if (text === undefined || at < 1) return null;
  return { key: text.slice(0, at).trim(), value: text.slice(at + 1).trim() };
}
