// Money arrives by nightly batches that know the day alone, this one or the next.
import { cents, createBuilder, DAY, decimal, HOUR, officeTime } from './builder.js';
import { digits, runNoise, sourceNoise } from './noise.js';
import { dayOf, midnight } from './times.js';

const STEPS = ['intakeReview', 'assess_damage', 'requestDocuments', 'fraudCheck'];
const BATCH_HOUR = 6;

export const sameMidnight = (seed, size) => etl('etl-same-day', seed, size, 0);
export const nextMidnight = (seed, size) => etl('etl-next-day', seed, size, 1);

function etl(name, seed, size, days) {
  const world = createBuilder(name, seed);
  const { random } = world;
  const context = { world, random, span: size * 0.05 * DAY, days };
  const policies = Array.from({ length: Math.ceil(size / 5) }, () => ({
    number: `POL/${digits(random, 8)}`,
    claims: 0,
  }));
  while (world.count() < size) {
    if (random.chance(0.15)) premium(context, random.pick(policies));
    else claimsOfOneDay(context, random.pick(policies));
  }
  return world.finish({
    size,
    description:
      days === 0
        ? 'Batches carry a date only (midnight of the same day), the decisions fall during the day'
        : 'Batches carry a date only (midnight of the next day), the decisions fall during the day',
    settings: { base_currency: 'GBP', rates: {} },
  });
}

/** One or more claims of a policy within a day; a payout belongs to the settlement of its claim. */
function claimsOfOneDay(context, policy) {
  const { world, random, span } = context;
  const day = midnight(officeTime(random, span));
  for (let left = random.chance(0.3) ? 2 : 1; left > 0; left--) {
    policy.claims += 1;
    const claim = `${policy.number.slice(4)}-${String(policy.claims).padStart(3, '0')}`;
    const times = Array.from({ length: 1 + random.geometric(1.3) }, () => 8 + 12 * random.next());
    times.sort((a, b) => a - b);
    const amount = cents(random, 700, 0.9);
    let cause = null;
    const settled = random.below(times.length);
    times.forEach((hour, at) => {
      const isSettlement = at === settled;
      const ref = world.decide({
        agent: `claims-${1 + random.below(7)}`,
        action: isSettlement
          ? random.pick(['SettleClaim', 'settle_partially'])
          : random.pick(STEPS),
        time: day + hour * HOUR,
        isHidden: isSettlement && random.chance(0.05),
        holds: [policy.number, claim],
        metadata: { ...runNoise(random), line: random.pick(['motor', 'home']) },
        inputs: {
          claim: { number: claim, policy: policy.number },
          note: 'See the attached photos.',
        },
        outputs: isSettlement && random.chance(0.8) ? { payout: decimal(amount) } : { done: true },
      });
      if (isSettlement) cause = ref;
    });
    payout(context, { policy, claim, amount, day, cause });
  }
}

function payout({ world, random, days }, { policy, claim, amount, day, cause }) {
  const named = random.chance(0.6);
  // Some batches are late.
  const late = random.chance(0.2) ? 1 + random.below(3) : 0;
  const time = day + (days + late) * DAY;
  world.event({
    source: 'dwh.nightly',
    type: 'CLM_PAY',
    id: `row-${digits(random, 9)}`,
    amount: -amount,
    currency: 'GBP',
    time,
    recorded: day + (1 + late) * DAY + BATCH_HOUR * HOUR,
    cause,
    metadata: {
      ...sourceNoise(random),
      policy_no: policy.number,
      ...(named ? { claim_no: claim } : {}),
      batch: dayOf(time),
    },
    holds: named ? [policy.number, claim] : [policy.number],
  });
}

/** Premiums of known policies come without any decision. */
function premium({ world, random, span }, policy) {
  const day = midnight(officeTime(random, span));
  world.event({
    source: 'dwh.nightly',
    type: 'PRM_IN',
    id: `row-${digits(random, 9)}`,
    amount: cents(random, 60, 0.4),
    currency: 'GBP',
    time: day,
    recorded: day + DAY + BATCH_HOUR * HOUR,
    metadata: { ...sourceNoise(random), policy_no: policy.number },
    holds: [policy.number],
  });
}
