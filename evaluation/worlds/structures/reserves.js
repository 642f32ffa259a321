// Reserves of one insurance claim are set several times; what is posted is the difference to the reserve before.
import { decimal } from '../money.js';
import { book, digits, runNoise } from '../noise.js';
import { DAY, officeTime, START } from '../time.js';

const WEEK = 7 * DAY;
const QUARTER = 13 * WEEK;
/** Every quarter all open reserves rise by this. */
const INDEXATION = 0.015;
const LINES = ['motor', 'property', 'liability'];

export const reserves = { stories: { claimAndPremiums } };

function claimAndPremiums(context) {
  claim(context);
  for (let left = context.random.below(4); left > 0; left--) premium(context);
}

function claim(context) {
  const { random } = context;
  const year = 24 + random.below(2);
  const one = {
    number: `CL${year}-${digits(random, 6)}`,
    line: random.pick(LINES),
    reserve: 0,
    time: officeTime(random, context.span),
  };
  assess(context, one, pounds(random));
  for (let steps = 2 + random.geometric(4); steps > 0; steps--) {
    const last = one.time;
    one.time += (0.2 + random.logNormal(3.5, 1.3)) * DAY;
    index(context, one, last);
    const kind = random.next();
    if (kind < 0.4) look(context, one);
    else if (kind < 0.76) assess(context, one, Math.max(20_000, pounds(random)));
    else if (one.reserve > 60_000) pay(context, one);
  }
  if (random.chance(0.25)) recover(context, one);
}

const pounds = (random) => Math.round(random.logNormal(4500, 0.9) / 50) * 50 * 100;

/** The agent states the reserve that it wants; the ledger posts the difference. */
function assess(context, one, wanted) {
  const { random } = context;
  const change = wanted - one.reserve;
  if (change === 0) return;
  one.reserve = wanted;
  // Adjusters set some reserves in the old system, which has no record of decisions.
  const cause = decide(context, one, {
    agent: `adjuster-${1 + random.below(3)}`,
    action: 'set_reserve',
    outputs: { reserve: decimal(wanted), ground: random.pick(['report', 'invoice', 'court']) },
    isHidden: random.chance(0.06),
  });
  post(context, one, { type: 'RES_CHG', amount: -change, time: one.time, cause });
}

/** A payment uses up reserve of the same sum. */
function pay(context, one) {
  const { random } = context;
  const amount = Math.round(one.reserve * (0.2 + 0.7 * random.next()));
  one.reserve -= amount;
  const cause = decide(context, one, {
    agent: `payments-${1 + random.below(2)}`,
    action: 'approve_payment',
    outputs: { approved: true, ...(random.chance(0.7) ? { amount: decimal(amount) } : {}) },
  });
  post(context, one, { type: 'CLM_PAY', amount: -amount, time: one.time, cause });
  post(context, one, { type: 'RES_CHG', amount, time: one.time, cause });
}

function look(context, one) {
  const { random } = context;
  decide(context, one, {
    agent: random.pick(['adjuster-1', 'fraud-desk']),
    action: random.pick(['review_file', 'request_report', 'approve_payment']),
    outputs: random.chance(0.5)
      ? { approved: false, reason: 'cover in doubt', reserve: decimal(one.reserve) }
      : { open_questions: random.below(5) },
  });
}

function decide({ world, random }, one, { agent, action, outputs, isHidden = false }) {
  return world.decide({
    agent,
    action,
    time: one.time,
    isHidden,
    holds: [one.number],
    metadata: { ...runNoise(random), line_of_business: one.line },
    inputs: { claim: one.number, documents: 1 + random.below(9) },
    outputs,
  });
}

/** At each end of a quarter that passed while the claim was open. */
function index(context, one, last) {
  const from = Math.floor((last - START) / QUARTER);
  const until = Math.floor((one.time - START) / QUARTER);
  for (let quarter = from + 1; quarter <= until; quarter++) {
    const rise = Math.round(one.reserve * INDEXATION);
    one.reserve += rise;
    const time = START + quarter * QUARTER;
    book(context, { type: 'RES_CHG', amount: -rise, time, cause: null, ...tagOf(one) });
  }
}

/** Salvage, or what the other party's insurer paid. */
function recover(context, one) {
  const { random } = context;
  const time = one.time + random.logNormal(40, 0.6) * DAY;
  const amount = Math.round(pounds(random) / 4);
  const type = random.pick(['SALVAGE', 'SUBROGATION']);
  book(context, { type, amount, time: nextRun(time), cause: null, ...tagOf(one) });
}

function premium(context) {
  const { random } = context;
  const time = Math.floor(officeTime(random, context.span) / DAY) * DAY;
  const policy = `P${digits(random, 8)}`;
  const amount = 15_000 + random.below(90_000);
  book(context, {
    type: 'PREMIUM',
    amount,
    time,
    cause: null,
    metadata: { policy },
    holds: [policy],
  });
}

function post(context, one, { type, amount, time, cause }) {
  book(context, { type, amount, time: nextRun(time), cause, ...tagOf(one) });
}

const tagOf = ({ number, line }) => ({
  metadata: { claim_ref: number, lob: line },
  holds: [number],
});

/** The ledger takes postings over once a week, dated that day. */
function nextRun(time) {
  return START + Math.ceil((time - START) / WEEK) * WEEK;
}
