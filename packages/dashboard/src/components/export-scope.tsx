import type { ExportBody, ExportFilter } from '@decision-ledger/client/api/export';
import { NativeSelect } from '@mantine/core';
import { choiceOf } from '../app/search-params.ts';

export type RangeBasis = NonNullable<ExportBody['range_basis']>;

const NAMES = ['recorded', 'decided'] as const satisfies readonly RangeBasis[];

/** What a bundle with transparency logs proves to be complete. */
export const RANGE_BASES: Readonly<Record<RangeBasis, { label: string; hint: string }>> = {
  recorded: {
    label: 'Time of recording',
    hint: 'Proves that everything that was recorded in the range is there.',
  },
  decided: {
    label: 'Time of decision',
    hint: 'Proves that everything that was decided in the range is there, if the ledger limits how late a decision is recorded.',
  },
};

/** Chooses what a bundle with decisions proves to be complete. */
export function RangeBasisField({
  value,
  onChange,
}: {
  value: RangeBasis;
  onChange: (basis: RangeBasis) => void;
}) {
  return (
    <NativeSelect
      size="xs"
      label="Complete by"
      data={NAMES.map((name) => ({ value: name, label: RANGE_BASES[name].label }))}
      value={value}
      onChange={({ currentTarget }) =>
        onChange(choiceOf({ value: currentTarget.value }, 'value', NAMES) ?? value)
      }
    />
  );
}

/** The conditions of an export in one line. */
export function ExportFilterText({ filter }: { filter: ExportFilter }) {
  const {
    metadata = {},
    agent_id,
    action_type,
    human_in_loop,
    min_confidence,
    max_confidence,
  } = filter;
  const own: readonly (readonly [label: string, value: string | number | undefined])[] = [
    ['agent', agent_id],
    ['action', action_type],
    ['a person in the loop', human_in_loop === undefined ? undefined : yesOrNo(human_in_loop)],
    ['confidence from', min_confidence],
    ['confidence to', max_confidence],
  ];
  const conditions = [...own, ...Object.entries(metadata)].flatMap(([label, value]) =>
    value === undefined ? [] : [`${label} ${value}`],
  );
  return <strong>{conditions.join(', ')}</strong>;
}

const yesOrNo = (value: boolean) => (value ? 'yes' : 'no');
