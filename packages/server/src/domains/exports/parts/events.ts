import { describeEvent, selectEvidence } from '../../financial-events/index.js';
import type { PartContext } from '../context.js';
import type { Part } from './part.js';
import { recordedPart } from './recorded-part.js';

/** What is read and written at a time. */
const MOST = { records: 200, bytes: 1024 * 1024 };

/** events.json: financial events of the range, as the chain of activity tells of them. */
export function eventsPart(context: PartContext): Part {
  return recordedPart(context, {
    name: 'events.json',
    read: (tx, after) => selectEvidence(tx, context.scope, context.pins, readPlace(after), MOST),
    position: (row) => `${row.timestamp} ${row.event_id}`,
    describe: describeEvent,
  });
}

function readPlace(after: string | null) {
  if (after === null) return null;
  const [timestamp = '', eventId = ''] = after.split(' ');
  return { timestamp: Number(timestamp), eventId };
}
