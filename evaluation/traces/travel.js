// Travel of a university, BPI Challenge 2020: who approved what, and when it was paid.
import { join } from 'node:path';
import { createRandom } from '../random.js';
import { decimal } from '../worlds/money.js';
import { hex } from '../worlds/noise.js';
import { DAY, dayOf } from '../worlds/time.js';
import { readCases } from './xes.js';

const SEED = 2020;
const PAID = 'Payment Handled';
const STEP =
  /^(Declaration|Permit|Request For Payment) (SAVED|SUBMITTED|APPROVED|FINAL_APPROVED|REJECTED) by (.+)$/;
const OBJECTS = {
  Declaration: 'declaration',
  Permit: 'permit',
  'Request For Payment': 'request_for_payment',
};
const VERBS = {
  SAVED: 'save',
  SUBMITTED: 'submit',
  APPROVED: 'approve',
  FINAL_APPROVED: 'final_approve',
  REJECTED: 'reject',
};
/** Some editions of the logs repeat the attributes of a case in each of its events. */
const REPEATED = '(case)_';
/** Steps of the person who travels, which decide nothing. */
const BY_TRAVELLER = ['SAVED', 'SUBMITTED'];
/** Decisions so long before the period are recorded too: its first payments follow from them. */
const BEFORE = 21 * DAY;
const LAST_STEP_LOST = 0.03;

const DECLARATION = {
  names: {
    declaration_id: 'id',
    declaration_number: 'DeclarationNumber',
    budget_number: 'BudgetNumber',
  },
  amount: 'Amount',
  payment: { id: 'declaration_id', number: 'declaration_number', text: 'Travel costs' },
  account: ['budget', 'budget_number'],
};
const REQUEST = {
  names: {
    request_id: 'Rfp_id',
    request_number: 'RfpNumber',
    organizational_unit: 'OrganizationalEntity',
    project: 'Project',
  },
  amount: 'RequestedAmount',
  payment: { id: 'request_id', number: 'request_number', text: 'RFP' },
  account: ['org_unit', 'organizational_unit'],
};
const withPermit = (log, name) => ({ ...log, names: { ...log.names, permit_id: name } });
/** The logs by their names, without `.xes.gz`: the attributes that decisions and payments take. */
const LOGS = {
  DomesticDeclarations: DECLARATION,
  InternationalDeclarations: withPermit(DECLARATION, 'Permit_ID'),
  RequestForPayment: REQUEST,
  PrepaidTravelCost: withPermit(REQUEST, 'Permit_id'),
};

/**
 * What the sets take: `recorded` are the logs whose decisions are recorded, but for the share
 * `unrecorded` of their cases; `others` are those of which a share of the payments is taken alone.
 */
const PARAMETERS = {
  domestic: {
    from: '2018-02-01',
    to: '2018-05-01',
    recorded: ['DomesticDeclarations'],
    others: { RequestForPayment: 0.3, PrepaidTravelCost: 0.25 },
    unrecorded: 0.1,
    isTravellerRecorded: false,
  },
  international: {
    from: '2018-05-01',
    to: '2018-08-01',
    recorded: ['InternationalDeclarations', 'PrepaidTravelCost'],
    others: { RequestForPayment: 0.22 },
    unrecorded: 0.16,
    isTravellerRecorded: true,
  },
  requests: {
    from: '2018-09-01',
    to: '2018-12-15',
    recorded: ['RequestForPayment'],
    others: { DomesticDeclarations: 0.18, InternationalDeclarations: 0.12 },
    unrecorded: 0.08,
    isTravellerRecorded: false,
  },
};

export const travelDomestic = (folder) => travel(folder, PARAMETERS.domestic);
export const travelInternational = (folder) => travel(folder, PARAMETERS.international);
export const travelRequests = (folder) => travel(folder, PARAMETERS.requests);

/**
 * @param {string} folder with the logs
 * @param {typeof PARAMETERS.domestic} parameters
 * @returns {Promise<import('./convert.js').Trace>}
 */
async function travel(folder, { from, to, recorded, others, unrecorded, isTravellerRecorded }) {
  const random = createRandom(SEED);
  const logs = await readLogs(folder, [...recorded, ...Object.keys(others)]);
  const confidence = confidences([...logs.values()].flat());
  const [start, end] = [Date.parse(from), Date.parse(to)];
  const isIn = (step) => step !== undefined && step.time >= start && step.time < end;
  // A permit is in the logs of several cases.
  const decisions = new Map();
  const events = [];
  for (const one of recorded.flatMap((log) => logs.get(log))) {
    if (!one.steps.some(isIn) && !isIn(one.payment)) continue;
    const final = finalStep(one);
    const isUnrecorded = random.chance(unrecorded);
    const isFinalLost = random.chance(LAST_STEP_LOST);
    for (const step of one.steps) {
      if (isUnrecorded || (isFinalLost && step === final)) continue;
      if (step.time < start - BEFORE || step.time >= end) continue;
      if (!isTravellerRecorded && BY_TRAVELLER.includes(step.verb)) continue;
      if (!decisions.has(refOf(step))) {
        decisions.set(refOf(step), decisionOf(one, step, confidence(step)));
      }
    }
    if (isIn(one.payment) && one.cents > 0) {
      events.push(paymentOf(random, one, final === undefined ? null : refOf(final)));
    }
  }
  for (const [log, share] of Object.entries(others)) {
    const paid = logs.get(log).filter(({ payment, cents }) => isIn(payment) && cents > 0);
    for (const one of paid) if (random.chance(share)) events.push(paymentOf(random, one, null));
  }
  return { decisions: [...decisions.values()], events };
}

