import type { Findings } from '../report/findings.js';
import { type ActivityFacts, type Change, unpack } from './activity-facts.js';
import { brief } from './brief.js';
import type { Files } from './files.js';
import { HistoryCheck, type State } from './histories.js';
import type { Manifest } from './manifest.js';
import { RecordLines } from './record-lines.js';

const LINKS = 'links.json';

/** What making or suggesting it tells. */
const MADE = [
  'decision_id',
  'financial_event_id',
  'correlation_strength',
  'link_type',
  'attribution_method',
  'status',
] as const;
const REVIEWED = ['reviewed_by', 'reviewed_at'] as const;
const BESIDE = ['notes', 'score'] as const;

/** Every link is what activity says, and those that were disclosed are all there. */
export async function checkLinks(
  files: Files,
  manifest: Manifest,
  activity: ActivityFacts,
  findings: Findings,
): Promise<void> {
  const kind = {
    file: LINKS,
    histories: activity.links,
    members: [...MADE, ...REVIEWED, ...BESIDE, 'created_by', 'created_at', 'deleted_at'],
    replay,
    orderedBy: 'created_at',
  };
  const check = new HistoryCheck({ kind, manifest, findings });
  const lines = new RecordLines(LINKS, findings, (record) => check.take(record));
  await files.lines(LINKS, lines);
  lines.end();
  for (const [id, made] of check.missing()) {
    if (made.data !== null) {
      const message = `A link was made or suggested, and is not in ${LINKS}.`;
      check.fail('link_missing', message, id, made.seq, 'completeness');
    }
  }
}

function replay(changes: readonly Change[]): State {
  const state: State = new Map([['deleted_at', null]]);
  for (const change of changes) {
    if (change.type === 'link.created') create(state, change);
    else if (change.type === 'link.suggested') suggest(state, change);
    else if (change.type === 'link.deleted') remove(state, change);
    else review(state, change);
  }
  return state;
}

/** One that was carried over from another event brings along what its record does not tell. */
function create(state: State, change: Change): void {
  const { actor, at } = change;
  const data = unpack(change);
  for (const name of MADE) state.set(name, data.get(name) ?? null);
  state.set('created_by', brief(actor));
  state.set('created_at', brief(at));
  if (data.has('supersedes')) return;
  for (const name of [...REVIEWED, ...BESIDE]) state.set(name, data.get(name) ?? null);
}

/** Told again whenever its strength changes. */
function suggest(state: State, change: Change): void {
  const { actor, at } = change;
  const data = unpack(change);
  if (!state.has('created_at')) {
    state.set('created_by', brief(actor));
    state.set('created_at', brief(at));
    for (const name of [...REVIEWED, 'notes']) state.set(name, null);
  }
  for (const name of MADE) state.set(name, data.get(name) ?? null);
  state.set('attribution_method', brief('probabilistic'));
  state.set('score', data.get('score') ?? null);
}

function review(state: State, change: Change): void {
  const { type, actor, at } = change;
  state.set('status', unpack(change).get('status') ?? null);
  state.set('reviewed_by', brief(actor));
  state.set('reviewed_at', brief(at));
  if (type === 'link.rejected') state.set('deleted_at', brief(at));
}

/** Deleting a rejected one takes the rejection back; it stays deleted since then. */
function remove(state: State, { at }: Change): void {
  if (state.get('deleted_at') === null) state.set('deleted_at', brief(at));
}
