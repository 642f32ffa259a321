// Road fines of a municipality: several letters for each fine, a penalty and a collection, and payments in parts.
import { decimal } from '../money.js';
import { digits, hex, telemetry } from '../noise.js';
import { DAY, lag, officeTime } from '../time.js';

const STAGES = ['send_notice', 'send_reminder', 'apply_penalty', 'refer_to_collection'];
const PLACES = ['MI', 'TO', 'RM'];
/** Cents. */
const FINES = [3000, 4200, 6000, 8700, 17_300];
const PERMITS = [2500, 12_000];
const POSTAGE = 1350;
const COLLECTION = 4500;

export const roadFines = { stories: { fine } };

function fine(context) {
  const { random } = context;
  const one = {
    number: digits(random, 6),
    plate: `${random.pick(PLACES)} ${digits(random, 3)} ${random.code(2)}`,
    time: officeTime(random, context.span),
    base: random.pick(FINES),
  };
  one.due = one.base;
  if (random.chance(0.38)) handedOver(context, one);
  else sentByPost(context, one);
}

/** By an officer; agents looked some of them up. */
function handedOver(context, one) {
  const { random } = context;
  if (random.chance(0.6)) {
    const action = random.pick(['lookup_fine', 'explain_fine']);
    const outputs = { due: decimal(one.base) };
    decide(context, one, { agent: 'citizen-chat', action, outputs });
  }
  one.time += (1 + 20 * random.next()) * DAY;
  const amount = random.chance(0.7) ? one.base : Math.round(one.base * 0.7);
  book(context, one, { type: 'payment', amount, time: one.time, cause: null });
  if (random.chance(0.3)) {
    const permit = random.pick(PERMITS);
    const time = one.time + lag(random, 200, 0.6);
    book(context, one, { type: 'permit.payment', amount: permit, time, cause: null });
  }
}

/** Letter after letter, until one is paid. */
function sentByPost(context, one) {
  const { random } = context;
  decide(context, one, {
    agent: 'fine-intake',
    action: 'validate_evidence',
    inputs: { photo: hex(random, 8) },
    outputs: { readable: true },
  });
  one.time += lag(random, 20, 0.6);
  decide(context, one, {
    agent: 'fine-intake',
    action: 'create_fine',
    inputs: { amount: one.base / 100 },
    outputs: { state: 'created' },
  });
  one.time += lag(random, 60, 0.6);
  for (const stage of STAGES) {
    const cause = send(context, one, stage);
    while (random.chance(0.35)) lookUp(context, one);
    if (random.chance(0.45)) {
      payFine(context, one, cause);
      return;
    }
    one.time += (45 + 15 * random.next()) * DAY;
  }
}

/** Sends the letter of the stage and books its costs. @returns {string} the decision */
function send(context, one, stage) {
  const { random } = context;
  const penalty = stage === 'apply_penalty' ? Math.round(one.base * 0.5) : 0;
  if (stage === 'refer_to_collection') one.due += COLLECTION;
  one.due += penalty;
  const inputs =
    penalty > 0
      ? { penalty: penalty / 100, basis: 'art. 203' }
      : { template: `T${1 + random.below(4)}` };
  const cause = letter(context, one, stage, inputs);
  const { time } = one;
  if (stage === 'send_notice' && random.chance(0.5)) {
    const sent = time + lag(random, 50, 0.4);
    book(context, one, { type: 'postage.expense', amount: -POSTAGE, time: sent, cause });
  }
  if (penalty > 0) {
    const raised = time + lag(random, 5, 0.5);
    book(context, one, { type: 'penalty.receivable', amount: penalty, time: raised, cause });
  }
  if (stage === 'refer_to_collection') {
    const billed = time + lag(random, 40, 0.5);
    book(context, one, { type: 'collection.fee', amount: -COLLECTION, time: billed, cause });
  }
  return cause;
}

function letter(context, one, action, inputs) {
  const { random } = context;
  if (action !== 'send_notice') {
    decide(context, one, {
      agent: 'notice-agent',
      action: 'check_receipts',
      inputs: { since: 'last letter' },
      outputs: { open: one.due / 100 },
    });
  }
  const isHidden = random.chance(0.025);
  const agent = action === 'refer_to_collection' ? 'collection-agent' : 'notice-agent';
  if (random.chance(0.08)) {
    const outputs = { state: 'failed', reason: 'address unknown' };
    decide(context, one, { agent, action, inputs, outputs });
  }
  const outputs = { state: 'sent', total_due: one.due / 100 };
  return decide(context, one, { agent, action, inputs, outputs, isHidden });
}

function lookUp(context, one) {
  const time = one.time + lag(context.random, 40, 0.5);
  const outputs = { due: one.due / 100 };
  decide(context, { ...one, time }, { agent: 'citizen-chat', action: 'lookup_fine', outputs });
}

/** Three days after the letter or later, a fifth in two parts. */
function payFine(context, one, cause) {
  const { random } = context;
  const time = one.time + (3 + lag(random, 200, 0.5) / DAY) * DAY;
  if (!random.chance(0.2)) {
    book(context, one, { type: 'payment', amount: one.due, time, cause });
    return;
  }
  const part = Math.round(one.due * 0.5);
  book(context, one, { type: 'payment', amount: part, time, cause });
  const later = time + (4 + 6 * random.next()) * DAY;
  book(context, one, { type: 'payment', amount: one.due - part, time: later, cause });
}

function decide({ world, random }, one, { agent, action, inputs = {}, outputs, isHidden = false }) {
  return world.decide({
    agent,
    action,
    time: one.time,
    isHidden,
    holds: [`fine:${one.number}`, `plate:${one.plate}`],
    metadata: telemetry(random),
    inputs: { case: { fine_id: `A${one.number}`, plate: one.plate }, ...inputs },
    outputs,
  });
}

/** Names the fine in a field, the fine and the plate in a text, or both in fields. */
function book({ world, random }, { number, plate }, { type, amount, time, cause }) {
  const way = random.pick(['field', 'field', 'text', 'plate']);
  const short = plate.replaceAll(' ', '');
  const known = {
    field: { verbale: random.chance(0.6) ? `A${number}` : `A-${number}/2025` },
    text: { causale: `PAGAMENTO VERBALE A ${number} TARGA ${short}` },
    plate: { targa: short, verbale: number },
  };
  world.event({
    source: random.pick(['pagopa', 'tesoreria']),
    type,
    amount,
    time,
    cause,
    id: `IUV${digits(random, 15)}`,
    metadata: { ...known[way], ente: hex(random, 6), esito: 'OK' },
    holds: way === 'field' ? [`fine:${number}`] : [`fine:${number}`, `plate:${plate}`],
  });
}
