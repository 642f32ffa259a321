import { RelatedEvent } from '@decision-ledger/contract/financial-event';
import type { Link } from '@decision-ledger/contract/link';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runs } from '../../../../proof/test/support/runs.js';
import { dataOf } from '../../support/client.js';
import { followLogs } from '../../support/followers.js';
import { openTestService, type TestService } from '../../support/service.js';
import { at, type Desk, openDesk } from '../../support/suggestions-desk.js';
import { eventsOf } from '../../support/webhooks.js';

let bed: TestService;

beforeAll(async () => {
  bed = await openTestService('embedded');
});
afterAll(() => bed.close());

type Fields = Readonly<Record<string, unknown>>;

/** Two payments, what takes them back, and what repeats one of both. */
const REPORTS: Readonly<Record<string, Fields>> = {
  charge: { event_type: 'charge', external_id: 'ch_1', amount: '100.00' },
  other: { event_type: 'charge', external_id: 'ch_2', amount: '60.00' },
  refund: { event_type: 'refund', external_id: 're_1', amount: '-40.00', of: 'ch_1' },
  rest: { event_type: 'refund', external_id: 're_2', amount: '-60.00', of: 'ch_1' },
  failed: { event_type: 'refund_reversal', external_id: 're_1', amount: '40.00', of: 'ch_1' },
  lost: { event_type: 'dispute_loss', external_id: 'du_1', amount: '-60.00', of: 'ch_2' },
  repeat: { source: 'shop', event_type: 'sale', amount: '100.00' },
};
type Name = keyof typeof REPORTS & string;

const bodyOf = (name: Name) => {
  const { of, ...fields } = REPORTS[name] ?? {};
  const metadata = of === undefined ? {} : { stripe_charge: of };
  return { source: 'stripe', currency: 'EUR', timestamp: at(24), ...fields, metadata };
};

/** What the refund says that it takes back, written by hand. */
const REVERSES: Readonly<Record<string, Name>> = {
  ...{ refund: 'charge', rest: 'charge', lost: 'other', failed: 'refund' },
};

/** Everything that can be done, each in any order and as often as wished. */
const STEPS = [
  ...Object.keys(REPORTS).map((name) => `record ${name}`),
  ...['charge', 'other', 'refund', 'repeat', 'lost'].flatMap((name) => [
    ...[`link ${name} 0`, `link ${name} 1`],
    `unlink ${name}`,
  ]),
  ...['refund', 'rest', 'failed', 'lost'].flatMap((name) => [
    ...[`reject ${name}`, `confirm ${name}`, `none ${name}`, `withdraw ${name}`],
  ]),
  ...['pair charge repeat', 'part repeat', 'pair other repeat', 'delete charge', 'delete refund'],
];

const ofPeople = ({ status }: Link) => status === 'CONFIRMED' || status === 'ML_INFERRED';

/** A ledger, with what can be done in it. */
class Story {
  readonly #desk: Desk;
  readonly #decisions: readonly string[];
  readonly #ids = new Map<Name, string>();
  readonly #denied = new Set<string>();

  constructor(desk: Desk, decisions: readonly string[]) {
    this.#desk = desk;
    this.#decisions = decisions;
  }

