// Accounts payable: agents match, hold, approve and schedule invoices, which weekly runs pay less a cash discount.
import { cents, decimal } from '../money.js';
import { digits, hex, telemetry } from '../noise.js';
import { DAY, lag, midnight, officeTime } from '../time.js';

const PREFIXES = ['RE', 'INV-', '25-', 'F'];
/** Cash discounts in per cent. */
const DISCOUNTS = [0, 0, 2, 3];
const DEBITS = ['direct_debit', 'direct_debit', 'supplier_payment'];
const THURSDAY = 4;

export const accountsPayable = { member: newSupplier, stories: { directDebit, invoice } };

function newSupplier(random, at) {
  return {
    vendor: `V${100_400 + at}`,
    iban: `DE${digits(random, 20)}`,
    prefix: random.pick(PREFIXES),
    last: 1000 + random.below(90_000),
    discount: random.pick(DISCOUNTS),
    isGrouped: random.chance(0.5),
  };
}

function nextRun(time) {
  let run = midnight(time) + DAY;
  while (new Date(run).getUTCDay() !== THURSDAY) run += DAY;
  return run;
}

function invoice(context) {
  const { random } = context;
  const supplier = random.pick(context.members);
  supplier.last += 1 + random.below(12);
  const one = {
    supplier,
    document: `${supplier.prefix}${supplier.last}`,
    order: `45${digits(random, 8)}`,
    amount: cents(random, 900, 1),
    time: officeTime(random, context.span),
  };
  one.net = Math.round(one.amount * (1 - supplier.discount / 100));
  match(context, one);
  if (random.chance(0.72)) approve(context, one);
  else byClerk(context, one);
}

function match(context, one) {
  const { random } = context;
  const agent = 'match-agent';
  const action = 'match_three_way';
  decide(context, one, {
    agent: 'ocr-agent',
    action: 'extract_invoice',
    inputs: { file: `scan_${hex(random, 8)}.pdf` },
    outputs: { confidence: 0.9, po: one.order },
  });
  const inputs = { po: one.order, goodsReceipt: `50${digits(random, 8)}` };
  const variance = random.chance(0.8) ? 0 : decimal(cents(random, 12));
  decide(context, one, { agent, action, inputs, outputs: { variance } });
  if (!random.chance(0.2)) return;
  decide(context, one, {
    agent,
    action: 'hold_invoice',
    inputs: { reason: 'price variance' },
    outputs: { status: 'held' },
  });
  one.time += lag(random, 40, 0.6);
  decide(context, one, { agent, action, inputs: { po: one.order }, outputs: { variance: 0 } });
}

/** A person approves it, outside the record. */
function byClerk(context, one) {
  const { random } = context;
  decide(context, one, {
    agent: 'approval-agent',
    action: random.pick(['route_to_clerk', 'escalate']),
    inputs: { reason: 'above limit' },
    outputs: { queue: 'ap-clerks' },
  });
  if (!random.chance(0.85)) return;
  const time = nextRun(one.time + lag(random, 90, 0.6));
  payInvoice(context, one, { amount: one.net, time, cause: null });
}

function approve(context, one) {
  const { random } = context;
  const agent = 'approval-agent';
  const action = 'approve_invoice';
  const inputs = { terms: { skonto: one.supplier.discount } };
  if (random.chance(0.08)) {
    const outputs = { status: 'error', message: 'period closed' };
    decide(context, one, { agent, action, inputs, outputs });
  }
  const outputs = { status: 'approved' };
  const isHidden = random.chance(0.05);
  const cause = decide(context, one, { agent, action, inputs, outputs, isHidden });
  const approved = one.time;
  followUp(context, one);
  // A credit note takes a part of some.
  const isOffset = random.chance(0.07);
  const amount = isOffset ? Math.ceil(one.net * (0.7 + 0.25 * random.next())) : one.net;
  const time = nextRun(approved + lag(random, 20, 1));
  payInvoice(context, one, { amount, time, cause });
}

function followUp(context, one) {
  const { random } = context;
  if (random.chance(0.5)) {
    decide(context, one, {
      agent: 'treasury-agent',
      action: 'schedule_payment',
      inputs: { run: 'THU' },
      outputs: { payable: decimal(one.net) },
    });
  }
  if (random.chance(0.3)) {
    decide(context, one, {
      agent: 'vendor-chat',
      action: 'answer_vendor',
      inputs: { question: 'When will you pay?' },
      outputs: { answer: 'With the next run.' },
    });
  }
}

function directDebit(context) {
  const { random } = context;
  pay(context, random.pick(context.members), {
    type: random.pick(DEBITS),
    amount: cents(random, 300, 0.8),
    time: midnight(officeTime(random, context.span)) + DAY,
    cause: null,
    text: '',
    holds: [],
  });
}

function decide({ world, random }, one, { agent, action, inputs, outputs, isHidden = false }) {
  const { supplier, document } = one;
  const { vendor, iban, isGrouped } = supplier;
  one.time += lag(random, 0.6, 1.2);
  return world.decide({
    agent,
    action,
    time: one.time,
    isHidden,
    holds: [`doc:${document}`, `iban:${iban}`],
    metadata: telemetry(random),
    inputs: {
      vendor: { number: vendor, bank: { iban: isGrouped ? inGroups(iban) : iban } },
      document: { supplierInvoiceNo: document, grossAmount: one.amount / 100, currency: 'EUR' },
      ...inputs,
    },
    outputs,
  });
}

const inGroups = (iban) => iban.replace(/(.{4})/g, '$1 ').trim();

function payInvoice(context, { supplier, document }, { amount, time, cause }) {
  const text = context.random.pick([
    document,
    document.replace('-', ' '),
    `Rg ${document.replace(/\D/g, '')}`,
    `${document}//SKONTO ${supplier.discount}%`,
  ]);
  const holds = [`doc:${document}`];
  pay(context, supplier, { type: 'supplier_payment', amount, time, cause, text, holds });
}

function pay({ world, random }, { iban }, { type, amount, time, cause, text, holds }) {
  world.event({
    type,
    amount: -amount,
    time,
    cause,
    id: `${hex(random, 8)}-${hex(random, 4)}`,
    metadata: {
      Ntry: {
        NtryDtls: {
          RltdPties: { CdtrAcct: { IBAN: iban } },
          RmtInf: { Ustrd: `${text} KD ${digits(random, 5)}`.trim() },
        },
        BkTxCd: type === 'direct_debit' ? 'PMNT-RDDT' : 'PMNT-ICDT',
      },
    },
    holds: [`iban:${iban}`, ...holds],
  });
}
