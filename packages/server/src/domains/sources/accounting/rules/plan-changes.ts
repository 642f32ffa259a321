/** What is already recorded of a source's record. */
export interface Known {
  readonly fingerprint: string;
  readonly isDeleted: boolean;
}

/** What the plan looks at in a record. */
interface Planned {
  readonly key: string;
  readonly fingerprint: string;
  readonly event: object | null;
}

/** `record` is new or back again, `supersede` has another content, `remove` is gone. */
export type Change<Record extends Planned> =
  | { readonly kind: 'record' | 'supersede'; readonly record: Record }
  | { readonly kind: 'remove'; readonly key: string };

/**
 * What has to be recorded so that what is known equals what a poll found. Of a record that stands
 * twice in a poll the last one counts. What is already so needs nothing, so that polls may overlap.
 * @param known by the record's key
 */
export function planChanges<Record extends Planned>(
  known: ReadonlyMap<string, Known>,
  poll: { readonly records: readonly Record[]; readonly isComplete: boolean },
): Change<Record>[] {
  const found = new Map(poll.records.map((record) => [record.key, record]));
  const changes: Change<Record>[] = [];
  for (const record of found.values()) {
    const change = changeOf(known.get(record.key), record);
    if (change !== null) changes.push(change);
  }
  if (poll.isComplete) {
    for (const [key, { isDeleted }] of known) {
      if (!isDeleted && !found.has(key)) changes.push({ kind: 'remove', key });
    }
  }
  return changes;
}

function changeOf<Record extends Planned>(
  known: Known | undefined,
  record: Record,
): Change<Record> | null {
  const exists = known !== undefined && !known.isDeleted;
  if (record.event === null) return exists ? { kind: 'remove', key: record.key } : null;
  if (!exists) return { kind: 'record', record };
  return known.fingerprint === record.fingerprint ? null : { kind: 'supersede', record };
}
