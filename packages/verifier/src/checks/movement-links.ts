import type { CauseLabel, InheritedCause, PaymentLink } from '@decision-ledger/proof/inheritance';
import type { RecordState } from '@decision-ledger/proof/replay/state';
import type { ActivityFacts, Change } from './activity-facts.js';
import { LinkHistories } from './histories.js';
import type { Movements } from './movements.js';

/** The links of a movement, as the chain has them at a place. */
export interface MovementLinks {
  /** What a reversal may take of each, in the order of the chain. */
  readonly given: readonly PaymentLink[];
  readonly inherited: readonly (InheritedCause & { readonly payment: string })[];
  /** Decisions of which a person said that they are not the cause. */
  readonly refused: ReadonlySet<string>;
  readonly isOfPeople: boolean;
  /** Decisions of suggestions that are matched. */
  readonly matched: ReadonlySet<string>;
  /** When the last of its links changed, ms. */
  readonly changed: number;
}

type Known = { -readonly [Name in keyof MovementLinks]: MovementLinks[Name] } & {
  readonly given: PaymentLink[];
  readonly inherited: (InheritedCause & { readonly payment: string })[];
  readonly refused: Set<string>;
  readonly matched: Set<string>;
};

const nothing = (): Known => ({
  ...{ given: [], inherited: [], refused: new Set(), matched: new Set() },
  ...{ isOfPeople: false, changed: 0 },
});

export const NO_LINKS: MovementLinks = nothing();

/** The disclosed links of all movements at a place in the chain, by the report that leads. */
export function readMovementLinks(
  activity: ActivityFacts,
  movements: Movements,
  upTo: number,
): ReadonlyMap<string, MovementLinks> {
  const histories = new LinkHistories(activity.links);
  const links = new Map<string, Known>();
  for (const history of activity.links.values()) {
    const changes = history.changes.filter(({ seq }) => seq <= upTo);
    if (changes.length === 0 || changes.some(({ isWithheld }) => isWithheld)) continue;
    const state = histories.replay(changes);
    const event = textOf(state, 'financial_event_id');
    if (event === null) continue;
    const lead = movements.leadOf(event);
    const known = links.get(lead) ?? nothing();
    links.set(lead, known);
    addLink(known, state, changes, movements);
  }
  return links;
}

function addLink(
  known: Known,
  state: RecordState,
  changes: readonly Change[],
  movements: Movements,
): void {
  const decision = textOf(state, 'decision_id') ?? '';
  const last = changes.at(-1);
  known.changed = Math.max(known.changed, Date.parse(last?.at ?? ''));
  // A review that was withdrawn is followed by a deletion.
  if (last?.type === 'link.rejected') known.refused.add(decision);
  if (textOf(state, 'deleted_at') !== null) return;
  const label = labelOf(state);
  const strength = Number(state.get('correlation_strength'));
  if (label === null || !Number.isFinite(strength)) return;
  const link = { decision, strength, label };
  const status = textOf(state, 'status');
  if (status === 'INHERITED') {
    const payment = movements.leadOf(textOf(state, 'inherited_from') ?? '');
    known.inherited.push({ ...link, payment });
    return;
  }
  known.given.push(link);
  if (status !== 'ML_SUGGESTED') known.isOfPeople = true;
  else if (label === 'matched') known.matched.add(decision);
}

/** How certain a link that stands is; null for one that counts nothing. */
export function labelOf(state: RecordState): CauseLabel | null {
  const status = textOf(state, 'status');
  if (status === 'CONFIRMED' || status === 'ML_INFERRED') return 'confirmed';
  const label = textOf(state, 'label');
  if (status === 'ML_SUGGESTED') return label === 'matched' ? label : 'guessed';
  if (status !== 'INHERITED') return null;
  return label === 'confirmed' || label === 'matched' ? label : 'guessed';
}

/** A member that is a text; null if it is absent or unknown. */
function textOf(state: RecordState, name: string): string | null {
  const value = state.get(name);
  return typeof value === 'string' && value.startsWith('"') ? value.slice(1, -1) : null;
}
