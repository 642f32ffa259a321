import { uuidToId } from '../../../platform/ids.js';
import { mapInTurns } from '../../../platform/in-turns.js';
import type { LedgerReader } from '../../../platform/ledger.js';
import { selectSubjectBounds } from '../../log/activity/index.js';
import { toRelated } from './relations.js';
import { MOST_NAMED } from './reversals.js';
import { type RelatedReport, reversalsOf, type Statement } from './rules/relations.js';
import { selectNamed, selectReversing } from './store/relations.js';

/** Events in a page, each with its metadata. */
const PAGE = 500;

/** Events of a range, and others, as far as they were recorded by a place in the chain of activity. */
export interface ReversingEvents {
  /** ms; the end is exclusive. */
  readonly start: number;
  readonly end: number;
  /** UUIDs. */
  readonly among: readonly string[];
  readonly until: number;
}

/**
 * The events (UUIDs) that some events say that they reverse, deleted or not, whenever they happened. They follow from what was
 * recorded, which never changes.
 */
export async function readReversed(
  ledger: LedgerReader,
  reversing: ReversingEvents,
): Promise<ReadonlySet<string>> {
  const reversed = new Set<string>();
  for (let after: string | null = null; ; ) {
    const rows = await selectReversing(ledger, reversing, { after, limit: PAGE });
    const bounds = await selectSubjectBounds(
      ledger,
      rows.map(({ event_id }) => uuidToId('evt', event_id)),
    );
    const recorded = rows.filter(({ event_id }) => {
      const { first } = bounds.get(uuidToId('evt', event_id)) ?? {};
      return first !== undefined && first <= reversing.until;
    });
    const named = await namedBy(ledger, await mapInTurns(recorded, toRelated));
    for (const id of named) reversed.add(id);
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return reversed;
    after = last.event_id;
  }
}

async function namedBy(
  ledger: LedgerReader,
  reports: readonly RelatedReport[],
): Promise<readonly string[]> {
  const stated = reports.flatMap((report) =>
    reversalsOf(report).map((statement) => ({ report, statement })),
  );
  const keyOf = (source: string, reference: string | null) => JSON.stringify([source, reference]);
  const byName = new Map<string, { report: RelatedReport; statement: Statement }[]>();
  for (const one of stated) {
    const key = keyOf(one.report.source, one.statement.reference);
    const others = byName.get(key);
    if (others === undefined) byName.set(key, [one]);
    else others.push(one);
  }
  const names = [...byName.values()].flatMap(([one]) =>
    one === undefined ? [] : [{ source: one.report.source, reference: one.statement.reference }],
  );
  if (names.length === 0) return [];
  const rows = await selectNamed(ledger, names, MOST_NAMED);
  return rows.flatMap(({ event_id, source, event_type, external_id }) => {
    const naming = byName.get(keyOf(source, external_id)) ?? [];
    const isMeant = naming.some(
      ({ report, statement: { types } }) =>
        report.event_id !== event_id && (types?.includes(event_type) ?? true),
    );
    return isMeant ? [event_id] : [];
  });
}
