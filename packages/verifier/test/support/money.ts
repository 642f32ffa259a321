import { type Json, Story } from './story.js';

const SALE = { event_type: 'sale', amount: '100.00', currency: 'USD' };
const REFUND = { event_type: 'refund', amount: '-40.00', currency: 'USD' };
const DAY = 24 * 60;

/** What a story of refunds tells otherwise than it should. */
export interface RefundLies {
  /** Members of the link that the refund takes of the first decision; null for none. */
  readonly taken?: Json | null;
  /** Whether the refund with a cause of its own has a link of its payment, too. */
  readonly beside?: boolean;
  /** What the refund says that it reverses. */
  readonly charge?: string;
  /** Days after the last change. */
  readonly days?: number;
}

/**
 * A charge that the books report, too, with links of both; its refund, which takes them; and a payment in a shop whose refund has
 * a link of its own. Something of another month is nobody's.
 */
export function refundsStory(
  { taken = {}, beside = false, charge = 'ch_1', days = 60 }: RefundLies = {},
  story = new Story(),
) {
  story.act('key.issued', 'key_00000000000000000000000001', { name: 'first' });
  const [first, second] = [story.decide(), story.decide()].map(({ decision_id }) =>
    String(decision_id),
  );
  if (first === undefined || second === undefined) throw new Error('no decision');
  const at = (day: number) => `2026-01-${day}T12:00:00.000Z`;
  const stripe = (fields: Json) => story.recordEvent({ source: 'stripe', ...fields });
  const shop = (fields: Json) => story.recordEvent({ source: 'shop', ...fields });
  const paid = stripe({
    ...{ ...SALE, event_type: 'charge', external_id: 'ch_1', timestamp: at(10) },
  });
  const booking = story.recordEvent({
    ...{ ...SALE, source: 'accounting/main', timestamp: '2026-02-02T00:00:00.000Z' },
  });
  const reports = [paid, booking];
  story.move('movement.paired', { lead: paid, reports });
  const revenue = { link_type: 'revenue', correlation_strength: 0.5 };
  const given = story.createLink(first, paid, revenue);
  story.createLink(second, booking, { ...revenue, correlation_strength: 0.25 });
  const metadata = { stripe_charge: charge };
  const repaid = stripe({ ...REFUND, external_id: 're_1', timestamp: at(12), metadata });
  const link =
    taken === null
      ? null
      : story.inheritLink(first, repaid, { inherited_from: paid, label: 'confirmed', ...taken });
  if (taken !== null)
    story.inheritLink(second, repaid, { inherited_from: paid, correlation_strength: 0.25 });
  const order = shop({ ...SALE, external_id: 'P-1', timestamp: at(14) });
  story.createLink(first, order, { ...revenue, correlation_strength: 1 });
  const returned = shop({ ...REFUND, timestamp: at(16), metadata: { reverses: 'P-1' } });
  story.createLink(second, returned, { link_type: 'refund', correlation_strength: 1 });
  if (beside) {
    const claim = { inherited_from: order, correlation_strength: 1 };
    story.inheritLink(first, returned, claim);
  }
  story.recordEvent({ ...SALE, source: 'bank', timestamp: '2026-03-03T00:00:00.000Z' });
  story.wait(days * DAY);
  return { story, first, second, paid, booking, repaid, order, returned, given, link };
}
