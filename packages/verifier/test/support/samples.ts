import { Story } from './story.js';

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
