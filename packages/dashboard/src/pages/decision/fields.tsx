import type { DecisionInDetail } from '@decision-ledger/client/api/decision';
import { Checkbox, Group } from '@mantine/core';

/** The fields of the payload that can be disclosed and erased one by one. */
const FIELDS = ['inputs', 'outputs', 'alternatives', 'metadata'] as const;
export type Field = (typeof FIELDS)[number];

/** Those that the decision has. */
export function fieldsOf(decision: DecisionInDetail): readonly Field[] {
  return FIELDS.filter((field) => decision[field] !== undefined);
}

interface FieldChoiceProps {
  readonly label: string;
  readonly description?: string;
  readonly offered: readonly Field[];
  readonly chosen: readonly Field[];
  readonly onChange: (chosen: readonly Field[]) => void;
}

/** Chooses fields of a payload. */
export function FieldChoice({ label, description, offered, chosen, onChange }: FieldChoiceProps) {
  return (
    <Checkbox.Group
      label={label}
      description={description}
      value={[...chosen]}
      onChange={(names) => onChange(offered.filter((field) => names.includes(field)))}
    >
      <Group mt={6}>
        {offered.map((field) => (
          <Checkbox key={field} value={field} label={field} />
        ))}
      </Group>
    </Checkbox.Group>
  );
}
