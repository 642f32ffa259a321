import { FILES } from '@decision-ledger/proof/bundle/format';
import type { RecordsManifest } from '@decision-ledger/proof/bundle/manifest';
import type { Findings } from '../report/findings.js';
import { type ActivityFacts, type Change, unpack } from './activity-facts.js';
import { brief } from './brief.js';
import { isInRange } from './entries.js';
import type { Files } from './files.js';
import { HistoryCheck, type State } from './histories.js';
import { RecordLines } from './record-lines.js';

const EVENTS = 'events.json';

/** Members that the recording sets and that never change. */
const RECORDED = [
  'source',
  'event_type',
  'amount',
  'currency',
  'external_id',
  'timestamp',
  'description',
  'metadata',
  'supersedes',
] as const;

/** Checks that each financial event matches the activity, and that no event of the range is missing. */
export async function checkEvents(
  files: Files,
  manifest: RecordsManifest,
  activity: ActivityFacts,
  findings: Findings,
): Promise<void> {
  const kind = {
    file: EVENTS,
    histories: activity.events,
    members: [...RECORDED, 'superseded_by', 'created_at', 'deleted_at'],
    replay,
    makings: ['financial_event.recorded'],
    orderedBy: FILES[EVENTS].orderedBy,
  };
  const check = new HistoryCheck({ kind, manifest, activity, findings });
  const lines = new RecordLines(EVENTS, findings, (record) => {
    if (!isInRange(manifest, record.time('timestamp'))) {
      const message = 'The financial event is not in the range.';
      check.fail('event_outside', message, record.text('id'), null, 'completeness');
    }
    check.check(record);
  });
  await files.lines(EVENTS, lines);
  lines.end();
  for (const [id, made] of check.missing()) {
    const timestamp = unpack(made).get('timestamp')?.slice(1, -1);
    if (timestamp === undefined || isInRange(manifest, timestamp)) {
      const message = `A financial event of ${timestamp ?? 'a time that is withheld'} was recorded, but is not in ${EVENTS}.`;
      check.fail('event_missing', message, id, made.seq, 'completeness');
    }
  }
}

function replay(changes: readonly Change[]): State {
  const state: State = new Map([
    ['superseded_by', null],
    ['deleted_at', null],
  ]);
  for (const change of changes) {
    const { type, at } = change;
    const data = unpack(change);
    if (type === 'financial_event.recorded') {
      for (const name of RECORDED) state.set(name, data.get(name) ?? null);
      state.set('created_at', brief(at));
    } else {
      state.set('deleted_at', brief(at));
      state.set('superseded_by', data.get('superseded_by') ?? null);
    }
  }
  return state;
}
