// An insurer: agents approve parts of a claim, and the bank pays them less a deductible, with the claim in a text.
import { cents, decimal } from '../money.js';
import { digits, hex, LAST_NAMES, telemetry } from '../noise.js';
import { DAY, HOUR, lag, midnight, officeTime } from '../time.js';

const BRANCHES = ['KFZ', 'HR', 'WG'];
const LANES = ['fast', 'standard', 'fraud-check'];
/** Cents. */
const DEDUCTIBLES = [0, 15_000, 30_000];
const EXPERTS = [38_080, 45_220, 59_500];
const CAR_DAY = 4900;
const LEAST_PAYOUT = 2000;

export const insuranceClaims = { member: newPolicy, stories: { premium, claim } };

function newPolicy(random) {
  return {
    number: `${random.pick(BRANCHES)}-${digits(random, 7)}`,
    holder: random.pick(LAST_NAMES),
  };
}

function claim(context) {
  const { random } = context;
  const one = {
    policy: random.pick(context.members),
    number: `2025/${digits(random, 6)}`,
    time: officeTime(random, context.span),
    loss: cents(random, 1100, 0.8),
  };
  assess(context, one);
  const draw = random.next();
  if (draw < 0.15) {
    decide(context, one, {
      agent: 'payout-agent',
      action: 'deny_claim',
      inputs: { requested: decimal(one.loss) },
      outputs: { decision: 'denied' },
    });
  } else if (draw < 0.42) byHandler(context, one);
  else payOut(context, one);
}

function assess(context, one) {
  const { random } = context;
  decide(context, one, {
    agent: 'fnol-agent',
    action: 'register_claim',
    inputs: { description: 'Reported by phone: scratch on the left door.' },
    outputs: { reserve: Math.round(one.loss / 1000) * 10 },
  });
  decide(context, one, {
    agent: 'triage-agent',
    action: 'triage_claim',
    outputs: { lane: random.pick(LANES) },
  });
  for (let left = random.geometric(0.6); left > 0; left--) {
    decide(context, one, {
      agent: 'triage-agent',
      action: 'request_documents',
      inputs: { wanted: ['photos', 'invoice'] },
      outputs: { sent: true },
    });
  }
  if (random.chance(0.7)) {
    decide(context, one, {
      agent: 'assessor-agent',
      action: 'estimate_damage',
      inputs: { photos: 1 + random.below(6) },
      outputs: { estimate: { gross: one.loss / 100 } },
    });
  }
}

/** A person takes over and pays, without the record of any agent. */
function byHandler(context, one) {
  const { random } = context;
  const outputs = { handler: 'team-4' };
  decide(context, one, { agent: 'triage-agent', action: 'route_to_handler', outputs });
  const paid = Math.round(one.loss * (0.6 + 0.5 * random.next()));
  const time = one.time + lag(random, 150, 0.5);
  transfer(context, one, { type: 'claim.payout', amount: -paid, time, cause: null });
  if (random.chance(0.35)) recover(context, one, paid);
}

function payOut(context, one) {
  const { random } = context;
  approve(context, one, 'repair', one.loss);
  if (random.chance(0.35)) approve(context, one, 'rental_car', CAR_DAY * (1 + random.below(9)));
  if (random.chance(0.2)) approve(context, one, 'expert', random.pick(EXPERTS));
  if (random.chance(0.4)) {
    decide(context, one, {
      agent: 'status-agent',
      action: 'answer_status',
      inputs: { channel: 'whatsapp' },
      outputs: { answer: 'Your claim is approved.' },
    });
  }
  if (random.chance(0.12)) recover(context, one, one.loss);
}

function approve(context, one, part, gross) {
  const { random } = context;
  const agent = 'payout-agent';
  const action = 'approve_payout';
  const deductible = part === 'repair' ? random.pick(DEDUCTIBLES) : 0;
  const net = Math.max(LEAST_PAYOUT, gross - deductible);
  const most = gross > LEAST_PAYOUT ? gross - net : 0;
  const stated = Math.min(deductible, most);
  const inputs = { part, gross: decimal(gross), deductible: decimal(stated) };
  if (random.chance(0.08)) {
    decide(context, one, { agent, action, inputs, outputs: { decision: 'needs_second_check' } });
  }
  const outputs = { decision: 'approved' };
  const isHidden = random.chance(0.05);
  const cause = decide(context, one, { agent, action, inputs, outputs, isHidden });
  const time = one.time + lag(random, 60, 0.6);
  transfer(context, one, { type: 'claim.payout', amount: -net, time, cause });
}

/** Another insurer bears half of it. */
function recover(context, one, paid) {
  const time = one.time + lag(context.random, 700, 0.4);
  const amount = Math.round(paid * 0.5);
  transfer(context, one, { type: 'recourse.received', amount, time, cause: null });
}

function premium(context) {
  const { random } = context;
  const policy = random.pick(context.members);
  const amount = cents(random, 62, 0.5);
  const time = officeTime(random, context.span) + DAY;
  transfer(context, { policy }, { type: 'premium.received', amount, time, cause: null });
}

function decide({ world, random }, one, { agent, action, inputs = {}, outputs, isHidden = false }) {
  const { number, policy } = one;
  one.time += lag(random, 1.5, 1);
  return world.decide({
    agent,
    action,
    time: one.time,
    isHidden,
    holds: [`claim:${number}`, `policy:${policy.number}`],
    metadata: telemetry(random),
    inputs: { claim: { claimNumber: number, policyNumber: policy.number }, ...inputs },
    outputs,
  });
}

/** Not before nine in the morning; the text of one in twenty is cut off before the claim. */
function transfer({ world, random }, { policy, number }, { type, amount, time, cause }) {
  const isCut = number !== undefined && random.chance(0.05);
  const spelled = number === undefined ? '' : random.pick(spellingsOf(number));
  const isNamed = number === undefined || random.chance(0.4);
  const booked = Math.max(midnight(time) + 9 * HOUR, time);
  const text = `${spelled} ${policy.holder.toUpperCase()}`.trim();
  world.event({
    type,
    amount,
    time: booked,
    cause,
    id: hex(random, 16).toUpperCase(),
    metadata: {
      ':86:': {
        gvc: amount < 0 ? '117' : '166',
        svwz: isCut ? 'SCHADENREGULIERUNG GEM' : text,
        ...(isNamed ? { kref: spellPolicy(random, policy) } : {}),
      },
      statement: `${1 + random.below(250)}/1`,
    },
    holds: [
      ...(number !== undefined && !isCut ? [`claim:${number}`] : []),
      ...(isNamed ? [`policy:${policy.number}`] : []),
    ],
  });
}

const spellingsOf = (number) => [
  `SCHADEN ${number.replace('/', ' ')}`,
  `CLM${number.replace('/', '')}`,
  `SV-NR. ${number}`,
];

const spellPolicy = (random, { number }) => (random.chance(0.5) ? number : number.replace('-', ''));
