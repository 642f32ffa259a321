import { BUNDLES } from '@decision-ledger/proof/bundle/format';
import type { RecordsManifest } from '@decision-ledger/proof/bundle/manifest';
import { type InheritedCause as Cause, inheritedCauses } from '@decision-ledger/proof/inheritance';
import type { Findings } from '../report/findings.js';
import { type ActivityFacts, unpack } from './activity-facts.js';
import { type MovementLinks, NO_LINKS, readMovementLinks } from './movement-links.js';
import type { Movements } from './movements.js';
import { type Source, Sources } from './reversal-sources.js';

interface Bundle {
  readonly manifest: RecordsManifest;
  readonly activity: ActivityFacts;
  readonly findings: Findings;
}

/** What follows from a change is recorded by then, ms. */
const SETTLED_MS = 86_400_000;

/**
 * Checks that reversals have the links of their payments, no others, and that none is missing: it works out what each takes from
 * the reports, links and pairings in the bundle.
 * @param due ids of the events whose links the bundle discloses
 * @returns ids of the events of the payments, whose links it must disclose, too
 */
export function checkInheritance(
  bundle: Bundle,
  movements: Movements,
  due: ReadonlySet<string>,
): ReadonlySet<string> {
  const { manifest, activity, findings } = bundle;
  const payments = takenFrom(bundle, movements, due);
  if (manifest.selection === null) checkPayments(bundle, payments);
  if (payments.size === 0 && activity.reversals.size === 0) return payments;
  const check = new InheritanceCheck(manifest, activity, movements);
  const leads = new Set<string>();
  for (const id of activity.reversals.keys()) if (due.has(id)) leads.add(movements.leadOf(id));
  for (const lead of check.inheriting()) {
    if (movements.membersOf(lead).some((id) => due.has(id))) leads.add(lead);
  }
  for (const lead of leads) {
    const problem = check.problemOf(lead);
    if (problem === null) continue;
    const { isCertain, message } = problem;
    const at = { file: 'activity.ndjson', id: lead, message } as const;
    if (isCertain) findings.fail('completeness', { code: 'inheritance_differs', ...at });
    else activity.doubts.push({ code: 'inheritance_unproven', ...at });
  }
  return new Set([...payments, ...check.namedBy(due)]);
}

/** The events of the payments from which, by the records of inherited links, events of the bundle took some. */
function takenFrom(
  { manifest, activity }: Bundle,
  movements: Movements,
  due: ReadonlySet<string>,
): ReadonlySet<string> {
  const payments = new Set<string>();
  for (const { seq, event, payment } of activity.inheritances) {
    if (seq > manifest.activity.since || !due.has(event) || payments.has(payment)) continue;
    payments.add(payment);
    for (const id of movements.membersOf(movements.leadOf(payment))) payments.add(id);
  }
  return payments;
}

/** A bundle that shows all of its range shows these payments. */
function checkPayments(
  { manifest, activity, findings }: Bundle,
  payments: ReadonlySet<string>,
): void {
  const { since } = manifest.activity;
  for (const id of payments) {
    const changes = activity.events.get(id)?.changes ?? [];
    const known = changes.filter(({ seq }) => seq <= since);
    if (known.length > 0 && !known.some(({ isWithheld }) => isWithheld)) continue;
    const message = 'The bundle has a reversal of this payment, and withholds the payment.';
    findings.fail('completeness', {
      ...{ code: 'inheritance_differs', file: 'activity.ndjson', id, message },
    });
  }
}

interface Problem {
  readonly message: string;
  /** Whether nothing that the bundle does not show could explain it. */
  readonly isCertain: boolean;
}

/** Compares what reversals have taken with what follows from the links of their payments. */
class InheritanceCheck {
  readonly #manifest: RecordsManifest;
  readonly #activity: ActivityFacts;
  readonly #movements: Movements;
  readonly #sources: Sources;
  readonly #links: ReadonlyMap<string, MovementLinks>;
  readonly #causes = new Map<string, ReadonlyMap<string, Cause>>();
  readonly #changed = new Map<string, number>();

  constructor(manifest: RecordsManifest, activity: ActivityFacts, movements: Movements) {
    const { since } = manifest.activity;
    this.#manifest = manifest;
    this.#activity = activity;
    this.#movements = movements;
    this.#links = readMovementLinks(activity, movements, since);
    this.#sources = new Sources(activity, movements, this.#links, since);
  }

