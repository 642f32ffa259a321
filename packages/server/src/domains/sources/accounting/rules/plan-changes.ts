/** The recorded state of a source's record. */
export interface Known {
  readonly fingerprint: string;
  readonly isDeleted: boolean;
}

/** The members of a record that the plan compares. */
interface Planned {
  readonly key: string;
  readonly fingerprint: string;
  readonly event: object | null;
}

/** `record`: new or restored; `supersede`: changed; `remove`: deleted. */
export type PlannedChange<Record extends Planned> =
  | { readonly kind: 'record' | 'supersede'; readonly record: Record }
  | { readonly kind: 'remove'; readonly key: string };

/**
 * The changes from the recorded state to the result of a poll. Of two records with one key, the last
 * counts. An unchanged record needs no change, so polls may overlap.
 * @param known recorded state by key
 */
export function planChanges<Record extends Planned>(
  known: ReadonlyMap<string, Known>,
  poll: { readonly records: readonly Record[]; readonly isComplete: boolean },
): PlannedChange<Record>[] {
  const found = new Map(poll.records.map((record) => [record.key, record]));
  const changes: PlannedChange<Record>[] = [];
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
): PlannedChange<Record> | null {
  const exists = known !== undefined && !known.isDeleted;
  if (record.event === null) return exists ? { kind: 'remove', key: record.key } : null;
  if (!exists) return { kind: 'record', record };
  return known.fingerprint === record.fingerprint ? null : { kind: 'supersede', record };
}
