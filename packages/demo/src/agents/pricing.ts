import {
  type Agent,
  type CaseContext,
  DAY,
  type Draft,
  drawConfidence,
  fromCents,
  HOUR,
  priceNear,
  shareOf,
} from '../draft.js';

const RANGES = ['lighting', 'textiles', 'storage', 'tableware', 'garden'] as const;
const CAUSES = ['overstock', 'competitor', 'season', 'new_supplier_price'] as const;

/** Sets prices in the shop; now and then a price was wrong. */
export const pricing: Agent = {
  share: 430,
  hours: 'always',
  releases: [
    { from: 0, version: '12', model: 'pricing-small-3' },
    { from: 0.22, version: '13', model: 'pricing-small-3' },
    { from: 0.7, version: '14', model: 'pricing-small-4' },
  ],
  draft,
};

function draft({ at, random, number }: CaseContext): Draft {
  const range = random.pick(RANGES);
  const sku = `${range.slice(0, 3).toUpperCase()}-${1000 + random.int(0, 900)}`;
  const before = priceNear(random.logNormal(5200, 0.8));
  const cause = random.pick(CAUSES);
  const isCut = cause === 'overstock' || cause === 'season';
  const after = priceNear(
    shareOf(before, isCut ? random.between(0.6, 0.92) : random.between(0.95, 1.15)),
  );
  const change = `pc_${70_000 + number}`;
  const decision = {
    at,
    action_type: isCut ? 'start_promotion' : 'set_price',
    inputs: {
      sku,
      range,
      previous_price: fromCents(before),
      currency: 'EUR',
      cause,
      ...{
        stock_days: random.int(4, 160),
        competitor_price: fromCents(priceNear(shareOf(before, 0.97))),
      },
    },
    outputs: { new_price: fromCents(after), currency: 'EUR', valid_days: isCut ? 14 : 60 },
    confidence: drawConfidence(random, 0.6, 0.96),
    metadata: { sku, price_change_id: change },
  };
  if (isCut && random.chance(0.07)) {
    const sold = shareOf(after, random.int(8, 60));
    return {
      decisions: [decision],
      events: [
        {
          at: at + Math.round(random.between(1, 10) * DAY),
          cause: 0,
          isNamed: random.chance(0.1),
          body: {
            source: 'shop',
            event_type: 'promotion_sales',
            amount: fromCents(sold),
            currency: 'EUR',
            external_id: `ps_${random.code(10)}`,
            ...{
              description: `Sales of ${sku} in the promotion`,
              metadata: { sku, price_change_id: change },
            },
          },
        },
      ],
    };
  }
  if (!random.chance(0.003)) return { decisions: [decision], events: [] };
  return {
    decisions: [decision],
    events: [
      {
        at: at + Math.round(random.between(3, 30) * HOUR),
        cause: 0,
        isNamed: true,
        body: {
          ...{
            source: 'shop',
            event_type: 'pricing_loss',
            amount: `-${fromCents(shareOf(after, random.int(3, 20)))}`,
          },
          currency: 'EUR',
          external_id: `pl_${random.code(10)}`,
          ...{
            description: `Orders of ${sku} honoured below cost`,
            metadata: { sku, price_change_id: change },
          },
        },
      },
    ],
  };
}
