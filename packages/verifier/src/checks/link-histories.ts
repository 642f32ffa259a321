import { type Change, type History, unpack } from './activity-facts.js';
import { brief } from './brief.js';
import { type State, UNPROVEN, UNSTATED } from './histories.js';

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
/** Members that a link carried over to another event inherits, because its own activity does not set them. */
const INHERITED = [...REVIEWED, ...BESIDE, 'created_by'] as const;

export const LINK_MEMBERS = [
  ...MADE,
  'reversal',
  ...INHERITED,
  'created_at',
  'deleted_at',
] as const;

/** Replays the changes of links. */
export class LinkHistories {
  readonly #histories: ReadonlyMap<string, History>;
  /** By id of the link that was carried over. */
  readonly #former = new Map<string, State>();

  constructor(histories: ReadonlyMap<string, History>) {
    this.#histories = histories;
  }

  replay(changes: readonly Change[]): State {
    const former = formerOf(changes);
    return replay(changes, former === null ? null : this.#inheritance(former, changes));
  }

  /**
   * A link may be carried over repeatedly, each time replacing an earlier one. Each is replayed once.
   */
  #inheritance(former: string, changes: readonly Change[]): State {
    const line: { readonly id: string; readonly changes: readonly Change[] }[] = [];
    let id: string | null = former;
    let state: State | null = null;
    let before = changes[0]?.seq ?? 0;
    while (id !== null) {
      const known: State | undefined = this.#former.get(id);
      const own: readonly Change[] = this.#histories.get(id)?.changes ?? [];
      const made = own[0]?.seq ?? before;
      if (known !== undefined || made >= before) {
        state = known ?? new Map();
        break;
      }
      line.push({ id, changes: own });
      before = made;
      id = formerOf(own);
    }
    for (const one of line.reverse()) {
      const isWithheld = one.changes.some((change) => change.isWithheld);
      state = isWithheld
        ? new Map(INHERITED.map((name) => [name, UNPROVEN]))
        : replay(one.changes, state);
      this.#former.set(one.id, state);
    }
    return state ?? new Map();
  }
}

/** Id of the link that this one replaces, or null. */
function formerOf([made]: readonly Change[]): string | null {
  if (made?.type !== 'link.created') return null;
  const id = unpack(made).get('supersedes');
  return id?.startsWith('"') ? id.slice(1, -1) : null;
}

function replay(changes: readonly Change[], inherited: State | null): State {
  const state: State = new Map([['deleted_at', null]]);
  for (const change of changes) {
    if (change.type === 'link.created') create(state, change, inherited);
    else if (change.type === 'link.suggested') suggest(state, change);
    else if (change.type === 'link.deleted') remove(state, change);
    else review(state, change);
  }
  return state;
}

function create(state: State, change: Change, inherited: State | null): void {
  const { actor, at } = change;
  const data = unpack(change);
  for (const name of MADE) state.set(name, data.get(name) ?? null);
  state.set('reversal', data.get('reversal') ?? UNSTATED);
  state.set('created_by', brief(actor));
  state.set('created_at', brief(at));
  for (const name of [...REVIEWED, ...BESIDE]) state.set(name, data.get(name) ?? null);
  if (inherited === null) return;
  for (const name of INHERITED) state.set(name, inherited.get(name) ?? null);
}

/** A suggestion is recorded again whenever its strength changes. */
function suggest(state: State, change: Change): void {
  const { actor, at } = change;
  const data = unpack(change);
  if (!state.has('created_at')) {
    state.set('created_by', brief(actor));
    state.set('created_at', brief(at));
    for (const name of [...REVIEWED, 'notes']) state.set(name, null);
  }
  for (const name of MADE) state.set(name, data.get(name) ?? null);
  state.set('reversal', data.get('reversal') ?? UNSTATED);
  state.set('attribution_method', brief('probabilistic'));
  state.set('score', data.get('score') ?? null);
}

function review(state: State, change: Change): void {
  const { type, actor, at } = change;
  const data = unpack(change);
  state.set('status', data.get('status') ?? null);
  const strength = data.get('correlation_strength');
  if (strength !== undefined) state.set('correlation_strength', strength);
  state.set('reviewed_by', brief(actor));
  state.set('reviewed_at', brief(at));
  if (type === 'link.rejected') state.set('deleted_at', brief(at));
}

/** Deleting a rejected link keeps the time of the rejection. */
function remove(state: State, { at }: Change): void {
  if (state.get('deleted_at') === null) state.set('deleted_at', brief(at));
}
