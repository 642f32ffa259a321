import { FILES } from '@decision-ledger/proof/bundle/format';
import { RECORDED_EVENT_MEMBERS, replayEvent } from '@decision-ledger/proof/replay/events';
import { type Change, unpack, unpackAll } from './activity-facts.js';
import { isInRange } from './entries.js';
import type { Files } from './files.js';
import { HistoryCheck, type RecordsContext } from './histories.js';
import { RecordLines } from './record-lines.js';

const EVENTS = 'events.json';

/**
 * Checks that each financial event matches the activity, and that no event of the range is missing. A filter
 * chooses events by their links, whenever they happened.
 */
export async function checkEvents(files: Files, known: RecordsContext): Promise<void> {
  const { manifest, activity, findings, chosen } = known;
  const isDue = (timestamp: string) => chosen !== null || isInRange(manifest, timestamp);
  const kind = {
    file: EVENTS,
    histories: activity.events,
    members: [...RECORDED_EVENT_MEMBERS, 'superseded_by', 'created_at', 'deleted_at'],
    replay: (changes: readonly Change[]) => replayEvent(unpackAll(changes)),
    makings: ['financial_event.recorded'],
    orderedBy: FILES[EVENTS].orderedBy,
  };
  const check = new HistoryCheck({ kind, manifest, activity, findings });
  const lines = new RecordLines(EVENTS, findings, (record) => {
    chosen?.event(record);
    if (!isDue(record.time('timestamp'))) {
      const message = 'The financial event is not in the range.';
      check.fail('event_outside', message, record.text('id'), null, 'completeness');
    }
    check.check(record);
  });
  await files.lines(EVENTS, lines);
  lines.end();
  for (const [id, made] of check.missing()) {
    const timestamp = unpack(made).get('timestamp')?.slice(1, -1);
    if (timestamp === undefined || isDue(timestamp)) {
      const message = `A financial event of ${timestamp ?? 'a time that is withheld'} was recorded, but is not in ${EVENTS}.`;
      check.fail('event_missing', message, id, made.seq, 'completeness');
    }
  }
}