  async take(step: string): Promise<void> {
    const [verb, name = '', more = ''] = step.split(' ');
    const { client } = this.#desk;
    if (verb === 'record') {
      if (!this.#ids.has(name)) this.#ids.set(name, await this.#desk.happen(bodyOf(name)));
      return;
    }
    const id = this.#ids.get(name);
    if (id === undefined) return;
    const links = await this.#desk.links(`&financial_event_id=${id}`);
    const made = links.find(ofPeople);
    const taken = links.find(({ status }) => status === 'INHERITED');
    if (verb === 'link') {
      await client.post('/links', {
        ...{ decision_id: this.#decisions[Number(more)], financial_event_id: id },
        ...{ correlation_strength: 0.4, attribution_method: 'manual' },
        link_type: String(REPORTS[name]?.amount).startsWith('-') ? 'refund' : 'revenue',
      });
    } else if (verb === 'unlink' && made !== undefined) await this.#desk.remove(made.id);
    else if (verb === 'reject' && taken !== undefined) await this.#desk.review(taken.id, 'reject');
    else if (verb === 'confirm' && taken !== undefined) {
      await this.#desk.review(taken.id, 'confirm');
    } else if (verb === 'none') {
      const { status } = await client.post(`/reviews/${id}`, { none: true });
      if (status === 200) this.#denied.add(id);
    } else if (verb === 'withdraw') {
      await client.delete(`/reviews/${id}`);
      this.#denied.delete(id);
    } else if (verb === 'pair') {
      await client.post('/movements/pair', { reports: [id, this.#ids.get(more) ?? ''] });
    } else if (verb === 'part') await client.post('/movements/part', { report: id });
    else if (verb === 'delete') await client.delete(`/financial-events/${id}`);
  }

  /** What every movement should take, worked out from links and reports as the API lists them. */
  async expectInherited(place: string): Promise<void> {
    const { client } = this.#desk;
    await followLogs(bed.service, [this.#desk.scope.ledgerId]);
    const live = await eventsOf(client);
    const leadOf = new Map(live.map(({ id, movement }) => [id, movement.lead]));
    const stored = await this.#desk.links('&include_deleted=true');
    const standing = stored.filter(({ deleted_at }) => deleted_at === null);
    const onMovement = (lead: string, links: readonly Link[]) =>
      links.filter(({ financial_event_id: id }) => leadOf.get(id) === lead);
    const leadNamed = (name: Name) => leadOf.get(this.#ids.get(name) ?? '');
    const found: Record<string, unknown> = {};
    const due: Record<string, unknown> = {};
    for (const name of this.#ids.keys()) {
      const lead = leadNamed(name);
      if (lead === undefined) continue;
      const own = onMovement(lead, standing);
      found[name] = shown(own.filter(({ status }) => status === 'INHERITED'));
      due[name] = [];
      const { movement } = dataOf(await client.get(`/financial-events/${lead}`), RelatedEvent);
      const isDenied = movement.reports.some((id) => this.#denied.has(id));
      const line = lineOf(name).map(leadNamed);
      const [first, second] = line;
      if (first === undefined || isDenied || own.some(ofPeople)) continue;
      const passesOn = second !== undefined && !onMovement(first, standing).some(ofPeople);
      const payment = passesOn ? second : first;
      const refused = onMovement(lead, stored)
        .filter(({ status }) => status === 'REJECTED')
        .map(({ decision_id }) => decision_id);
      const given = onMovement(payment, standing).filter(
        (link) => ofPeople(link) && !refused.includes(link.decision_id),
      );
      due[name] = totals(given, payment);
    }
    expect(found, place).toEqual(due);
  }
}

/** What a report takes back, and what that takes back. */
function lineOf(name: Name): Name[] {
  const first = REVERSES[name];
  if (first === undefined) return [];
  const second = REVERSES[first];
  return second === undefined ? [first] : [first, second];
}

const shown = (links: readonly Link[]) =>
  links
    .map(({ decision_id, correlation_strength, inherited_from, label }) =>
      [decision_id, correlation_strength, inherited_from, label].join(),
    )
    .sort();

function totals(links: readonly Link[], payment: string): string[] {
  const sums = new Map<string, number>();
  for (const { decision_id, correlation_strength: strength } of links) {
    sums.set(decision_id, (sums.get(decision_id) ?? 0) + Math.round(strength * 1000));
  }
  return [...sums]
    .map(([decision, sum]) => [decision, Math.min(1000, sum) / 1000, payment, 'confirmed'].join())
    .sort();
}

it('After any steps in any order, each reversal has what the links of its payment make', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...STEPS), { minLength: 25, maxLength: 60 }),
      async (steps) => {
        const desk = await openDesk(bed);
        const decisions = await desk.decide({ timestamp: at(0) }, { timestamp: at(0) });
        const story = new Story(desk, decisions);
        // Most of what can be done needs events.
        const all = [...Object.keys(REPORTS).flatMap((name) => [`record ${name}`]), ...steps];
        for (const [place, step] of all.sort(byPlaceOf(steps)).entries()) {
          await story.take(step);
          if (place % 10 === 9) await story.expectInherited(`${place} ${step}`);
        }
        await story.expectInherited(all.join(', '));
      },
    ),
    { seed: 2026, numRuns: runs(25), endOnFailure: true },
  );
}, 600_000);

/** Records are mixed among the steps, by their text: the same for the same steps. */
function byPlaceOf(steps: readonly string[]) {
  const salt = steps.length;
  const place = (step: string) => (step.startsWith('record') ? (step.length * salt) % 11 : 5);
  return (one: string, other: string) => place(one) - place(other);
}
