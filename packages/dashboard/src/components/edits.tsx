import { Alert, Button, Text } from '@mantine/core';
import { useState } from 'react';

/** A stored value when editing began, and now that another person has changed it. */
export interface Theirs {
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

/**
 * What a person has typed over settings. It stays when others change the settings; fields that were not
 * touched follow them. The tag stays that of the settings that the person saw, until newer ones are loaded.
 * @param stored what the service has, where it is not what the fields show
 */
export function useEdits<Values extends object>(
  values: Values,
  tag: string,
  stored: Values = values,
) {
  const [edits, setEdits] = useState<Partial<Values>>({});
  /** When editing began; null: nothing is edited. */
  const [began, setBegan] = useState<{ readonly tag: string; readonly stored: Values } | null>(
    null,
  );
  // What was typed while a change was saved is for the settings that were read after it.
  if (began === null && Object.keys(edits).length > 0) setBegan({ tag, stored });
  return {
    values: { ...values, ...edits },
    edits,
    tag: began?.tag ?? tag,
    theirs: began === null ? [] : changesOf(began.stored, stored, edits),
    edit(part: Partial<Values>) {
      setBegan((now) => now ?? { tag, stored });
      setEdits((now) => ({ ...now, ...part }));
    },
    /** Newer settings are loaded. What others have changed stays in view. */
    rebase: (newer: { readonly tag: string }) =>
      setBegan((now) => now && { ...now, tag: newer.tag }),
    /** They were saved, and the settings read again: drops them, but not what was typed since. */
    clear() {
      setBegan(null);
      setEdits((now) => without(now, edits));
    },
    /** Drops all of them. */
    drop() {
      setBegan(null);
      setEdits({});
    },
  };
}

/** The stored values that differ, of the fields that were edited. */
function changesOf<Values extends object>(
  before: Values,
  after: Values,
  edits: Partial<Values>,
): Theirs[] {
  const former = new Map<string, unknown>(Object.entries(before));
  const newer = new Map<string, unknown>(Object.entries(after));
  return Object.keys(edits)
    .filter((name) => former.get(name) !== newer.get(name))
    .map((name) => ({ name, before: inWords(former.get(name)), after: inWords(newer.get(name)) }));
}

function inWords(value: unknown): string {
  return value === null || value === '' || value === undefined ? 'none' : String(value);
}

interface TheirChangesProps {
  readonly draft: { readonly theirs: readonly Theirs[]; drop(): void };
  /** Of each field. */
  readonly labels: Readonly<Record<string, string>>;
}

/** Says what others have changed of what is being edited, so that the person decides whose value it is. */
export function TheirChanges({ draft: { theirs, drop }, labels }: TheirChangesProps) {
  if (theirs.length === 0) return null;
  return (
    <Alert variant="light" color="yellow" role="status" p="xs">
      <Text size="sm">Since you began, someone else changed</Text>
      {theirs.map(({ name, before, after }) => (
        <Text key={name} size="sm">
          {labels[name] ?? name} from <bdi>{before}</bdi> to <bdi>{after}</bdi>
        </Text>
      ))}
      <Button size="compact-sm" variant="default" mt="xs" onClick={drop}>
        Keep theirs
      </Button>
    </Alert>
  );
}

/** The values that differ from those that were saved. */
function without<Values extends object>(
  now: Partial<Values>,
  saved: Partial<Values>,
): Partial<Values> {
  const kept: Partial<Values> = { ...now };
  for (const name in saved) if (kept[name] === saved[name]) delete kept[name];
  return kept;
}
