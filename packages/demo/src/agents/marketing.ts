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

const CHANNELS = ['search', 'social', 'display', 'newsletter', 'affiliates'] as const;
const THEMES = ['spring garden', 'back to work', 'winter light', 'small flats', 'gifts'] as const;

/** Moves money between campaigns. */
export const marketing: Agent = {
  share: 190,
  hours: 'always',
  releases: [
    { from: 0, version: '7', model: 'growth-small-2' },
    { from: 0.28, version: '8', model: 'growth-small-2' },
    { from: 0.81, version: '9', model: 'growth-small-3' },
  ],
  draft,
};

function draft({ at, random, number }: CaseContext): Draft {
  const channel = random.pick(CHANNELS);
  const campaign = `cmp-${channel}-${1 + (number % 48)}`;
  const cents = Math.round(random.logNormal(42_000, 0.7));
  const flight = `fl_${18_000 + number}`;
  const decision = {
    at,
    action_type: channel === 'newsletter' ? 'send_campaign' : 'set_campaign_spend',
    inputs: {
      campaign_id: campaign,
      channel,
      theme: random.pick(THEMES),
      cost_per_order: fromCents(random.int(600, 2900)),
    },
    outputs: { spend: fromCents(cents), currency: 'EUR', days: 7 },
    confidence: drawConfidence(random, 0.5, 0.88),
    metadata: { campaign_id: campaign, flight_id: flight },
  };
  const events: DraftEvent[] = [];
  const common = { currency: 'EUR', metadata: { campaign_id: campaign, flight_id: flight } };
  if (channel !== 'newsletter' && random.chance(0.11)) {
    const spent = shareOf(cents, random.between(0.85, 1));
    events.push({
      ...{
        at: at + Math.round(random.between(7, 11) * DAY),
        cause: 0,
        isNamed: random.chance(0.1),
      },
      body: {
        ...common,
        source: 'ads',
        event_type: 'ad_spend',
        amount: `-${fromCents(spent)}`,
        external_id: `AD-${random.code(9)}`,
        description: `Ads of ${campaign}`,
      },
    });
  }
  if (random.chance(0.05)) {
    events.push({
      at: at + Math.round(random.between(2, 12) * DAY),
      cause: 0,
      isNamed: false,
      body: {
        ...common,
        source: 'shop',
        event_type: 'campaign_sales',
        ...{
          amount: fromCents(shareOf(cents, random.between(0.6, 3.2))),
          external_id: `CS-${random.code(9)}`,
        },
        description: `Orders with the code of ${campaign}`,
      },
    });
  }
  return { decisions: [decision], events };
}
