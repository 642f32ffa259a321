import { type Json, Story } from './story.js';

const PAYMENT = { source: 'billing', event_type: 'refund', currency: 'USD' };

/** A ledger with one of everything that a bundle can contain. */
export function fullStory(options: ConstructorParameters<typeof Story>[0] = {}): Story {
  const story = new Story(options);
  story.act('key.issued', 'key_00000000000000000000000001', {
    name: 'first',
    permissions: ['ingest'],
  });
  story.decide({ timestamp: '2025-12-31T23:59:59.999Z' });
  const a = String(story.decide().decision_id);
  const b = String(story.decide({ metadata: null }).decision_id);
  story.decide({ timestamp: '2025-12-01T00:00:00.000Z' });
  const c = String(
    story.decide({ inputs: { text: 'ein Größenwahn € 😀', deep: [1, { x: null }] } }).decision_id,
  );
  story.act('settings.changed', 'settings', { base_currency: 'EUR' });
  const first = story.recordEvent({
    ...PAYMENT,
    amount: '19.90',
    timestamp: '2026-01-06T00:00:00.000Z',
    metadata: { order: 'A-1' },
    external_id: 'ch_1',
  });
  const second = story.recordEvent(
    {
      ...PAYMENT,
      amount: '21.90',
      timestamp: '2026-01-06T00:00:00.000Z',
      description: 'a longer text '.repeat(10),
    },
    first,
  );
  story.recordEvent({ ...PAYMENT, amount: '5.00', timestamp: '2025-01-06T00:00:00.000Z' });
  const third = story.recordEvent({
    ...PAYMENT,
    amount: '-3.00',
    timestamp: '2026-01-07T00:00:00.000Z',
  });
  const made = story.createLink(a, second, { notes: 'as the customer said' });
  const confirmed = story.suggestLink(b, second, 0.25);
  story.suggestLink(b, second, 0.5, confirmed);
  story.reviewLink(confirmed, 'confirmed');
  const rejected = story.suggestLink(c, third, 0.75);
  story.reviewLink(rejected, 'rejected');
  story.deleteLink(rejected);
  const carried = story.carryLink(made, third);
  story.carryLink(carried, second);
  story.deleteEvent(third);
  story.decide();
  return story;
}

/** The same, with a field erased. */
export function erasedStory(): Story {
  const story = fullStory();
  const decision = story.decisions[2]?.row;
  if (decision !== undefined) story.erase(decision, ['inputs', 'outputs']);
  return story;
}

/** A ledger with two decisions and no money, for tests that change every byte. */
export function shortStory(options: ConstructorParameters<typeof Story>[0] = {}): Story {
  const story = new Story(options);
  story.act('key.issued', 'key_00000000000000000000000001', { name: 'first' });
  story.decide();
  story.decide();
  return story;
}

const SALE = { event_type: 'sale', amount: '100.00', currency: 'USD' };
const BOOKED = { ...SALE, source: 'accounting/main', timestamp: '2026-02-02T00:00:00.000Z' };

/**
 * A ledger whose money of January others report in February: by a rule, by a person with links of both, parted again,
 * with a report that another one superseded, and with a witness that was deleted.
 */
export function movementsStory(story = new Story()): Story {
  const charged = (day: number, fields: Json = {}) =>
    story.recordEvent({
      ...{ ...SALE, source: 'stripe', ...fields },
      timestamp: `2026-01-${day}T12:00:00.000Z`,
    });
  const booked = (fields: Json = {}, supersedes?: string) =>
    story.recordEvent({ ...BOOKED, ...fields }, supersedes);
  /** The first of them leads. */
  const pair = (reports: readonly string[], because: Json = { by: 'person' }) =>
    story.move('movement.paired', { lead: reports[0] ?? '', reports, because });
  story.act('key.issued', 'key_00000000000000000000000001', { name: 'first' });
  const decision = String(story.decide().decision_id);
  const byRule = [charged(30), booked()] as const;
  const compared = { amount: '100', currency: 'USD', seconds_apart: '216000' };
  const rule = { by: 'rule', rule: 'repeated_in_books', compared };
  pair(byRule, rule);
  const byPerson = [charged(29), booked({ amount: '97.10' })] as const;
  pair(byPerson);
  const [sale, witness] = byPerson;
  story.createLink(decision, sale, { correlation_strength: 0.5, link_type: 'revenue' });
  story.wait(45 * 24 * 60);
  const late = String(story.decide({ timestamp: '2026-02-05T00:00:00.000Z' }).decision_id);
  story.createLink(late, witness, { correlation_strength: 1, link_type: 'revenue' });
  const parted = [charged(28), booked({ amount: '55.00' })] as const;
  pair(parted);
  story.move('movement.parted', ...parted.map((id) => ({ lead: id, reports: [id] })));
  const corrected = [charged(27), booked({ amount: '12.00' })] as const;
  pair(corrected);
  const [kept, former] = corrected;
  const successor = booked({ amount: '21.00' }, former);
  const supersession = { by: 'supersession' };
  story.move(
    'movement.paired',
    { lead: former, reports: [former], because: supersession, type: 'movement.parted' },
    { lead: kept, reports: [kept, successor], because: { ...supersession, supersedes: former } },
  );
  const deleted = [charged(26), booked({ source: 'shop' }), booked({ amount: '1.00' })] as const;
  pair(deleted);
  const [gone, next, last] = deleted;
  story.deleteEvent(gone);
  const because = { by: 'deletion' };
  story.move(
    'movement.parted',
    { lead: gone, reports: [gone], because },
    { lead: next, reports: [next, last], because },
  );
  return story;
}
