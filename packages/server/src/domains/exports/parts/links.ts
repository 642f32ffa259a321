import { describeLink, selectEvidence } from '../../links/index.js';
import type { PartContext } from '../context.js';
import type { Part } from './part.js';
import { recordedPart } from './recorded-part.js';

const PAGE = 200;

/** links.json: links of a decision or an event of the range, as the chain of activity tells of them. */
export function linksPart(context: PartContext): Part {
  return recordedPart(context, {
    name: 'links.json',
    read: (tx, after) => selectEvidence(tx, context.scope, context.pins, readPlace(after), PAGE),
    position: (row) => `${row.created_at} ${row.link_id}`,
    describe: describeLink,
  });
}

function readPlace(after: string | null) {
  if (after === null) return null;
  const [createdAt = '', linkId = ''] = after.split(' ');
  return { createdAt: Number(createdAt), linkId };
}
