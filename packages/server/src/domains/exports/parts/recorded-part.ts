import type { Queryable } from '../../../platform/database.js';
import { type SubjectBounds, selectSubjectBounds } from '../../activity/index.js';
import { atOneMoment, type PartContext } from '../context.js';
import { arrayPart } from './array-part.js';
import type { Part } from './part.js';

/** Records that may change after they were made, each change told in the chain of activity. */
export interface Recorded<Row> {
  readonly name: string;
  /** Behind a place, the first ones for null; none at the end. */
  read(tx: Queryable, after: string | null): Promise<readonly Row[]>;
  position(row: Row): string;
  /** As it is answered, with its public identifier. */
  describe(row: Row): object & { readonly id: string };
}

interface Item<Row> {
  readonly row: Row;
  readonly shown: object & { readonly id: string };
  readonly bounds: SubjectBounds | undefined;
}

/**
 * A file of such records as they were at one moment a page, with the last change that each shows.
 * Those that were made after the export began are left out.
 */
export function recordedPart<Row>({ db, scope, pins }: PartContext, kind: Recorded<Row>): Part {
  return arrayPart<Item<Row>>(kind.name, {
    page: (after) =>
      atOneMoment(db, async (tx) => {
        const rows = await kind.read(tx, after);
        const items = rows.map((row) => ({ row, shown: kind.describe(row) }));
        const ids = items.map(({ shown }) => shown.id);
        const bounds = await selectSubjectBounds(tx, scope, ids);
        return items.map((item) => ({ ...item, bounds: bounds.get(item.shown.id) }));
      }),
    position: ({ row }) => kind.position(row),
    line({ shown, bounds }) {
      if (bounds !== undefined && bounds.first > pins.since) return null;
      return JSON.stringify({ ...shown, activity_seq: bounds?.last ?? null });
    },
  });
}
