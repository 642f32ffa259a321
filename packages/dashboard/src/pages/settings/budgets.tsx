import type { Budget } from '@decision-ledger/client/api/settings-forms';
import { ActionIcon, NativeSelect, Table, Text, TextInput } from '@mantine/core';
import type { FormEvent } from 'react';
import { MEASURES, wordsOf } from '../../components/budgets.ts';
import { useEdits } from '../../components/edits.tsx';
import { Icon } from '../../components/icon.tsx';
import { type CsvTable, ShortTable } from '../../components/rows.tsx';
import { SaveButton, SaveError } from '../../components/saving-settings.tsx';
import { Money } from '../../components/values.tsx';
import classes from './settings.module.css';
import { type TaggedSettings, useSave } from './tagged-settings.tsx';

const CSV: CsvTable<Budget> = {
  name: 'budgets',
  columns: {
    id: ({ id }) => id,
    measure: ({ measure }) => measure,
    period: ({ period }) => period ?? '',
    agent_id: ({ agent_id }) => agent_id ?? '',
    action_type: ({ action_type }) => action_type ?? '',
    amount: ({ amount }) => ({ decimal: amount }),
  },
};

/** What agents may lose, refund or put at risk. */
export function BudgetForm({ settings: { budgets, base_currency }, tag }: TaggedSettings) {
  const saving = useSave(tag);
  const remove = (id: string) => saving.mutate({ budgets: budgets.filter((one) => one.id !== id) });
  return (
    <div className={classes.wide}>
      <h2>Budgets</h2>
      <Text size="sm" maw={720}>
        The service reports when 80 % and 100 % of a budget are used, once in each day or month. It
        blocks nothing: an agent may ask before it acts.
      </Text>
      <AddBudget budgets={budgets} currency={base_currency} tag={tag} />
      <SaveError saving={saving} />
      {budgets.length > 0 && (
        <ShortTable label="Budgets" minWidth={480} csv={CSV} rows={budgets}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Budget</Table.Th>
              <Table.Th>Limits</Table.Th>
              <Table.Th ta="end">Amount</Table.Th>
              <Table.Th />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {budgets.map((budget) => (
              <Table.Tr key={budget.id}>
                <Table.Td>{budget.id}</Table.Td>
                <Table.Td>{wordsOf(budget)}</Table.Td>
                <Table.Td ta="end">
                  <Money amount={budget.amount} currency={base_currency} />
                </Table.Td>
                <Table.Td ta="end">
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    disabled={saving.isPending}
                    aria-label={`Remove the budget ${budget.id}`}
                    onClick={() => remove(budget.id)}
                  >
                    <Icon name="close" size={12} />
                  </ActionIcon>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </ShortTable>
      )}
    </div>
  );
}

interface Draft {
  readonly id: string;
  readonly measure: Budget['measure'];
  readonly period: NonNullable<Budget['period']>;
  readonly agent: string;
  readonly action: string;
  readonly amount: string;
}

const EMPTY: Draft = {
  ...{ id: '', measure: 'refunds', period: 'day', agent: '', action: '', amount: '' },
};

/** The exposure has no period; an empty field is left out. */
function budgetOf({ id, measure, period, agent, action, amount }: Draft): Budget {
  return {
    ...{ id: id.trim(), measure, amount: amount.trim() },
    ...(measure !== 'open_exposure' && { period }),
    ...(agent.trim() !== '' && { agent_id: agent.trim() }),
    ...(action.trim() !== '' && { action_type: action.trim() }),
  };
}

const MEASURE_CHOICES = Object.entries(MEASURES).map(([value, label]) => ({ value, label }));
const isMeasure = (name: string): name is Draft['measure'] => name in MEASURES;
const PERIODS: readonly Draft['period'][] = ['day', 'month'];

interface AddBudgetProps {
  readonly budgets: readonly Budget[];
  readonly currency: string;
  readonly tag: string;
}

function AddBudget({ budgets, currency, tag }: AddBudgetProps) {
  const draft = useEdits<Draft>(EMPTY, tag);
  const { measure, period } = draft.values;
  const saving = useSave(draft.tag);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const added = budgetOf(draft.values);
    saving.mutate({ budgets: [...budgets, added] }, { onSuccess: draft.clear });
  };
  const field = (name: 'id' | 'agent' | 'action' | 'amount', label: string, extra: object) => (
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
    <form onSubmit={onSubmit} aria-label="Add a budget">
      <div className={classes.line}>
        {field('id', 'Name', { placeholder: 'refunds-of-the-day', ...required })}
        <NativeSelect
          size="xs"
          label="Limits"
          data={MEASURE_CHOICES}
          value={measure}
          onChange={({ currentTarget: { value } }) =>
            isMeasure(value) && draft.edit({ measure: value })
          }
        />
        {measure !== 'open_exposure' && (
          <NativeSelect
            size="xs"
            label="by"
            data={[...PERIODS]}
            value={period}
            onChange={({ currentTarget }) => {
              const chosen = PERIODS.find((one) => one === currentTarget.value);
              if (chosen !== undefined) draft.edit({ period: chosen });
            }}
          />
        )}
        {field('agent', 'of the agent', { placeholder: 'all' })}
        {field('action', 'and action type', { placeholder: 'all' })}
        {field('amount', `Amount, in ${currency}`, { inputMode: 'decimal', w: 130, ...required })}
        <SaveButton saving={saving}>Add budget</SaveButton>
      </div>
      <SaveError saving={saving} onLoaded={draft.rebase} />
    </form>
  );
}
