// A foundation pays grants in instalments, and its bank books costs under the number of the grant as well.
import { cents, decimal } from '../money.js';
import { digits, runNoise, sourceNoise } from '../noise.js';
import { DAY, HOUR, lag, officeTime } from '../time.js';

const PLANS = [[1], [0.5, 0.5], [0.4, 0.4, 0.2]];
const STAFF = ['score_application', 'review_budget', 'draft_letter'];

export const grants = { stories: { application, donation } };

function application(context) {
  const { random } = context;
  const one = {
    number: `GA-${2024 + random.below(2)}-${digits(random, 5)}`,
    asked: 100 * cents(random, 180, 0.6),
  };
  let time = officeTime(random, context.span);
  for (let left = 1 + random.below(3); left > 0; left--) {
    const outputs = { requested: decimal(one.asked), score: random.below(100) };
    decide(context, one, { action: random.pick(STAFF), time, outputs });
    time += lag(random, 20, 0.6);
  }
  if (random.chance(0.4)) {
    decide(context, one, { action: 'close_application', time, outputs: { state: 'declined' } });
    return;
  }
  const granted = random.chance(0.3)
    ? one.asked
    : Math.round((one.asked * (0.4 + 0.5 * random.next())) / 1000) * 1000;
  const stated = random.chance(0.8) ? { grant_total: decimal(granted), currency: 'USD' } : {};
  const isHidden = random.chance(0.05);
  const cause = decide(context, one, {
    action: 'award',
    time,
    outputs: { state: 'awarded', ...stated },
    isHidden,
  });
  pay(context, one, { granted, time, cause });
}

function pay(context, one, { granted, time, cause }) {
  const { random } = context;
  let at = time;
  const plan = random.pick(PLANS);
  plan.forEach((part, place) => {
    at += (place === 0 ? random.logNormal(8, 0.5) : 60 + random.next() * 60) * DAY;
    book(context, one, {
      amount: -Math.round(granted * part),
      time: at,
      cause,
      text: `Instalment ${place + 1}`,
    });
    if (random.chance(0.4)) {
      book(context, one, {
        amount: -(400 + random.below(2200)),
        time: at + 2 * DAY * random.next(),
        cause: null,
        text: 'Transfer cost',
      });
    }
    if (random.chance(0.3)) {
      decide(context, one, {
        action: 'remind_of_report',
        time: at + random.next() * 20 * DAY,
        outputs: { sent: true },
      });
    }
  });
  if (random.chance(0.3)) {
    book(context, one, {
      amount: 200 + random.below(9000),
      time: at + random.next() * 30 * DAY,
      cause: null,
      text: 'Interest',
    });
  }
  if (random.chance(0.15)) takeBack(context, one, granted, at);
}

/** An audit finds money that was not spent. */
function takeBack(context, one, granted, since) {
  const { random } = context;
  const time = since + random.logNormal(20, 0.4) * DAY;
  const amount = Math.round((granted * (0.05 + 0.4 * random.next())) / 100) * 100;
  const outputs = { reclaim: decimal(amount), basis: 'unspent' };
  const cause = decide(context, one, { action: 'reclaim_unspent', time, outputs });
  const at = time + random.logNormal(14, 0.4) * DAY;
  book(context, one, { amount, time: at, cause, text: 'Repayment' });
}

function decide({ world, random }, one, { action, time, outputs, isHidden = false }) {
  return world.decide({
    agent: action === 'award' ? 'board-agent' : `desk-${1 + random.below(4)}`,
    action,
    time,
    isHidden,
    holds: [one.number],
    metadata: { ...runNoise(random), case: one.number },
    inputs: { programme: random.pick(['culture', 'science', 'youth']) },
    outputs,
  });
}

function donation({ world, random, span }) {
  world.event({
    type: 'incoming',
    amount: cents(random, 900, 1),
    time: officeTime(random, span),
    metadata: { ...sourceNoise(random), text: 'Donation' },
  });
}

function book({ world, random }, one, { amount, time, cause, text }) {
  world.event({
    type: amount < 0 ? 'outgoing' : 'incoming',
    amount,
    time,
    recorded: time + 5 * HOUR,
    cause,
    metadata: { ...sourceNoise(random), text, reference: one.number.replaceAll('-', '') },
    holds: [one.number],
  });
}