/** @param {string} folder @param {string[]} names @returns {Promise<Map<string, Case[]>>} */
async function readLogs(folder, names) {
  const logs = new Map();
  for (const name of names) {
    const path = join(folder, `${name}.xes.gz`);
    const cases = [];
    for await (const { attributes, events } of readCases(path)) {
      cases.push(caseOf(path, LOGS[name], attributes, events));
    }
    logs.set(name, cases);
  }
  return logs;
}

/**
 * @typedef {{ id: string, time: number, object: string, verb: string, role: string }} Step
 * @typedef {{ log: object, data: Record<string, string>, cents: number, steps: Step[],
 *   payment: { time: number } | undefined }} Case steps in order of time
 * @returns {Case}
 */
function caseOf(path, log, attributes, events) {
  const repeated = Object.entries(events[0] ?? {})
    .filter(([key]) => key.startsWith(REPEATED))
    .map(([key, value]) => [key.slice(REPEATED.length), value]);
  const entries = [...Object.entries(attributes), ...repeated]
    .filter(([, value]) => value !== '' && value !== 'UNKNOWN')
    .map(([key, value]) => [key.replaceAll(' ', '_'), value]);
  const data = Object.fromEntries(entries);
  const cents = Math.round(100 * Number(data[log.amount]));
  const steps = events
    .map((event) => ({ ...event, time: Date.parse(event['time:timestamp']) }))
    .sort((a, b) => a.time - b.time);
  if (Number.isNaN(cents) || steps.some(({ id, time }) => id === undefined || Number.isNaN(time))) {
    throw new Error(`${path}: a case lacks ${log.amount}, or an event its id or time`);
  }
  return {
    log,
    data,
    cents,
    steps: steps.flatMap(({ id, time, 'concept:name': name }) => {
      const [, object, verb, role] = STEP.exec(name) ?? [];
      return object === undefined ? [] : [{ id, time, object, verb, role }];
    }),
    payment: steps.find(({ 'concept:name': name }) => name === PAID),
  };
}

/** The last approval before the payment, which caused it. */
function finalStep({ steps, payment }) {
  return steps.findLast(
    ({ object, verb, time }) =>
      object !== 'Permit' && verb === 'FINAL_APPROVED' && time <= payment?.time,
  );
}

const refOf = ({ id }) => id.replaceAll(' ', '-');

/** How often a role decides as it did: rejects, or does not. @param {Case[]} cases */
function confidences(cases) {
  const counts = new Map();
  for (const { object, verb, role } of cases.flatMap(({ steps }) => steps)) {
    if (BY_TRAVELLER.includes(verb)) continue;
    const count = counts.get(object + role) ?? { all: 0, rejected: 0 };
    count.all++;
    if (verb === 'REJECTED') count.rejected++;
    counts.set(object + role, count);
  }
  return ({ object, verb, role }) => {
    if (BY_TRAVELLER.includes(verb)) return 1;
    const { all, rejected } = counts.get(object + role);
    const share = (verb === 'REJECTED' ? rejected : all - rejected) / all;
    return Math.round(1000 * share) / 1000;
  };
}

/** @param {Case} one @param {Step} step @param {number} confidence */
function decisionOf({ log, data, cents }, step, confidence) {
  const object = OBJECTS[step.object];
  const role = step.role.toLowerCase().replaceAll(' ', '_');
  const names = step.object === 'Permit' ? permitNames(log) : log.names;
  const found = pick(data, names);
  const alternative = step.verb === 'REJECTED' ? 'approve' : 'reject';
  const [id] = Object.keys(names);
  return {
    ref: refOf(step),
    time: step.time,
    body: {
      agent_id: `travel/${role}`,
      action_type: `${VERBS[step.verb]}_${object}`,
      inputs: { arguments: { [id]: found[id], ...sumOf(step, data, cents) } },
      outputs: { status: step.verb.toLowerCase().replace('_', ' '), failed: false },
      metadata: { ...found, role, step: step.id },
      alternatives: BY_TRAVELLER.includes(step.verb)
        ? []
        : [{ action_type: `${alternative}_${object}` }],
      confidence,
      human_in_loop: true,
    },
  };
}

const permitNames = ({ names }) => ({
  permit_id: names.permit_id,
  permit_number: 'Permit_travel_permit_number',
  budget_number: 'Permit_BudgetNumber',
});

function sumOf({ object }, data, cents) {
  if (object === 'Permit') {
    const budget = Math.round(100 * Number(data.Permit_RequestedBudget ?? 0)) / 100;
    return { requested_budget: budget };
  }
  return { [object === 'Declaration' ? 'amount' : 'requested_amount']: cents / 100 };
}

/** What of the names the data holds, under the names. */
function pick(data, names) {
  const entries = Object.entries(names).map(([name, key]) => [name, data[key]]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** The bank sees few of the references. */
function paymentOf(random, { log, data, cents, payment }, cause) {
  const found = pick(data, log.names);
  const number = found[log.payment.number] ?? found[log.payment.id];
  const [account, accountName] = log.account;
  const permit = data.Permit_travel_permit_number;
  const metadata = { payment_run: dayOf(payment.time).replaceAll('-', '') };
  const draw = random.next();
  if (draw < 0.52) metadata[log.payment.number] = number;
  else if (draw < 0.66) metadata.text = `${log.payment.text} ${number.split(' ').at(-1)}`;
  if (random.chance(0.45) && found[accountName]) metadata[account] = found[accountName];
  if (random.chance(0.35) && permit) metadata.travel_permit = permit;
  return {
    cause,
    time: payment.time,
    body: {
      source: 'sap',
      event_type: 'payout',
      external_id: `fin-${hex(random, 10)}`,
      amount: decimal(-cents),
      currency: 'EUR',
      metadata,
    },
  };
}
