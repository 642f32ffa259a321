// A placement fee falls due months after a candidate was put forward; most of the money is retainers and costs.
import { digits, runNoise, sourceNoise } from '../noise.js';
import { DAY, lag, officeTime } from '../time.js';

const FIRST = ['Jana', 'Piotr', 'Amara', 'Luis', 'Mei', 'Tomas', 'Nadia', 'Owen', 'Ines', 'Karim'];
const LAST = ['Weber', 'Nowak', 'Okafor', 'Garcia', 'Chen', 'Novak', 'Haddad', 'Price', 'Costa'];
const ROLES = ['Payroll Accountant', 'Site Engineer', 'Data Analyst', 'Plant Manager'];
const RATES = [18, 20, 22, 25];
const MONTH = 30.4 * DAY;

export const recruiting = {
  member: (random) => ({
    number: `C-${digits(random, 5)}`,
    rate: random.pick(RATES),
    retainer: random.pick([150_000, 250_000, 400_000]),
    months: 0,
  }),
  stories: { requisition, retainer, overhead },
};

/** A vacancy: many candidates are screened, some are submitted, at most one is hired. */
function requisition(context) {
  const { random } = context;
  const client = random.pick(context.members);
  const one = { number: `REQ-${digits(random, 5)}`, client, role: random.pick(ROLES) };
  let time = officeTime(random, context.span);
  if (random.chance(0.5)) jobBoard(context, one, time - 2 * DAY);
  const submitted = [];
  for (let left = 3 + random.below(5); left > 0; left--) {
    time += random.logNormal(1.5, 0.8) * DAY;
    const person = candidate(random);
    screen(context, one, person, time);
    if (random.chance(0.6)) {
      const at = time + lag(random, 8, 0.7);
      submitted.push({ person, at, ref: submit(context, one, person, at) });
    }
  }
  if (submitted.length === 0 || random.chance(0.2)) return;
  const { person, at, ref } = random.pick(submitted);
  for (let left = random.below(3); left > 0; left--) {
    interview(context, one, person, at + (3 + random.next() * 25) * DAY);
  }
  fees(context, one, person, { at: at + (60 + random.next() * 60) * DAY, cause: ref });
}

const candidate = (random) => ({
  number: `cand-${digits(random, 6)}`,
  name: `${random.pick(FIRST)} ${random.pick(LAST)}`,
  salary: (36_000 + 250 * random.below(240)) * 100,
});

/** All at once or in two halves; some people leave in their first weeks and the client gets half back. */
function fees(context, one, person, { at, cause }) {
  const { random } = context;
  const fee = (person.salary * one.client.rate) / 100;
  const parts = random.chance(0.3) ? 2 : 1;
  for (let part = 0; part < parts; part++) {
    const time = at + part * 90 * DAY;
    invoice(context, one, person, { type: 'invoice_paid', amount: fee / parts, time, cause });
  }
  if (parts === 1 && random.chance(0.12)) {
    const time = at + (30 + random.below(50)) * DAY;
    invoice(context, one, person, { type: 'credit_note', amount: -fee / 2, time, cause });
  }
}

function invoice(context, one, person, { type, amount, time, cause }) {
  const { random } = context;
  const namesPerson = random.chance(0.6);
  const text = namesPerson
    ? `Placement ${person.name}, ${one.role} (${person.number})`
    : `Placement ${one.role}, ${one.number}`;
  book(context, {
    type,
    amount,
    time,
    cause,
    metadata: { debtor: one.client.number, document: `RE${digits(random, 7)}`, text },
    holds: namesPerson ? [one.client.number, person.number] : [one.client.number, one.number],
  });
}

function screen(context, one, person, time) {
  decide(context, one, person, {
    agent: `screening-${1 + context.random.below(3)}`,
    action: 'screen_cv',
    time,
    outputs: { score: context.random.below(100), expected_salary: person.salary / 100 },
  });
}

function submit(context, one, person, time) {
  const { random } = context;
  return decide(context, one, person, {
    agent: `desk-agent-${1 + random.below(4)}`,
    action: 'submit_candidate',
    time,
    isHidden: random.chance(0.05),
    outputs: {
      submitted: true,
      salary: person.salary / 100,
      terms: { fee_percent: one.client.rate, of: 'annual salary' },
    },
  });
}

function interview(context, one, person, time) {
  const outputs = { scheduled: true, round: 1 + context.random.below(3) };
  decide(context, one, person, {
    agent: 'calendar-agent',
    action: 'plan_interview',
    time,
    outputs,
  });
}

function decide(
  { world, random },
  one,
  person,
  { agent, action, time, outputs, isHidden = false },
) {
  return world.decide({
    agent,
    action,
    time,
    isHidden,
    holds: [one.number, one.client.number, person.number],
    metadata: { ...runNoise(random), requisition: one.number, client: one.client.number },
    inputs: { candidate: { id: person.number, name: person.name }, role: one.role },
    outputs,
  });
}

/** Contracts with people of the agency, paid whether or not somebody is placed. */
function retainer(context) {
  const { random } = context;
  const client = random.pick(context.members);
  client.months += 1;
  const offset = (client.months * MONTH) % (context.span + 90 * DAY);
  book(context, {
    type: 'invoice_paid',
    amount: client.retainer,
    time: officeTime(random, 20 * DAY) + offset,
    metadata: {
      debtor: client.number,
      document: `RE${digits(random, 7)}`,
      text: 'Retainer, monthly',
    },
    holds: [client.number],
  });
}

function jobBoard(context, one, time) {
  book(context, {
    type: 'card_payment',
    amount: -context.random.pick([29_900, 49_900, 89_000]),
    time,
    metadata: { merchant: 'StepBoard', text: `Advert ${one.role} ${one.number}` },
    holds: [one.number],
  });
}

function overhead(context) {
  const { random } = context;
  const [text, amount] = random.pick([
    ['Wages', -310_000 - random.below(90_000)],
    ['Office rent', -420_000],
    ['Social insurance', -95_000 - random.below(20_000)],
  ]);
  book(context, {
    type: 'bank_transfer',
    amount,
    time: officeTime(random, context.span + 90 * DAY),
    metadata: { text },
    holds: [],
  });
}

function book({ world, random }, { type, amount, time, cause = null, metadata, holds }) {
  world.event({
    type,
    amount: Math.round(amount),
    time,
    cause,
    metadata: { ...sourceNoise(random), ...metadata },
    holds,
  });
}
