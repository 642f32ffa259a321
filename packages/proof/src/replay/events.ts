import type { ActivityType } from '../activity-types.js';
import { briefText, effectsOf, type RecordedChange, type RecordState } from './state.js';

/** Members of a financial event that its recording sets and that never change. */
export const RECORDED_EVENT_MEMBERS = [
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

/** What the last record about its movement says of an event; absent of one that nothing else ever witnessed. */
const MOVEMENT_MEMBERS = ['lead', 'reports'] as const;

/**
 * The financial event that results from its changes.
 *
 * @param changes oldest first
 * @example
 * ```ts
 * import { replayEvent } from '@decision-ledger/proof/replay/events';
 *
 * const type = 'financial_event.recorded';
 * const data = new Map([['amount', '"5.00"']]);
 * const made = { seq: 1, type, actor: 'operator', at: '2026-04-16T09:30:00.000Z', data };
 * replayEvent([made]).get('amount'); // => '"5.00"'
 * ```
 */
export function replayEvent(changes: Iterable<RecordedChange>): RecordState {
  const state: RecordState = new Map([
    ['superseded_by', null],
    ['deleted_at', null],
  ]);
  for (const change of changes) EFFECTS.get(change.type)?.(state, change);
  return state;
}

/** What each type of activity about an event does to it. */
const EFFECTS = effectsOf<ActivityType<'event'>>({
  'financial_event.recorded': (state, { at, data }) => {
    for (const name of RECORDED_EVENT_MEMBERS) state.set(name, data.get(name) ?? null);
    state.set('origin', originOf(data));
    state.set('created_at', briefText(at));
  },
  'financial_event.deleted': (state, { at, data }) => {
    state.set('deleted_at', briefText(at));
    state.set('superseded_by', data.get('superseded_by') ?? null);
  },
  /** It says which decision caused the event, and leaves the event as it is. */
  'financial_event.reviewed': () => undefined,
  'movement.paired': regroup,
  'movement.parted': regroup,
});

function regroup(state: RecordState, { data }: RecordedChange): void {
  for (const name of MOVEMENT_MEMBERS) state.set(name, data.get(name) ?? null);
}

/** A recording names null where there is no origin. */
function originOf(data: ReadonlyMap<string, string>): string | null {
  const origin = data.get('origin') ?? 'null';
  return origin === 'null' ? null : origin;
}
