import {
  type Agent,
  type CaseContext,
  DAY,
  type Draft,
  type DraftDecision,
  type DraftEvent,
  drawConfidence,
  fromCents,
  MINUTE,
  priceNear,
  shareOf,
} from '../draft.js';

const ITEMS = [
  ...['oak side table', 'linen duvet set', 'ceramic lamp', 'walnut shelf', 'wool rug'],
  ...['bedside lamp', 'armchair cover', 'set of six glasses', 'hallway mirror', 'desk organiser'],
] as const;
const REASONS = ['damaged', 'late', 'wrong_item', 'not_as_described', 'changed_mind'] as const;
type Reason = (typeof REASONS)[number];

const MESSAGES: Readonly<Record<Reason, (item: string) => string>> = {
  damaged: (item) => `The ${item} arrived with a crack. I have attached two photos.`,
  late: (item) => `My ${item} should have come last week. I no longer need it.`,
  wrong_item: (item) => `I ordered a ${item}, but the box contains something else.`,
  not_as_described: (item) => `The colour of the ${item} is nothing like the picture.`,
  changed_mind: (item) => `I would like to return the ${item}. It is unused and in its box.`,
};

/** Answers customers who ask for their money back. */
export const supportRefunds: Agent = {
  share: 75,
  hours: 'shop',
  releases: [
    { from: 0, version: '3.2.0', model: 'support-large-1' },
    { from: 0.31, version: '3.3.0', model: 'support-large-1' },
    { from: 0.62, version: '4.0.1', model: 'support-large-2' },
    { from: 0.88, version: '4.1.0', model: 'support-large-2' },
  ],
  draft,
};

interface Request {
  readonly order: string;
  readonly ticket: string;
  readonly item: string;
  readonly reason: Reason;
  readonly total: number;
  readonly verdict: Verdict;
}

const VERDICTS = ['full', 'partial', 'denied', 'failed'] as const;
type Verdict = (typeof VERDICTS)[number];

function draft(context: CaseContext): Draft {
  const { random, number } = context;
  const drawn = random.next();
  const request: Request = {
    order: `HP-${610_000 + number * 7 + random.int(0, 6)}`,
    ticket: `T-${84_000 + number}`,
    item: random.pick(ITEMS),
    reason: random.pick(REASONS),
    total: priceNear(random.logNormal(7400, 0.7)),
    verdict: drawn < 0.53 ? 'full' : drawn < 0.65 ? 'partial' : drawn < 0.985 ? 'denied' : 'failed',
  };
  const decision = decide(context, request);
  return {
    decisions: [decision],
    events: [...refunds(context, request), ...disputes(context, request)],
  };
}

function decide({ at, random, customer }: CaseContext, request: Request): DraftDecision {
  const { order, ticket, item, reason, total, verdict } = request;
  const isLarge = total > 25_000;
  return {
    at,
    action_type: 'refund_order',
    inputs: {
      ticket_id: ticket,
      order_id: order,
      item,
      reason,
      message: MESSAGES[reason](item),
      order_total: fromCents(total),
      currency: customer.currency,
      country: customer.country,
    },
    outputs: outputsOf(request, customer.currency),
    confidence: drawConfidence(random, verdict === 'full' ? 0.78 : 0.62, 0.98),
    alternatives: [{ action: verdict === 'denied' ? 'refund_in_full' : 'offer_replacement' }],
    human_in_loop: isLarge,
    metadata: {
      customer_id: customer.id,
      order_id: order,
      ...(isLarge && { reviewer_id: 'd.laurent' }),
    },
  };
}

function outputsOf({ verdict, total, reason }: Request, currency: string) {
  switch (verdict) {
    case 'full':
      return { approved: true, refund_amount: fromCents(total), currency, note: 'Refund in full' };
    case 'partial':
      return {
        approved: true,
        refund_amount: fromCents(shareOf(total, 0.3)),
        currency,
        note: `Part of the price, because the customer keeps the item (${reason})`,
      };
    case 'denied':
      return {
        approved: false,
        refund_amount: fromCents(total),
        currency,
        note: 'Outside the policy',
      };
    case 'failed':
      return { status: 'failed', error: 'payment provider timed out', currency };
    default:
      return verdict satisfies never;
  }
}

function refunds(context: CaseContext, request: Request): DraftEvent[] {
  const { at, random, customer } = context;
  const { order, verdict, total, item } = request;
  if (verdict !== 'full' && verdict !== 'partial') return [];
  const amount = verdict === 'full' ? total : shareOf(total, 0.3);
  const known = random.next();
  return [
    {
      at: at + Math.round(random.logNormal(25, 0.8) * MINUTE),
      cause: 0,
      isNamed: known < 0.05,
      body: {
        source: 'stripe',
        event_type: 'refund',
        amount: `-${fromCents(amount)}`,
        currency: customer.currency,
        external_id: `re_${random.code(16)}`,
        description: `Refund for ${item}`,
        // Some exports of the payment provider lack the order.
        metadata:
          known < 0.78
            ? { customer_id: customer.id, order_id: order }
            : { customer_id: customer.id },
      },
    },
  ];
}

/** Some customers who were denied dispute the payment; some of these disputes are won. */
function disputes({ at, random, customer }: CaseContext, request: Request): DraftEvent[] {
  const { order, verdict, total } = request;
  if (!random.chance(verdict === 'denied' ? 0.09 : 0.004)) return [];
  const lostAt = at + Math.round(random.between(9, 40) * DAY);
  const dispute = `dp_${random.code(14)}`;
  const common = { source: 'stripe', currency: customer.currency, metadata: { order_id: order } };
  const lost: DraftEvent = {
    at: lostAt,
    cause: 0,
    isNamed: random.chance(0.75),
    body: {
      ...common,
      event_type: 'chargeback',
      amount: `-${fromCents(total)}`,
      external_id: dispute,
      description: `Dispute of order ${order}`,
    },
  };
  if (!random.chance(0.38)) return [lost];
  return [
    lost,
    {
      at: lostAt + Math.round(random.between(20, 60) * DAY),
      cause: 0,
      isNamed: lost.isNamed,
      body: {
        ...common,
        event_type: 'dispute_won',
        amount: fromCents(total),
        external_id: `${dispute}_won`,
        description: `Dispute of order ${order} was won`,
      },
    },
  ];
}
