import type { SpanGroup } from '@decision-ledger/client/api/operations';
import { Button, Group, Text, Textarea, TextInput } from '@mantine/core';
import type { FormEvent } from 'react';
import { useEdits } from '../../../components/edits.tsx';
import { fieldProblems } from '../../../components/load-states.tsx';
import { SaveButton, SaveError } from '../../../components/saving-settings.tsx';
import classes from '../settings.module.css';
import { type TaggedSettings, useSave } from '../tagged-settings.tsx';
import { CONDITIONS, draftOf, PLACES, type RuleDraft, ruleOf } from './new-rule.ts';

const LABELS: Readonly<Record<keyof RuleDraft, string>> = {
  scope: 'Scope',
  span_name: 'Name of the span',
  attribute: 'Attribute that it must have',
  value: 'Value of that attribute',
  agent_id: 'Agent',
  action_type: 'Action',
  inputs: 'Inputs',
  outputs: 'Outputs',
  confidence: 'Confidence',
};

const HINTS: Readonly<Record<keyof RuleDraft, string>> = {
  scope: 'Of the instrumentation. A * at its end matches any rest.',
  span_name: 'A * at its end matches any rest. Empty: any.',
  attribute: 'Empty: none, if the name of the span is given.',
  value: 'Empty: any.',
  agent_id: 'The first that is present. Empty: gen_ai.agent.name, or the name of the service.',
  action_type: 'The first that is present. Empty: gen_ai.tool.name, or the name of the span.',
  inputs: 'Empty: gen_ai.tool.call.arguments.',
  outputs: 'Empty: gen_ai.tool.call.result.',
  confidence:
    'The first that is present; fixed:0.8 is the same for every span. Empty: decision_ledger.confidence.',
};

interface RuleFormProps extends TaggedSettings {
  /** What the rule is for. */
  readonly group: SpanGroup;
  readonly onDone: () => void;
}

/** Adds a rule after those that there are. The service says what is wrong with it. */
export function RuleForm({ group, settings: { otlp }, tag, onDone }: RuleFormProps) {
  const draft = useEdits<RuleDraft>(draftOf(group), tag);
  const saving = useSave(draft.tag);
  const path = `otlp.rules[${otlp.rules.length}]`;
  const problems = Object.entries(fieldProblems(saving.error));
  const problemOf = (name: string) =>
    problems.find(([at]) => at === name || at.startsWith(`${name}[`))?.[1];
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const rules = [...otlp.rules, ruleOf(draft.values)];
    saving.mutate({ otlp: { rules, version: otlp.version + 1 } }, { onSuccess: onDone });
  };
  const field = (name: keyof RuleDraft) => ({
    size: 'xs' as const,
    label: LABELS[name],
    description: HINTS[name],
    error: problemOf(`${path}.${name}`),
    value: draft.values[name],
  });
  return (
    <form onSubmit={onSubmit} noValidate className={classes.form} aria-label="New rule">
      <Text size="sm">
        Spans that meet all conditions become decisions. Each place is an attribute of the span, or
        one with resource: or event: before it, on a line of its own.
      </Text>
      <div className={classes.grid}>
        {CONDITIONS.map((name) => (
          <TextInput
            key={name}
            {...field(name)}
            onChange={({ currentTarget }) => draft.edit({ [name]: currentTarget.value })}
          />
        ))}
      </div>
      {PLACES.map((name) => (
        <Textarea
          key={name}
          {...field(name)}
          autosize
          minRows={1}
          onChange={({ currentTarget }) => draft.edit({ [name]: currentTarget.value })}
        />
      ))}
      <Text size="sm" c="var(--negative)" role="alert" hidden={problemOf(path) === undefined}>
        The rule {problemOf(path)}
      </Text>
      <SaveError saving={saving} onLoaded={draft.rebase} />
      <Group justify="flex-end">
        <Button size="xs" variant="default" onClick={onDone}>
          Cancel
        </Button>
        <SaveButton saving={saving}>Add the rule</SaveButton>
      </Group>
    </form>
  );
}
