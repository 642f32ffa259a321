// Carriers bill many shipments on one invoice; beside what was booked they charge for delays nobody decided.
import { cents } from '../money.js';
import { digits, runNoise, sourceNoise } from '../noise.js';
import { DAY, HOUR, lag, officeTime, START } from '../time.js';

const CARRIERS = ['MAEU', 'HLCU', 'CMDU', 'ONEY'];
const LANES = ['CNSHA-DEHAM', 'INNSA-NLRTM', 'VNSGN-GBFXT', 'USNYC-BEANR'];
const TERM = 14 * DAY;
const ADMIN_FEE = 3500;

export const freight = {
  prepare: () => ({ invoices: new Map() }),
  stories: { ownBooking, shipment, rent },
};

function shipment(context) {
  const { random } = context;
  const one = createShipment(context);
  let time = officeTime(random, context.span);
  const quotes = Array.from({ length: 2 + random.below(3) }, () => {
    time += random.next() * 2 * HOUR;
    return quote(context, one, time);
  });
  if (random.chance(0.25)) return;
  const chosen = random.pick(quotes);
  Object.assign(one, { carrier: chosen.carrier, booking: `${chosen.carrier}${digits(random, 9)}` });
  time += lag(random, 6, 0.8);
  const cause = accept(context, one, chosen, time);
  const sailed = time + (4 + random.below(12)) * DAY;
  track(context, one, sailed + random.next() * DAY);
  if (random.chance(0.6)) track(context, one, sailed + (6 + random.next() * 9) * DAY);
  const landed = sailed + (18 + random.below(14)) * DAY;
  line(context, one, { code: 'OFR', text: 'Ocean freight', cost: chosen.price, at: sailed, cause });
  if (random.chance(0.6)) {
    const cost = Math.round(chosen.price * (0.04 + 0.08 * random.next()));
    line(context, one, { code: 'BAF', text: 'Bunker adjustment', cost, at: sailed, cause });
  }
  if (random.chance(0.35)) delay(context, one, landed);
}

function createShipment({ random }) {
  return {
    number: `SHP-${digits(random, 6)}`,
    client: `Client ${random.code(4)}`,
    lane: random.pick(LANES),
    container: `${random.pick(['MSKU', 'TCLU', 'HLBU'])}${digits(random, 7)}`,
  };
}

function quote({ world, random }, one, time) {
  const carrier = random.pick(CARRIERS);
  const price = cents(random, 2400, 0.4);
  const number = `Q${digits(random, 7)}`;
  world.decide({
    agent: 'rate-agent',
    action: 'request_quote',
    time,
    holds: [one.number, number],
    metadata: { ...runNoise(random), shipment: one.number },
    inputs: { lane: one.lane, carrier, equipment: '40HC' },
    outputs: { quote_no: number, rate: { amount: price / 100, currency: 'USD' } },
  });
  return { carrier, price, number };
}

function accept({ world, random }, one, { number, carrier }, time) {
  return world.decide({
    agent: random.pick(['booking-agent', 'booking-agent-asia']),
    action: 'accept_quote',
    time,
    isHidden: random.chance(0.05),
    holds: [one.number, number, one.booking],
    transaction: one.number,
    metadata: { ...runNoise(random), shipment: one.number },
    inputs: { quote_no: number, carrier, client: one.client },
    outputs: { state: 'booked', booking_no: one.booking },
  });
}

/** Knows the container, and moves nothing. */
function track({ world, random }, one, time) {
  world.decide({
    agent: 'tracking-agent',
    action: 'assess_eta',
    time,
    holds: [one.booking, one.container],
    metadata: runNoise(random),
    inputs: { booking: one.booking, container: one.container },
    outputs: { eta_days: 5 + random.below(25), advise_client: random.chance(0.3) },
  });
}

/** The port was congested, or the consignee late. */
function delay(context, one, landed) {
  const { random } = context;
  const days = 1 + random.below(9);
  const charges = [
    { code: 'DEM', text: `Demurrage ${days} days`, cost: days * 8500 },
    { code: 'DET', text: `Detention ${days} days`, cost: days * 6000 },
  ];
  for (const charge of random.chance(0.3) ? charges : [random.pick(charges)]) {
    line(context, one, { ...charge, at: landed + days * DAY, cause: null });
  }
}

/** Some clients book with the carrier themselves, on the account of the forwarder. */
function ownBooking(context) {
  const { random } = context;
  const carrier = random.pick(CARRIERS);
  const one = { ...createShipment(context), carrier, booking: `${carrier}${digits(random, 9)}` };
  const at = officeTime(random, context.span) + 20 * DAY;
  const cost = cents(random, 2400, 0.4);
  line(context, one, { code: 'OFR', text: 'Ocean freight', cost, at, cause: null });
}

/** A line of the next fortnightly invoice of the carrier. */
function line(context, one, { code, text, cost, at, cause }) {
  const { random } = context;
  const invoice = invoiceOf(context, one.carrier, at);
  const way = random.next();
  const named =
    way < 0.45
      ? { booking_ref: `${one.carrier}-${one.booking.slice(4)}` }
      : way < 0.85
        ? { reference: `B/L ${one.booking} ${one.lane}` }
        : { equipment_no: one.container };
  book(context, invoice, {
    cost,
    cause,
    line: { charge_code: code, description: text, ...named },
    holds: [way < 0.85 ? one.booking : one.container],
  });
}

function invoiceOf(context, carrier, at) {
  const { random, invoices } = context;
  const due = START + Math.ceil((at - START) / TERM) * TERM + CARRIERS.indexOf(carrier) * DAY;
  const key = `${carrier} ${due}`;
  if (!invoices.has(key)) {
    const invoice = {
      number: `${carrier.slice(0, 2)}${digits(random, 8)}`,
      carrier,
      due,
      lines: 0,
    };
    invoices.set(key, invoice);
    const text = { charge_code: 'ADM', description: 'Invoice processing' };
    book(context, invoice, { cost: ADMIN_FEE, cause: null, line: text, holds: [] });
  }
  return invoices.get(key);
}

function book({ world, random }, invoice, { cost, cause, line, holds }) {
  invoice.lines += 1;
  world.event({
    source: 'carrier-edi',
    type: 'carrier_charge',
    id: `${invoice.number}/${invoice.lines}`,
    amount: -cost,
    time: invoice.due,
    recorded: invoice.due + 30 * HOUR,
    cause,
    metadata: {
      ...sourceNoise(random),
      invoice_no: invoice.number,
      carrier: invoice.carrier,
      ...line,
    },
    holds,
  });
}

function rent({ world, random, span }) {
  world.event({
    source: 'erp-payables',
    type: 'supplier_invoice',
    amount: -random.pick([184_000, 92_500]),
    time: officeTime(random, span),
    metadata: { ...sourceNoise(random), supplier: 'Hafenlager Nord', purpose: 'Warehouse rent' },
  });
}
