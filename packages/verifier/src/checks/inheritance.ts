import type { RecordsManifest } from '@decision-ledger/proof/bundle/manifest';
import {
  type CauseLabel,
  type InheritedCause,
  inheritedCauses,
  type PaymentLink,
} from '@decision-ledger/proof/inheritance';
import type { RecordState } from '@decision-ledger/proof/replay/state';
import type { Findings } from '../report/findings.js';
import type { ActivityFacts, History } from './activity-facts.js';
import { LinkHistories } from './histories.js';
import type { Movements } from './movements.js';
import { Reversals } from './reversals.js';

interface Bundle {
  readonly manifest: RecordsManifest;
  readonly activity: ActivityFacts;
  readonly findings: Findings;
}

/** The links of a movement, as the chain has them when the export began. */
interface MovementLinks {
  /** What a reversal may take of each, in the order of the chain. */
  readonly given: PaymentLink[];
  readonly inherited: (InheritedCause & { readonly payment: string })[];
  /** Decisions of which a person said that they are not the cause. */
  readonly refused: Set<string>;
  isOfPeople: boolean;
}

/**
 * Checks that reversals have the links of their payments: that the bundle discloses the payments, that the reports of the
 * reversals name them, and that decisions, strengths and labels of inherited links follow from their links.
 * @param due ids of the events whose links the bundle discloses
 * @returns ids of the events of the payments, whose links it must disclose, too
 */
export function checkInheritance(
  { manifest, activity, findings }: Bundle,
  movements: Movements,
  due: ReadonlySet<string>,
): ReadonlySet<string> {
  const { since } = manifest.activity;
  const payments = new Set<string>();
  for (const { seq, event, payment } of activity.inheritances) {
    if (seq > since || !due.has(event) || payments.has(payment)) continue;
    payments.add(payment);
    for (const id of movements.membersOf(movements.leadOf(payment))) payments.add(id);
  }
  if (payments.size === 0) return payments;
  const fail = (id: string, message: string) =>
    findings.fail('completeness', {
      ...{ code: 'inheritance_differs', file: 'activity.ndjson', id, message },
    });
  for (const id of payments) {
    const changes = activity.events.get(id)?.changes ?? [];
    const known = changes.filter(({ seq }) => seq <= since);
    if (known.length > 0 && !known.some(({ isWithheld }) => isWithheld)) continue;
    fail(id, 'The bundle has a reversal of this payment, and withholds the payment.');
  }
  const links = readLinks(activity, movements, since);
  const reversals = new Reversals(activity, movements);
  for (const [lead, { inherited }] of links) {
    if (inherited.length === 0 || !movements.membersOf(lead).some((id) => due.has(id))) continue;
    const problem = problemOf(lead, links, reversals);
    if (problem !== null) fail(lead, problem);
  }
  return payments;
}

/** What is wrong with the inherited links of a reversal; null if nothing is. */
function problemOf(
  lead: string,
  links: ReadonlyMap<string, MovementLinks>,
  reversals: Reversals,
): string | null {
  const reversal = links.get(lead);
  if (reversal === undefined) return null;
  const { inherited, refused, isOfPeople } = reversal;
  const payment = inherited[0]?.payment ?? '';
  if (isOfPeople) return 'It has a link that people made, and links of its payment beside it.';
  if (inherited.some((one) => one.payment !== payment)) return 'It takes links of two payments.';
  if (reversals.reaches(lead, payment) === false) {
    return `It takes links of ${payment}, and its reports name another payment or none.`;
  }
  const due = inheritedCauses(links.get(payment)?.given ?? [], refused);
  const has = [...inherited].sort((one, other) => (one.decision < other.decision ? -1 : 1));
  const isSame =
    has.length === due.length &&
    has.every(({ decision, strength, label }, at) => {
      const wanted = due[at];
      return (
        wanted?.decision === decision && wanted.strength === strength && wanted.label === label
      );
    });
  return isSame ? null : `Its links are not those that the links of its payment ${payment} make.`;
}

/** The links of all movements at a place in the chain, by the report that leads. */
function readLinks(
  activity: ActivityFacts,
  movements: Movements,
  upTo: number,
): ReadonlyMap<string, MovementLinks> {
  const histories = new LinkHistories(activity.links);
  const links = new Map<string, MovementLinks>();
  for (const history of activity.links.values()) {
    const changes = history.changes.filter(({ seq }) => seq <= upTo);
    if (changes.length === 0 || changes.some(({ isWithheld }) => isWithheld)) continue;
    const state = histories.replay(changes);
    const event = textOf(state, 'financial_event_id');
    if (event === null) continue;
    const lead = movements.leadOf(event);
    const known = links.get(lead) ?? {
      ...{ given: [], inherited: [], refused: new Set<string>(), isOfPeople: false },
    };
    links.set(lead, known);
    addLink(known, state, { changes, isSeen: false, when: null }, movements);
  }
  return links;
}

function addLink(
  known: MovementLinks,
  state: RecordState,
  { changes }: History,
  movements: Movements,
): void {
  const decision = textOf(state, 'decision_id') ?? '';
  // A review that was withdrawn is followed by a deletion.
  if (changes.at(-1)?.type === 'link.rejected') known.refused.add(decision);
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
