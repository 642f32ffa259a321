import {
  type Agent,
  type CaseContext,
  DAY,
  type Draft,
  type DraftEvent,
  drawConfidence,
  fromCents,
  shareOf,
} from '../draft.js';
import { APPROVERS } from '../people.js';

const SUPPLIERS = [
  ...['Nordholz Timber', 'Lumen Supply', 'Atelier Sable', 'Warta Glassworks', 'Kestrel Packaging'],
  ...[
    'Brightwell Textiles',
    'Porto Ceramica',
    'Alpine Logistics',
    'Greenfield Print',
    'Vanta Cloud',
  ],
] as const;
const NEEDS = ['stock', 'stock', 'stock', 'packaging', 'freight', 'software', 'samples'] as const;

/** Above this amount a person approves the order. */
const APPROVAL_CENTS = 500_000;

/** Approves orders to suppliers. */
export const procurement: Agent = {
  share: 22,
  hours: 'office',
  releases: [
    { from: 0, version: '2025-q4', model: 'ops-large-1' },
    { from: 0.5, version: '2026-q2', model: 'ops-large-2' },
  ],
  draft,
};

function draft(context: CaseContext): Draft {
  const { at, random, number } = context;
  const supplier = random.pick(SUPPLIERS);
  const order = `PO-${4200 + number}`;
  const cents = Math.round(random.logNormal(180_000, 1.1));
  const isApproved = random.chance(0.86);
  const isReviewed = cents > APPROVAL_CENTS;
  const need = random.pick(NEEDS);
  const decision = {
    at,
    action_type: 'approve_purchase_order',
    inputs: {
      purchase_order: order,
      supplier,
      need,
      order_amount: fromCents(cents),
      currency: 'EUR',
      quotes: random.int(1, 4),
    },
    outputs: isApproved
      ? { approved: true, order_amount: fromCents(cents), currency: 'EUR' }
      : { approved: false, order_amount: fromCents(cents), currency: 'EUR', reason: 'over budget' },
    confidence: drawConfidence(random, 0.7, 0.97),
    human_in_loop: isReviewed,
    metadata: {
      purchase_order: order,
      supplier,
      ...(isReviewed && { reviewer_id: random.pick(APPROVERS) }),
    },
  };
  if (!isApproved) return { decisions: [decision], events: [] };
  return { decisions: [decision], events: moneyOf(context, { supplier, order, cents, need }) };
}

interface Order {
  readonly supplier: string;
  readonly order: string;
  readonly cents: number;
  readonly need: (typeof NEEDS)[number];
}

function moneyOf(context: CaseContext, asked: Order): DraftEvent[] {
  return [...paymentsOf(context, asked), ...salesOf(context, asked)];
}

/** Goods that were bought for the shop are sold with a margin. */
function salesOf({ at, random }: CaseContext, { order, cents, need }: Order): DraftEvent[] {
  if (need !== 'stock') return [];
  const body = { source: 'accounting', event_type: 'lot_sales', external_id: `LOT-${order}` };
  return [
    {
      at: at + Math.round(random.between(30, 75) * DAY),
      cause: 0,
      isNamed: false,
      body: {
        ...body,
        currency: 'EUR',
        metadata: { purchase_order: order },
        amount: fromCents(shareOf(cents, random.between(1.5, 2.1))),
        description: `Sales of the goods of ${order}`,
      },
    },
  ];
}

function paymentsOf({ at, random }: CaseContext, { supplier, order, cents }: Order): DraftEvent[] {
  const common = { currency: 'EUR', metadata: { purchase_order: order } } as const;
  const invoiced = at + Math.round(random.between(4, 24) * DAY);
  const bill: DraftEvent = {
    at: invoiced,
    cause: 0,
    isNamed: random.chance(0.1),
    body: {
      ...{
        ...common,
        source: 'accounting',
        event_type: 'bill_payment',
        amount: `-${fromCents(cents)}`,
      },
      external_id: `BILL-${random.code(8)}`,
      description: `${supplier}, ${order}`,
    },
  };
  const drawn = random.next();
  if (drawn < 0.05) {
    const body = {
      source: 'accounting',
      event_type: 'supplier_credit',
      external_id: `SC-${order}`,
    };
    const credit = {
      ...common,
      ...body,
      amount: fromCents(shareOf(cents, 0.12)),
      description: `Credit note of ${supplier}`,
    };
    const at = invoiced + Math.round(random.between(5, 30) * DAY);
    return [bill, { at, cause: 0, isNamed: false, body: credit }];
  }
  if (drawn > 0.97) {
    const body = {
      source: 'accounting',
      event_type: 'late_delivery_penalty',
      external_id: `LP-${order}`,
    };
    const penalty = {
      ...common,
      ...body,
      amount: `-${fromCents(shareOf(cents, 0.15))}`,
      description: `Contract penalty, late goods of ${supplier}`,
    };
    return [bill, { at: invoiced + 6 * DAY, cause: 0, isNamed: true, body: penalty }];
  }
  return [bill];
}
