import { uuidToId } from '../../../platform/ids.js';
import { type SubjectBounds, selectSubjectBounds } from '../../activity/index.js';
import { describeLink, selectEvidence } from '../../links/index.js';
import { atOneMoment, type PartContext } from '../context.js';
import { arrayPart } from './array-part.js';
import type { Part } from './part.js';

type Row = Awaited<ReturnType<typeof selectEvidence>>[number];
type Item = { readonly row: Row; readonly bounds: SubjectBounds | undefined };

const PAGE = 200;

/** links.json: links of a decision or an event of the range, as the chain of activity tells of them. */
export function linksPart({ db, scope, pins }: PartContext): Part {
  return arrayPart<Item>('links.json', {
    page: (after) =>
      atOneMoment(db, async (tx) => {
        const rows = await selectEvidence(tx, scope, pins, readPlace(after), PAGE);
        const bounds = await selectSubjectBounds(tx, scope, rows.map(idOf));
        return rows.map((row) => ({ row, bounds: bounds.get(idOf(row)) }));
      }),
    position: ({ row }) => `${row.created_at} ${row.link_id}`,
    line({ row, bounds }) {
      if (bounds !== undefined && bounds.first > pins.since) return null;
      return JSON.stringify({ ...describeLink(row), activity_seq: bounds?.last ?? null });
    },
  });
}

const idOf = (row: Row) => uuidToId('lnk', row.link_id);

function readPlace(after: string | null) {
  if (after === null) return null;
  const [createdAt = '', linkId = ''] = after.split(' ');
  return { createdAt: Number(createdAt), linkId };
}
