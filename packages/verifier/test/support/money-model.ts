import type { JsonValue } from '@decision-ledger/proof/gate';
import type { Row, Story } from './story.js';

// What follows from the records of a story, worked out as plainly as possible and with nothing of the verifier.

const RANKS = [/^stripe$/, /^(?!accounting)/, /^accounting/];

interface Group {
  readonly lead: string;
  readonly reports: readonly string[];
}

const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');

/** The last thing that the activity says of the movement of each event. */
function groupsOf(story: Story): ReadonlyMap<string, Group> {
  const groups = new Map<string, Group>();
  for (const { type, subject, disclosure } of story.activity) {
    if (!type.startsWith('movement.') || disclosure === null) continue;
    const { lead, reports }: Group = JSON.parse(disclosure)[2];
    groups.set(subject, { lead, reports });
  }
  return groups;
}

function keyOf({ source, timestamp, external_id, id }: Row): string {
  const rank = RANKS.findIndex((one) => one.test(textOf(source)));
  return [rank, textOf(timestamp), textOf(source), textOf(external_id), textOf(id)].join('\u0001');
}

function isSound(story: Story, id: string, group: Group, groups: ReadonlyMap<string, Group>) {
  const { lead, reports } = group;
  const rows = reports.map((one) => story.events.get(one) ?? {});
  const isTold = reports.every((one) => {
    const told = groups.get(one) ?? { lead: one, reports: [one] };
    return told.lead === lead && told.reports.join() === reports.join();
  });
  const [first] = [...rows].sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  const areLive = reports.length === 1 || rows.every(({ deleted_at }) => deleted_at === null);
  return isTold && reports.includes(id) && first?.id === lead && areLive;
}

type Leads = (id: JsonValue | undefined) => string;

/** The movements that the standing events of one name as what they reverse. */
function namedBy(lead: string, events: readonly Row[], leadOf: Leads): string[] {
  const found = events.flatMap((own) => {
    if (leadOf(own.id) !== lead) return [];
    const { reverses = null, stripe_charge = null } = Object(own.metadata ?? {});
    const isStripe = own.source === 'stripe';
    const charge = isStripe && own.event_type === 'refund' ? stripe_charge : null;
    const failed = isStripe && own.event_type === 'refund_reversal' ? own.external_id : null;
    return events.flatMap(({ id, source, external_id = null, event_type }) => {
      if (id === own.id || source !== own.source || external_id === null) return [];
      const isNamed =
        external_id === reverses ||
        (external_id === charge && event_type === 'charge') ||
        (external_id === failed && event_type === 'refund');
      return isNamed ? [leadOf(id)] : [];
    });
  });
  return [...new Set(found)].filter((one) => one !== lead);
}

const isOfPeople = ({ status }: Row) => status === 'CONFIRMED' || status === 'ML_INFERRED';
const isGiven = (link: Row) => isOfPeople(link) || link.status === 'ML_SUGGESTED';

/** The movements that have not taken what the links of their payments make. */
function wrongTakers(story: Story, groups: ReadonlyMap<string, Group>): string[] {
  const leadOf: Leads = (id) => groups.get(textOf(id))?.lead ?? textOf(id);
  const events = [...story.events.values()].filter(({ deleted_at }) => deleted_at === null);
  const links = [...story.links.values()].filter(({ deleted_at }) => deleted_at === null);
  const linksOf = (lead: string) =>
    links.filter(({ financial_event_id }) => leadOf(financial_event_id) === lead);
  const hasCause = (lead: string) => linksOf(lead).some(isOfPeople);
  const due = (lead: string): string[] => {
    const [first, another] = namedBy(lead, events, leadOf);
    if (first === undefined || another !== undefined || hasCause(lead)) return [];
    const [second, third] = namedBy(first, events, leadOf);
    const isPassed = second !== undefined && third === undefined && second !== lead;
    const payment = isPassed && !hasCause(first) ? second : first;
    const sums = new Map<string, number>();
    const unsure = new Set<string>();
    for (const link of linksOf(payment).filter(isGiven)) {
      const decision = textOf(link.decision_id);
      const sum = (sums.get(decision) ?? 0) + Number(link.correlation_strength);
      sums.set(decision, Math.min(1, sum));
      if (!isOfPeople(link)) unsure.add(decision);
    }
    return [...sums].map(([decision, strength]) =>
      [payment, decision, strength, unsure.has(decision) ? 'guessed' : 'confirmed'].join(),
    );
  };
  const has = (lead: string): string[] =>
    linksOf(lead)
      .filter(({ status }) => status === 'INHERITED')
      .map(({ id, inherited_from, decision_id, correlation_strength }) =>
        [leadOf(inherited_from), decision_id, correlation_strength, labelOf(story, id)].join(),
      );
  const leads = [...new Set(events.map(({ id }) => leadOf(id)))];
  return leads.filter((lead) => due(lead).sort().join(' ') !== has(lead).sort().join(' '));
}

/** The label that the last record of a link states. */
function labelOf(story: Story, id: JsonValue | undefined): string {
  const made = story.activity.findLast(({ subject, disclosure }) => subject === id && disclosure);
  return JSON.parse(made?.disclosure ?? '[0,0,{}]')[2].label ?? 'guessed';
}

/** The ids of the events of which a story says what cannot be. */
export function contradictionsIn(story: Story): string[] {
  const groups = groupsOf(story);
  const unsound = [...groups].filter(([id, group]) => !isSound(story, id, group, groups));
  return [...unsound.map(([id]) => id), ...wrongTakers(story, groups)];
}
