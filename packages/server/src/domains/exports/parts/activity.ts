import { type IdPrefix, idToUuid, uuidToId } from '../../../platform/ids.js';
import { type ActivityRecord, selectRecords, selectSubjectBounds } from '../../activity/index.js';
import { whichInRange as whichDecisions } from '../../decisions/index.js';
import { whichInRange as whichEvents } from '../../financial-events/index.js';
import { whichInRange as whichLinks } from '../../links/index.js';
import type { ClosingContext, PartContext } from '../context.js';
import { genesisOf } from '../genesis.js';
import type { Part } from './part.js';

const PAGE = 200;

/**
 * activity.ndjson: the genesis of the chain of activity, then every entry of it. What a change was is
 * disclosed behind its entry where it concerns a record of this bundle, and withheld where not.
 */
export function activityPart(context: ClosingContext): Part {
  const { db, scope, activitySeq } = context;
  return {
    name: 'activity.ndjson',
    async *pieces(from) {
      if (from === null) {
        yield { text: `${await genesisOf(db, scope, 'activity')}\n`, next: '0', records: 0 };
      }
      let after = Number(from ?? '0');
      while (after < activitySeq) {
        const span = { first: after + 1, last: activitySeq, limit: PAGE };
        const records = await selectRecords(db, scope, span);
        const last = records.at(-1);
        if (last === undefined) break;
        after = last.seq;
        const text = await linesOf(context, records);
        yield { text, next: String(after), records: records.length };
      }
    },
  };
}

async function linesOf(context: PartContext, records: readonly ActivityRecord[]): Promise<string> {
  const concerned = await subjectsOfBundle(context, records);
  const lines = records.flatMap(({ entry, data, subject }) =>
    data !== null && concerned.has(subject) ? [entry, data] : [entry],
  );
  return `${lines.join('\n')}\n`;
}

const KINDS = [
  ['dec', whichDecisions],
  ['evt', whichEvents],
  ['lnk', whichLinks],
] as const;

/** Subjects that this bundle has a record of: those that were there when the export began. */
async function subjectsOfBundle(
  { db, scope, pins }: PartContext,
  records: readonly ActivityRecord[],
): Promise<ReadonlySet<string>> {
  const found: string[] = [];
  for (const [prefix, whichInRange] of KINDS) {
    const ids = await whichInRange(db, scope, pins, uuidsOf(prefix, records));
    found.push(...ids.map((uuid) => uuidToId(prefix, uuid)));
  }
  const bounds = await selectSubjectBounds(db, scope, found);
  return new Set(found.filter((subject) => (bounds.get(subject)?.first ?? 0) <= pins.since));
}

function uuidsOf(prefix: IdPrefix, records: readonly ActivityRecord[]): string[] {
  const uuids = records
    .filter(({ subject }) => subject.startsWith(`${prefix}_`))
    .map(({ subject }) => idToUuid(prefix, subject))
    .filter((uuid) => uuid !== null);
  return [...new Set(uuids)];
}
