import type { ActivityType } from '../activity-types.js';
import { briefText, effectsOf, type RecordedChange, type RecordState } from './state.js';

/** Members set when a link is created or suggested. */
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

/** Members that a link carried over to another event takes from the link that it replaces. */
export const INHERITED_LINK_MEMBERS = [...REVIEWED, ...BESIDE, 'created_by'] as const;

/** The members of a link that its changes prove. */
export const LINK_MEMBERS = [
  ...MADE,
  'reversal',
  ...INHERITED_LINK_MEMBERS,
  'inherited_from',
  'created_at',
  'deleted_at',
] as const;

/** The types of the first change of a link. */
export const LINK_MAKINGS: readonly string[] = ['link.created', 'link.suggested', 'link.inherited'];

/**
 * Id of the link that a link replaces, or null.
 *
 * @param made the first change of the link
 * @example
 * ```ts
 * import { formerLink } from '@decision-ledger/proof/replay/links';
 *
 * const data = new Map([['supersedes', '"lnk_01h455vb4pex5vsknk084sn02q"']]);
 * const at = '2026-04-16T09:30:00.000Z';
 * formerLink({ seq: 1, type: 'link.created', actor: 'operator', at, data });
 * // => 'lnk_01h455vb4pex5vsknk084sn02q'
 * ```
 */
export function formerLink(made: RecordedChange | undefined): string | null {
  if (made?.type !== 'link.created') return null;
  const id = made.data.get('supersedes');
  return id?.startsWith('"') ? id.slice(1, -1) : null;
}

/**
 * The link that results from its changes.
 *
 * @param changes oldest first
 * @param inherited the state of the link that this one replaces; null if it replaces none, or states by
 *   itself what it takes from it
 * @example
 * ```ts
 * import { replayLink } from '@decision-ledger/proof/replay/links';
 *
 * const data = new Map([['status', '"CONFIRMED"']]);
 * const at = '2026-04-16T09:30:00.000Z';
 * const made = { seq: 1, type: 'link.created', actor: 'operator', at, data };
 * replayLink([made], null).get('created_by'); // => '"operator"'
 * ```
 */
export function replayLink(
  changes: Iterable<RecordedChange>,
  inherited: RecordState | null,
): RecordState {
  const state: RecordState = new Map([['deleted_at', null]]);
  for (const change of changes) {
    EFFECTS.get(change.type)?.(state, change);
    if (change.type === 'link.created' && inherited !== null) inherit(state, inherited);
  }
  return state;
}

/** What each type of activity about a link does to it. */
const EFFECTS = effectsOf<ActivityType<'link'>>({
  'link.created': create,
  'link.suggested': suggest,
  'link.inherited': takeOver,
  'link.confirmed': review,
  'link.rejected': review,
  'link.deleted': remove,
});

function create(state: RecordState, { actor, at, data }: RecordedChange): void {
  for (const name of MADE) state.set(name, data.get(name) ?? null);
  state.set('reversal', data.get('reversal') ?? null);
  state.set('label', null);
  state.set('created_by', data.get('created_by') ?? briefText(actor));
  state.set('created_at', briefText(at));
  for (const name of [...REVIEWED, ...BESIDE]) state.set(name, data.get(name) ?? null);
}

function inherit(state: RecordState, inherited: RecordState): void {
  for (const name of INHERITED_LINK_MEMBERS) state.set(name, inherited.get(name) ?? null);
}

/** A suggestion is recorded again whenever its strength changes. */
function suggest(state: RecordState, { actor, at, data }: RecordedChange): void {
  if (!state.has('created_at')) {
    state.set('created_by', briefText(actor));
    state.set('created_at', briefText(at));
    for (const name of [...REVIEWED, 'notes']) state.set(name, null);
  }
  for (const name of MADE) state.set(name, data.get(name) ?? null);
  state.set('reversal', data.get('reversal') ?? null);
  state.set('label', data.get('label') ?? null);
  state.set('attribution_method', briefText('probabilistic'));
  state.set('score', data.get('score') ?? null);
}

/** What a reversal takes from its payment is recorded again whenever its strength or its label changes. */
function takeOver(state: RecordState, change: RecordedChange): void {
  suggest(state, change);
  state.set('inherited_from', change.data.get('inherited_from') ?? null);
  state.set('attribution_method', briefText('inherited'));
}

function review(state: RecordState, { type, actor, at, data }: RecordedChange): void {
  state.set('status', data.get('status') ?? null);
  const strength = data.get('correlation_strength');
  if (strength !== undefined) state.set('correlation_strength', strength);
  state.set('label', null);
  state.set('reviewed_by', briefText(actor));
  state.set('reviewed_at', briefText(at));
  if (type === 'link.rejected') state.set('deleted_at', briefText(at));
}

/** Deleting a rejected link keeps the time of the rejection. */
function remove(state: RecordState, { at }: RecordedChange): void {
  if (state.get('deleted_at') === null) state.set('deleted_at', briefText(at));
}
