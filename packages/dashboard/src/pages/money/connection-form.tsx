import type { AccountingConnection } from '@decision-ledger/client/api/settings-forms';
import {
  Button,
  Group,
  NativeSelect,
  PasswordInput,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useLedger } from '../../app/session/context.tsx';
import { TheirChanges, useEdits } from '../../components/edits.tsx';
import { ErrorPanel, fieldProblems, LinesSkeleton } from '../../components/load-states.tsx';
import {
  SaveButton,
  SaveError,
  settingsOf,
  useSaveConnections,
} from '../../components/saving-settings.tsx';
import {
  connectionOf,
  type Draft,
  draftOf,
  type Field,
  KIND_NAMES,
  type Kind,
  kindsOf,
} from './connection-kinds.ts';

interface ConnectionFormProps {
  /** The id of the connection to change; null to add one. */
  readonly id: string | null;
  readonly onDone: () => void;
}

/** Adds or changes an accounting connection. Its fields are those that the service describes. */
export function ConnectionForm({ id, onDone }: ConnectionFormProps) {
  const ledger = useLedger();
  const settings = useQuery(settingsOf(ledger));
  const kinds = useQuery({
    queryKey: ['description', 'connection-kinds'],
    queryFn: async ({ signal }) => kindsOf(await ledger.operations.description({ signal })),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const error = settings.error ?? kinds.error;
  if (error !== null) return <ErrorPanel error={error} />;
  if (settings.data === undefined || kinds.data === undefined) return <LinesSkeleton />;
  const { data, tag } = settings.data;
  return (
    <Fields kinds={kinds.data} connections={data.accounting} tag={tag} id={id} onDone={onDone} />
  );
}

interface FieldsProps extends ConnectionFormProps {
  readonly kinds: readonly Kind[];
  readonly connections: readonly AccountingConnection[];
  /** Of the settings that the person sees. */
  readonly tag: string;
}

function Fields({ kinds, connections, tag, id, onDone }: FieldsProps) {
  const at = connections.findIndex((one) => one.id === id);
  const former = connections[at] ?? null;
  const [name, setName] = useState<string>(former?.kind ?? kinds[0]?.kind ?? '');
  const kind = kinds.find((one) => one.kind === name);
  const stored: Draft = kind === undefined || former === null ? {} : draftOf(kind, former);
  const draft = useEdits<Draft>(stored, tag);
  const saving = useSaveConnections(
    draft.tag,
    'Saved. The list will show the result of its next poll.',
    onDone,
  );
  if (id !== null && former === null) return <Text>Someone else removed {id}.</Text>;
  if (kind === undefined) return <Text>The service describes no kind of connection.</Text>;
  const place = former === null ? connections.length : at;
  const problems = fieldProblems(saving.error);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const made = connectionOf(kind, draft.values, former);
    saving.mutate({ accounting: connections.toSpliced(place, 1, made) });
  };
  return (
    <form onSubmit={onSubmit} noValidate>
      <NativeSelect
        label="System"
        value={name}
        disabled={former !== null}
        data={kinds.map((one) => ({ value: one.kind, label: KIND_NAMES[one.kind] }))}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      {kind.fields.map((field) => (
        <FieldInput
          key={`${name} ${field.name}`}
          field={field}
          value={draft.values[field.name] ?? field.preset}
          isKept={field.isSecret && former !== null}
          isFixed={field.name === 'id' && former !== null}
          problem={problems[`accounting[${place}].${field.name}`]}
          onChange={(value) => draft.edit({ [field.name]: value })}
        />
      ))}
      <TheirChanges draft={draft} labels={{}} />
      <SaveError saving={saving} onLoaded={draft.rebase} />
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={onDone}>
          Cancel
        </Button>
        <SaveButton saving={saving} size="sm">
          Save and poll
        </SaveButton>
      </Group>
    </form>
  );
}

interface FieldInputProps {
  readonly field: Field;
  readonly value: string;
  /** Whether the service has a secret that stays if nothing is typed. */
  readonly isKept: boolean;
  readonly isFixed: boolean;
  readonly problem: string | undefined;
  readonly onChange: (value: string) => void;
}

/** How what takes several lines is written. */
const HINTS: Partial<Record<Field['form'], string>> = {
  lines: ' One on each line.',
  pairs: ' One on each line, such as kr = SEK.',
};

function FieldInput({ field, value, isKept, isFixed, problem, onChange }: FieldInputProps) {
  const { name, description, isRequired, isSecret, form, choices } = field;
  const common = {
    mt: 'sm',
    label: isRequired ? name : `${name} (optional)`,
    description: `${description}${HINTS[form] ?? ''}`,
    error: problem,
    value,
  };
  if (isSecret) {
    return (
      <PasswordInput
        {...common}
        autoComplete="off"
        placeholder={isKept ? 'Kept: type to replace it' : ''}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    );
  }
  if (form === 'choice') {
    return (
      <NativeSelect
        {...common}
        data={['', ...choices]}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    );
  }
  if (form === 'lines' || form === 'pairs') {
    return (
      <Textarea
        {...common}
        autosize
        minRows={2}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    );
  }
  return (
    <TextInput
      {...common}
      disabled={isFixed}
      inputMode={form === 'number' ? 'numeric' : 'text'}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
