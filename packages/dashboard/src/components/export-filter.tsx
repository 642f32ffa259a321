import type { ExportFilter } from '@decision-ledger/client/api/export';

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
