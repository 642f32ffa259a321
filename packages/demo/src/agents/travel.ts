import {
  type Agent,
  type CaseContext,
  DAY,
  type Draft,
  type DraftEvent,
  drawConfidence,
  fromCents,
  HOUR,
  shareOf,
} from '../draft.js';

const ROUTES = [
  ['BER', 'CDG'],
  ['AMS', 'LHR'],
  ['MUC', 'WAW'],
  ['ZRH', 'ARN'],
  ['FRA', 'JFK'],
] as const;
const CAUSES = [
  'flight cancelled',
  'meeting moved',
  'missed connection',
  'strike announced',
] as const;

/** Rebooks trips of employees. It is nearly always sure, and often wrong. */
export const travel: Agent = {
  share: 40,
  hours: 'always',
  releases: [
    { from: 0, version: '0.3', model: 'travel-small-1' },
    { from: 0.55, version: '0.4', model: 'travel-small-1' },
  ],
  draft,
};

function draft(context: CaseContext): Draft {
  const { at, random, number } = context;
  const [from, to] = random.pick(ROUTES);
  const booking = `TRV-${3300 + number}`;
  const cents = Math.round(random.logNormal(31_000, 0.55));
  const isFailed = random.chance(0.05);
  const decision = {
    at,
    action_type: 'rebook_trip',
    inputs: {
      ...{
        booking,
        from,
        to,
        cause: random.pick(CAUSES),
        class: random.pick(['economy', 'economy', 'flexible']),
      },
      paid_fare: fromCents(cents),
      currency: 'EUR',
    },
    outputs: isFailed
      ? { status: 'failed', error: 'no seat in the fare class', currency: 'EUR' }
      : { status: 'rebooked', new_fare: fromCents(shareOf(cents, 1.2)), currency: 'EUR' },
    confidence: drawConfidence(random, 0.93, 0.995),
    alternatives: [{ action: 'ask_traveller' }],
    metadata: { booking, trip_id: `trip-${5200 + number}` },
  };
  return { decisions: [decision], events: isFailed ? [] : moneyOf(context, booking, cents) };
}

function moneyOf({ at, random }: CaseContext, booking: string, cents: number): DraftEvent[] {
  const common = { source: 'travel-agency', currency: 'EUR', metadata: { booking } };
  const events: DraftEvent[] = [];
  if (random.chance(0.5)) {
    events.push({
      ...{
        at: at + Math.round(random.between(2, 40) * HOUR),
        cause: 0,
        isNamed: random.chance(0.2),
      },
      body: {
        ...common,
        event_type: 'fare_expense',
        amount: `-${fromCents(shareOf(cents, 0.2))}`,
        external_id: `FD-${booking}`,
        description: `Fare difference of ${booking}`,
      },
    });
  }
  if (random.chance(0.21)) {
    events.push({
      at: at + Math.round(random.between(2, 21) * DAY),
      cause: 0,
      isNamed: true,
      body: {
        ...{
          ...common,
          event_type: 'no_show_penalty',
          amount: `-${fromCents(shareOf(cents, random.between(0.5, 1.3)))}`,
        },
        ...{
          external_id: `NS-${booking}`,
          description: `Penalty: ${booking} was rebooked to a wrong date`,
        },
      },
    });
  }
  return events;
}
