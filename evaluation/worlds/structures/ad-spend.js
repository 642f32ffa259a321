// Advertising platforms bill each campaign by day: campaigns that people keep running, and flights of agents.
import { digits, runNoise, sourceNoise } from '../noise.js';
import { DAY, HOUR, START } from '../time.js';

const BRANDS = ['nordkamm', 'velora', 'tinto', 'harrow', 'miru', 'solvent', 'pelago'];
const MARKETS = ['DE', 'FR', 'ES', 'PL'];
const GOALS = ['promo', 'launch', 'sale'];
const DAYS = 45;

export const adSpend = { stories: { account } };

/** One advertiser over some weeks; on some platforms the line has the number, on others the name only. */
function account(context) {
  const { random } = context;
  const brand = random.pick(BRANDS);
  const one = {
    number: `${digits(random, 3)}-${digits(random, 3)}-${digits(random, 4)}`,
    brand,
    showsNumber: random.chance(0.55),
    first: random.below(90),
    lasting: Array.from({ length: random.chance(0.45) ? 2 : 1 }, (_, at) => ({
      number: digits(random, 11),
      name: `${brand}_${random.pick(MARKETS)}_${at === 0 ? 'brand' : 'shopping'}_always-on`,
      spend: 4000 + random.below(26_000),
    })),
  };
  let next = one.first + random.below(3);
  let flights = [];
  for (let day = one.first; day < one.first + DAYS; day++) {
    ownDay(context, one, day);
    if (day === next) {
      flights.push(launch(context, one, day));
      next += 2 + random.below(8);
    }
    for (const flight of flights) fly(context, one, flight, day);
    flights = flights.filter(({ until }) => day + 1 < until);
  }
}

/** What people set up long ago spends every day; agents write reports and texts about it. */
function ownDay(context, one, day) {
  const { random } = context;
  for (const campaign of one.lasting) {
    const amount = spent(random, campaign.spend, 0.12);
    bill(context, one, campaign, { day, amount, cause: null });
    if (random.chance(0.12)) aside(context, one, campaign, day);
  }
  if (random.chance(0.03)) {
    const campaign = { number: '', name: 'Invalid traffic adjustment' };
    bill(context, one, campaign, { day, amount: -100 - random.below(900), cause: null });
  }
}

/** A flight of some days; the first attempt may be refused. */
function launch(context, one, day) {
  const { random } = context;
  const campaign = {
    number: digits(random, 11),
    name: `${one.brand}_${random.pick(MARKETS)}_fl${digits(random, 4)}_${random.pick(GOALS)}`,
  };
  const cap = 3000 + 500 * random.below(50);
  if (random.chance(0.25)) {
    decide(context, one, campaign, {
      action: 'launch_flight',
      time: START + (day - 1) * DAY + 9 * HOUR,
      outputs: { status: 'rejected', policy: 'creative under review' },
    });
  }
  const days = 4 + random.below(8);
  const cause = decide(context, one, campaign, {
    action: 'launch_flight',
    time: START + day * DAY - random.next() * 14 * HOUR,
    outputs: { status: 'enabled', daily_cap: cap / 100, days },
    isHidden: random.chance(0.05),
  });
  return { campaign, cap, cause, since: day, until: day + days };
}

/** A day of a flight; its cap may have been changed the evening before. */
function fly(context, one, flight, day) {
  const { random } = context;
  const { campaign } = flight;
  if (day > flight.since && random.chance(0.15)) {
    flight.cap = Math.round((flight.cap * (0.5 + 1.2 * random.next())) / 500) * 500 + 500;
    flight.cause = decide(context, one, campaign, {
      action: 'change_cap',
      time: START + day * DAY - random.next() * 14 * HOUR,
      outputs: { daily_cap: flight.cap / 100 },
    });
  } else if (random.chance(0.15)) aside(context, one, campaign, day);
  bill(context, one, campaign, {
    day,
    amount: spent(random, flight.cap, 0.05),
    cause: flight.cause,
  });
}

const spent = (random, cap, sigma) =>
  Math.max(100, Math.round(cap * 0.94 * Math.exp(sigma * random.normal())));

function aside(context, one, campaign, day) {
  const { random } = context;
  decide(context, one, campaign, {
    action: random.pick(['write_ad_text', 'report_performance', 'suggest_keywords']),
    time: START + day * DAY + random.next() * 20 * HOUR,
    outputs: { clicks: random.below(2000), note: 'Within the expected range.' },
  });
}

function decide({ world, random }, one, campaign, { action, time, outputs, isHidden = false }) {
  return world.decide({
    agent: `media-agent-${1 + random.below(3)}`,
    action,
    time,
    isHidden,
    holds: [one.number, campaign.number, campaign.name],
    metadata: { ...runNoise(random), ad_account: one.number.replaceAll('-', '') },
    inputs: { campaign: { id: Number(campaign.number), name: campaign.name } },
    outputs,
  });
}

/** Dated the day, and known the next morning. */
function bill({ world, random }, one, { number, name }, { day, amount, cause }) {
  const time = START + day * DAY;
  const showsNumber = one.showsNumber && number !== '';
  world.event({
    type: 'daily_spend',
    id: null,
    amount: -amount,
    time,
    cause,
    metadata: {
      ...sourceNoise(random),
      customer_id: one.number,
      ...(showsNumber ? { campaign_id: number } : { line_item: name }),
      impressions: 500 + random.below(90_000),
    },
    holds: [one.number, showsNumber ? number : name],
  });
}
