import { ActionIcon, NativeSelect, Table, Text, TextInput } from '@mantine/core';
import type { FormEvent } from 'react';
import { useEdits } from '../../components/edits.tsx';
import { Icon } from '../../components/icon.tsx';
import { type CsvTable, ShortTable } from '../../components/rows.tsx';
import { SaveButton, SaveError } from '../../components/saving-settings.tsx';
import { EMPTY, keyOf, OUTCOMES, type OutcomeRule, ruleOf } from './outcome-words.ts';
import classes from './settings.module.css';
import { type TaggedSettings, useSave } from './tagged-settings.tsx';

const CSV: CsvTable<OutcomeRule> = {
  name: 'outcomes',
  columns: {
    outcome: ({ outcome }) => outcome,
    paths: ({ paths }) => paths.join(' '),
    values: ({ values }) => values.join(' '),
    unless_action: ({ unless_action }) => unless_action ?? '',
  },
};

/** The values that say how an action ended. */
export function OutcomeRules({ settings: { liability }, tag }: TaggedSettings) {
  const rules = liability.outcomes.values;
  const saving = useSave(tag);
  const remove = (rule: OutcomeRule) =>
    saving.mutate(valuesOf(rules.filter((one) => keyOf(one) !== keyOf(rule))));
  return (
    <div className={classes.wide}>
      <h2>Values that say how an action ended</h2>
      <Text size="sm" maw={720}>
        A decision that was denied or failed has nothing at risk, and moved no money. If several
        values speak, the first of denied, failed and unknown counts. After a change, recorded
        decisions are read again.
      </Text>
      <AddRule rules={rules} tag={tag} />
      <SaveError saving={saving} />
      <ShortTable label="Values" minWidth={560} csv={CSV} rows={rules}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Outcome</Table.Th>
            <Table.Th>Paths</Table.Th>
            <Table.Th>Values</Table.Th>
            <Table.Th>Not for actions with</Table.Th>
            <Table.Th />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rules.map((rule) => (
            <Table.Tr key={keyOf(rule)}>
              <Table.Td>{rule.outcome}</Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{rule.paths.join(', ')}</Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{rule.values.join(', ')}</Table.Td>
              <Table.Td>{rule.unless_action}</Table.Td>
              <Table.Td ta="end">
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  disabled={saving.isPending}
                  aria-label={`Remove ${rule.outcome} of ${rule.values.join(', ')}`}
                  onClick={() => remove(rule)}
                >
                  <Icon name="close" size={12} />
                </ActionIcon>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </ShortTable>
    </div>
  );
}

const valuesOf = (values: OutcomeRule[]) => ({ liability: { outcomes: { values } } });

interface AddRuleProps {
  readonly rules: readonly OutcomeRule[];
  readonly tag: string;
}

function AddRule({ rules, tag }: AddRuleProps) {
  const draft = useEdits(EMPTY, tag);
  const saving = useSave(draft.tag);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const added = ruleOf(draft.values);
    saving.mutate(valuesOf([...rules, added]), { onSuccess: draft.clear });
  };
  const field = (name: 'paths' | 'values' | 'unlessAction', label: string, extra: object) => (
    <TextInput
      size="xs"
      label={label}
      value={draft.values[name]}
      onChange={({ currentTarget }) => draft.edit({ [name]: currentTarget.value })}
      {...extra}
    />
  );
  const required = { required: true, withAsterisk: false };
  return (
    <form onSubmit={onSubmit} aria-label="Add a value">
      <div className={classes.line}>
        {field('paths', 'Paths', { placeholder: 'outputs.bescheid', ...required })}
        {field('values', 'have one of the values', {
          placeholder: 'abgelehnt, false',
          ...required,
        })}
        <NativeSelect
          size="xs"
          label="so it is"
          data={[...OUTCOMES]}
          value={draft.values.outcome}
          onChange={({ currentTarget }) => {
            const chosen = OUTCOMES.find((one) => one === currentTarget.value);
            if (chosen !== undefined) draft.edit({ outcome: chosen });
          }}
        />
        {field('unlessAction', 'but not for actions with', { placeholder: 'cancel' })}
        <SaveButton saving={saving}>Add value</SaveButton>
      </div>
      <SaveError saving={saving} onLoaded={draft.rebase} />
    </form>
  );
}
