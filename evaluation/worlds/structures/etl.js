// Money arrives by nightly batches that know the day alone, this one or the next.
import { cents, decimal } from '../money.js';
import { digits, runNoise, sourceNoise } from '../noise.js';
import { DAY, dayOf, HOUR, midnight, officeTime } from '../time.js';

const STEPS = ['intakeReview', 'assess_damage', 'requestDocuments', 'fraudCheck'];
const BATCH_HOUR = 6;

export const etl = {
  member: (random) => ({ number: `POL/${digits(random, 8)}`, claims: 0 }),
  stories: { premium, claimsOfOneDay },
};

/** One or more claims of a policy within a day; a payout belongs to the settlement of its claim. */
function claimsOfOneDay(context) {
  const { world, random, span } = context;
  const policy = random.pick(context.members);
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

function payout({ world, random, record }, { policy, claim, amount, day, cause }) {
  const named = random.chance(0.6);
  // Some batches are late.
  const late = random.chance(0.2) ? 1 + random.below(3) : 0;
  const time = day + (record.days_later + late) * DAY;
  world.event({
    type: 'CLM_PAY',
    id: `row-${digits(random, 9)}`,
    amount: -amount,
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
function premium({ world, random, span, members }) {
  const policy = random.pick(members);
  const day = midnight(officeTime(random, span));
  world.event({
    type: 'PRM_IN',
    id: `row-${digits(random, 9)}`,
    amount: cents(random, 60, 0.4),
    time: day,
    recorded: day + DAY + BATCH_HOUR * HOUR,
    metadata: { ...sourceNoise(random), policy_no: policy.number },
    holds: [policy.number],
  });
}