  /** The reports that lead movements with an inherited link. */
  *inheriting(): Generator<string> {
    for (const [lead, { inherited }] of this.#links) if (inherited.length > 0) yield lead;
  }

  /** The disclosed events that some events say that they reverse, and what those reverse. */
  namedBy(ids: Iterable<string>): ReadonlySet<string> {
    return this.#sources.namedBy(ids);
  }

  /** What is wrong with what a movement has taken, or has not; null if nothing is. */
  problemOf(lead: string): Problem | null {
    const own = this.#links.get(lead) ?? NO_LINKS;
    return own.inherited.length > 0 ? this.#problemOfTaken(lead, own) : this.#missing(lead, own);
  }

  #problemOfTaken(lead: string, own: MovementLinks): Problem | null {
    const { inherited, isOfPeople } = own;
    const payment = inherited[0]?.payment ?? '';
    if (isOfPeople)
      return certainly('It has a link that people made, and links of its payment beside it.');
    if (inherited.some((one) => one.payment !== payment))
      return certainly('It takes links of two payments.');
    const source = this.#sources.sourceOf(lead);
    const isOther = source !== null && source.payment !== payment;
    if (isOther && !source.isUnknown) return this.#problemOfSource(lead, payment, source);
    const wrong =
      this.#manifest.selection === null
        ? this.#problemOfLinks(payment, own)
        : this.#problemOfChosen(payment, own);
    if (wrong !== null || !isOther || !this.#isOfRange()) return wrong;
    const message = `It takes links of ${payment}, and its reports name something that the bundle does not show.`;
    return { message, isCertain: false };
  }

  /** A reversal takes links of a payment, and its reports say otherwise. */
  #problemOfSource(lead: string, payment: string, { leads, areSeveral }: Source): Problem {
    const isNamed = leads.includes(payment) || areSeveral;
    const others = isNamed
      ? 'name several movements, or one that has a cause of its own'
      : 'name another payment or none';
    const message = `It takes links of ${payment}, and its reports ${others}.`;
    return { message, isCertain: !isNamed || this.#isSettled([lead, ...leads]) };
  }

  #problemOfLinks(payment: string, own: MovementLinks): Problem | null {
    if (this.#hasOwnCause(own, payment))
      return certainly('A suggestion names a cause of its own, and it has links of its payment.');
    return isSame(own.inherited, this.#dueOf(own, payment))
      ? null
      : certainly(`Its links are not those that the links of its payment ${payment} make.`);
  }

  /** Of the decisions that a filter chose, the bundle shows all links that people made or confirmed. */
  #problemOfChosen(payment: string, { inherited }: MovementLinks): Problem | null {
    const causes = this.#causesOf(payment);
    const wrong = inherited.find((one) => {
      if (one.label !== 'confirmed') return false;
      const due = causes.get(one.decision);
      return due === undefined || !isSame([one], [due]);
    });
    if (wrong === undefined) return null;
    const isShown = causes.has(wrong.decision);
    const message = isShown
      ? `What it takes of ${wrong.decision} is not what the links of its payment ${payment} make.`
      : `The bundle does not show the links between ${wrong.decision} and its payment ${payment}.`;
    return { message, isCertain: isShown };
  }

  /** A reversal that takes nothing, although its payment has links. A filter leaves out what it does not choose. */
  #missing(lead: string, own: MovementLinks): Problem | null {
    if (this.#manifest.selection !== null || own.isOfPeople || this.#isDenied(lead)) return null;
    const source = this.#sources.sourceOf(lead);
    if (source === null) return null;
    const { payment, isUnknown, leads } = source;
    if (payment === null) {
      if (!isUnknown || !this.#isOfRange()) return null;
      const message =
        'Its reports name what it reverses, which the bundle does not show: that it has nothing to take from it is not proven.';
      return { message, isCertain: false };
    }
    if (this.#hasOwnCause(own, payment) || this.#dueOf(own, payment).length === 0) return null;
    const message = `It takes nothing from its payment ${payment}, which has links.`;
    return { message, isCertain: !isUnknown && this.#isSettled([lead, ...leads]) };
  }

  #dueOf({ refused }: MovementLinks, payment: string): Cause[] {
    return [...this.#causesOf(payment).values()].filter(({ decision }) => !refused.has(decision));
  }

  /** Whether a suggestion is certain enough, and of a decision that the payment knows nothing of. */
  #hasOwnCause({ matched }: MovementLinks, payment: string): boolean {
    return [...matched].some((decision) => !this.#causesOf(payment).has(decision));
  }

  /** What the links of a movement give, by decision. A hostile bundle may have many reversals of one. */
  #causesOf(payment: string): ReadonlyMap<string, Cause> {
    const known = this.#causes.get(payment);
    if (known !== undefined) return known;
    const causes = inheritedCauses(this.#links.get(payment)?.given ?? [], NONE);
    const byDecision = new Map(causes.map((cause) => [cause.decision, cause]));
    this.#causes.set(payment, byDecision);
    return byDecision;
  }

  #isOfRange(): boolean {
    return BUNDLES[this.#manifest.export_type].covers === 'range';
  }

  /** After the answer "no recorded decision", nothing is taken. A later link withdraws the answer without a record. */
  #isDenied(lead: string): boolean {
    const { since } = this.#manifest.activity;
    return this.#movements.membersOf(lead).some((id) => {
      const changes = this.#activity.events.get(id)?.changes ?? [];
      const said = changes.findLast(
        ({ seq, type }) => seq <= since && type === 'financial_event.reviewed',
      );
      return said !== undefined && unpack(said).get('verdict') === '"none"';
    });
  }

  /** Whether nothing changed of some movements for so long that what follows must be recorded. */
  #isSettled(leads: readonly string[]): boolean {
    const { since } = this.#manifest.activity;
    const latest = Math.max(...leads.map((lead) => this.#changedAt(lead, since)));
    return this.#activity.sinceAt - latest >= SETTLED_MS;
  }

  /** When a movement or a link of it changed last, ms. */
  #changedAt(lead: string, since: number): number {
    const known = this.#changed.get(lead);
    if (known !== undefined) return known;
    let latest = this.#links.get(lead)?.changed ?? 0;
    for (const id of this.#movements.membersOf(lead)) {
      const changes = this.#activity.events.get(id)?.changes ?? [];
      const time = Date.parse(changes.findLast(({ seq }) => seq <= since)?.at ?? '');
      if (time > latest) latest = time;
    }
    this.#changed.set(lead, latest);
    return latest;
  }
}

const NONE: ReadonlySet<string> = new Set();

const certainly = (message: string): Problem => ({ message, isCertain: true });

/** Whether two lists have the same causes, in any order of the first one. */
function isSame(has: readonly Cause[], due: readonly Cause[]): boolean {
  const sorted = [...has].sort((one, other) => (one.decision < other.decision ? -1 : 1));
  return (
    sorted.length === due.length &&
    sorted.every(({ decision, strength, label }, at) => {
      const wanted = due[at];
      return (
        wanted?.decision === decision && wanted.strength === strength && wanted.label === label
      );
    })
  );
}
