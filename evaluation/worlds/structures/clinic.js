// Patients return often; what names a visit is the patient and the day that was agreed, long before.
import { book, digits, runNoise } from '../noise.js';
import { DAY, dayOf, HOUR, MINUTE, midnight, officeTime } from '../time.js';

/** Copay and what the insurer pays, in cents. */
const SERVICES = {
  physiotherapy: { copay: 2500, allowed: [6800, 7400] },
  dermatology: { copay: 4000, allowed: [11_800, 14_900] },
  checkup: { copay: 2500, allowed: [9200, 10_400] },
  imaging: { copay: 7500, allowed: [21_000, 38_500] },
};

export const clinic = { stories: { patient } };

function patient(context) {
  const { random } = context;
  const one = {
    record: digits(random, 6),
    member: `XG${digits(random, 9)}`,
    services: [random.pick(Object.keys(SERVICES)), random.pick(Object.keys(SERVICES))],
  };
  let time = officeTime(random, context.span);
  for (let visits = 1 + random.geometric(3); visits > 0; visits--) {
    const kind = random.next();
    if (kind < 0.2) walkIn(context, one, time);
    else appointment(context, one, time);
    if (random.chance(0.35)) pharmacy(context, one, time + random.next() * 20 * DAY);
    time += random.logNormal(18, 0.8) * DAY;
  }
  if (random.chance(0.3)) membership(context, one, time);
}

/** Agreed for a day; some are moved, some are cancelled. */
function appointment(context, one, time) {
  const { random } = context;
  const visit = {
    service: random.pick(one.services),
    number: `APT${digits(random, 7)}`,
    slot: slotAfter(random, time),
  };
  let cause = arrange(context, one, visit, { action: 'book_appointment', time });
  if (random.chance(0.25)) {
    const moved = time + (visit.slot - time) * random.next() * 0.9;
    visit.slot = slotAfter(random, moved);
    cause = arrange(context, one, visit, {
      action: 'reschedule_appointment',
      time: moved,
    });
  }
  remind(context, one, visit, time);
  if (random.chance(0.13)) {
    const before = visit.slot - (2 + 40 * random.next()) * HOUR;
    if (before > time) talk(context, one, visit, 'cancel_appointment', before);
    return;
  }
  attend(context, one, visit, cause);
}

/** A weekday between eight and five, some days or weeks ahead. */
function slotAfter(random, time) {
  const ahead = time + (1.2 + random.logNormal(9, 0.8)) * DAY;
  const day = midnight(ahead);
  return day + 8 * HOUR + 15 * MINUTE * random.below(36);
}

function arrange({ world, random }, one, visit, { action, time }) {
  const { copay } = SERVICES[visit.service];
  return world.decide({
    agent: `scheduler-${1 + random.below(2)}`,
    action,
    time,
    isHidden: random.chance(0.04),
    holds: [one.record, one.member, visit.number],
    metadata: { ...runNoise(random), clinic: 'north' },
    inputs: {
      patient: { mrn: one.record, insurance: { member_id: one.member } },
      service: visit.service,
      ...(random.chance(0.5) ? { copay_due: copay / 100 } : {}),
    },
    outputs: { appointment: visit.number, start: new Date(visit.slot).toISOString() },
  });
}

function remind(context, one, visit, booked) {
  const before = visit.slot - (20 + 8 * context.random.next()) * HOUR;
  if (before > booked) talk(context, one, visit, 'send_reminder', before);
}

/** Touches the visit shortly before it, and makes nobody pay. */
function talk({ world, random }, one, visit, action, time) {
  world.decide({
    agent: 'patient-messenger',
    action,
    time,
    holds: [one.record, visit.number],
    metadata: { ...runNoise(random), clinic: 'north' },
    inputs: { patient: { mrn: one.record }, appointment: visit.number },
    outputs: { sent: true, channel: random.pick(['sms', 'mail']) },
  });
}

function walkIn(context, one, time) {
  const service = context.random.pick(one.services);
  attend(context, one, { service, slot: time + HOUR }, null);
}

/** The copay at the desk, and the insurer's part under its own number. */
function attend(context, one, { service, slot }, cause) {
  const { random } = context;
  const { copay, allowed } = SERVICES[service];
  const name = `MRN-${one.record.padStart(9, '0')}`;
  book(context, {
    source: 'front-desk',
    type: 'patient_payment',
    amount: copay,
    time: slot + random.below(50) * MINUTE,
    cause,
    metadata: { patient: name, terminal: 1 + random.below(3) },
    holds: [one.record],
  });
  if (random.chance(0.2)) return;
  book(context, {
    source: 'clearing-house',
    type: 'insurer_remittance',
    amount: random.pick(allowed),
    time: slot + random.logNormal(32, 0.3) * DAY,
    cause,
    metadata: {
      claim: `8${digits(random, 12)}`,
      subscriber: one.member,
      service_date: usDate(slot),
    },
    holds: [one.member],
  });
}

function pharmacy(context, one, time) {
  const { random } = context;
  const name = `MRN-${one.record.padStart(9, '0')}`;
  const amount = random.chance(0.3) ? 2500 : 300 + random.below(9000);
  book(context, {
    source: 'front-desk',
    type: random.pick(['patient_payment', 'pharmacy_sale']),
    amount,
    time,
    metadata: { patient: name, terminal: 4 },
    holds: [one.record],
  });
}

function membership(context, one, from) {
  const name = `MRN-${one.record.padStart(9, '0')}`;
  for (let month = 1 + context.random.below(4); month > 0; month--) {
    book(context, {
      source: 'card-on-file',
      type: 'membership',
      amount: 2900,
      time: from - month * 30 * DAY,
      metadata: { patient: name },
      holds: [one.record],
    });
  }
}

/** As American insurers write it. */
function usDate(time) {
  const [year, month, day] = dayOf(time).split('-');
  return `${month}/${day}/${year}`;
}
