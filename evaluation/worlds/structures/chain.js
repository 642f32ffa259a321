// One chain of tool calls, several movements of money: payment, fee, tax, instalments, refund.
import { cents, decimal } from '../money.js';
import { digits, runNoise, sourceNoise, uuid, weighed } from '../noise.js';
import { lag, MINUTE, officeTime } from '../time.js';

const TAX = 0.19;
const FEE = 0.029;

export const chain = { stories: { walkIn, booking } };

function booking(context) {
  const { random } = context;
  const total = cents(random, 450);
  const trip = {
    code: random.code(8),
    session: uuid(random),
    guest: `gast-${digits(random, 5)}`,
    agent: `reise-agent-${1 + random.below(5)}`,
    total,
    time: officeTime(random, context.span),
  };
  const call = (action, inputs, outputs, isHidden = false) => {
    trip.time += random.logNormal(2, 0.9) * MINUTE;
    return step(context, trip, { action, inputs, outputs, isHidden });
  };
  call('angebote_suchen', { ziel: random.pick(['Lissabon', 'Wien', 'Oslo']) }, { treffer: 12 });
  call('preis_berechnen', { buchung: trip.code }, { preis: { brutto: decimal(total) } });
  const booked = call(
    'buchung_anlegen',
    { buchung: trip.code },
    { bestaetigt: true, preis: { brutto: decimal(total), mwst_satz: TAX } },
    random.chance(0.04),
  );
  move(context, trip, {
    type: 'steuer',
    of: -Math.round((total * TAX) / (1 + TAX)),
    hours: 30,
    cause: booked,
  });
  if (random.chance(0.4)) instalments(context, trip, call);
  else pay(context, trip, call);
  call('status_abfragen', { buchung: trip.code }, { stand: 'aktiv', preis: decimal(total) });
  if (random.chance(0.2)) {
    trip.time += lag(random, 60, 0.7);
    const back = random.chance(0.5) ? total : Math.round(total * 0.8);
    const cause = call('stornieren', { buchung: trip.code }, { erstattung: back / 100 });
    move(context, trip, { type: 'erstattung', of: -back, hours: 50, cause });
    call('status_abfragen', { buchung: trip.code }, { stand: 'storniert' });
  }
}

/** One payment and its fee. */
function pay(context, trip, call) {
  const { total } = trip;
  const cause = call(
    'zahlungEinziehen',
    { buchung: trip.code },
    { betrag: decimal(total), ok: true },
  );
  move(context, trip, { type: 'zahlung', of: total, hours: 1, cause });
  move(context, trip, { type: 'gebuehr', of: -Math.round(total * FEE + 30), hours: 1.2, cause });
}

/** Three parts, a month apart. */
function instalments(context, trip, call) {
  const { total } = trip;
  const part = Math.floor(total / 3);
  const plan = { raten: 3, rate: decimal(part), summe: decimal(total) };
  const cause = call('RatenplanErstellen', { buchung: trip.code }, plan);
  for (let month = 0; month < 3; month++) {
    const of = month === 0 ? total - 2 * part : part;
    move(context, trip, { type: 'rate', of, hours: 24 + month * 30 * 24, cause });
  }
}

function step({ world, random }, trip, { action, inputs, outputs, isHidden }) {
  return world.decide({
    agent: trip.agent,
    action,
    time: trip.time,
    isHidden,
    holds: [trip.guest, ...(inputs.buchung === undefined ? [] : [trip.code])],
    metadata: { ...runNoise(random), session: trip.session, gast: trip.guest },
    inputs: { werkzeug: action, parameter: inputs },
    outputs,
    alternatives: random.chance(0.3) ? weighed(random, action, ['nachfragen']) : [],
  });
}

function move({ world, random }, trip, { type, of, hours, cause }) {
  const named = random.chance(0.9);
  world.event({
    type,
    id: `tx-${digits(random, 10)}`,
    amount: of,
    time: trip.time + lag(random, hours, 0.5),
    cause,
    metadata: {
      ...sourceNoise(random),
      ...(named ? { buchungscode: trip.code } : { kunde: trip.guest }),
    },
    holds: named ? [trip.code] : [trip.guest],
  });
}

/** Paid at the counter: a booking that no agent saw. */
function walkIn(context) {
  const { random, span } = context;
  const trip = {
    code: random.code(8),
    guest: `gast-${digits(random, 5)}`,
    time: officeTime(random, span),
  };
  const total = cents(random, 450);
  move(context, trip, { type: 'zahlung', of: total, hours: 1, cause: null });
  move(context, trip, {
    type: 'gebuehr',
    of: -Math.round(total * FEE + 30),
    hours: 1.2,
    cause: null,
  });
}
