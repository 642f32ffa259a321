// A hotel posts by room number, and every few days the same room is another guest's.
import { decimal } from '../money.js';
import { digits, runNoise, sourceNoise } from '../noise.js';
import { DAY, dayOf, HOUR, midnight, officeTime } from '../time.js';

/** What agents grant or sell: transaction code of the posting, sign, list price in cents, part of the stay. */
const SALES = {
  upsell_room: { code: '1010', sign: 1, prices: [3000, 4500, 6000] },
  book_treatment: { code: '2105', sign: 1, prices: [8900, 12_000, 14_500] },
  late_checkout: { code: '1030', sign: 1, prices: [3500] },
  waive_charge: { code: '9004', sign: -1, prices: [1900, 2500, 3500] },
};
const OWN = ['3001', '3001', '3012', '2105', '2105'];
const TALK = ['answer_guest', 'wake_up_call', 'housekeeping.request'];
const NIGHT_AUDIT = 2.5 * HOUR;

export const hotel = {
  member: (random, at) => ({
    name: `${1 + Math.floor(at / 20)}${String(101 + (at % 20))}`,
    free: officeTime(random, 8 * DAY),
  }),
  stories: { turn },
};

/** The next stay in each room. */
function turn(context) {
  for (const room of context.members) room.free = stay(context, room.name, room.free);
}

/** One stay. @returns {number} when the next may begin */
function stay(context, room, earliest) {
  const { random } = context;
  const nights = 1 + random.below(6);
  const arrival = midnight(earliest) + 15 * HOUR;
  const departure = midnight(arrival) + nights * DAY + 11 * HOUR;
  const one = {
    room,
    folio: digits(random, 8),
    arrival,
    departure,
    language: random.pick(['de', 'en', 'fr']),
  };
  for (const action of Object.keys(SALES)) if (random.chance(0.25)) sell(context, one, action);
  for (let left = random.geometric(0.9); left > 0; left--) {
    talk(context, one, arrival + random.next() * (departure - arrival));
  }
  for (let left = random.geometric(0.7); left > 0; left--) own(context, one);
  return departure + random.below(3) * DAY;
}

/** An offer, perhaps declined first; charged at the night audit of the day. */
function sell(context, one, action) {
  const { random } = context;
  const { code, sign, prices } = SALES[action];
  const price = random.pick(prices);
  const time =
    action === 'late_checkout'
      ? one.departure - (3 + 12 * random.next()) * HOUR
      : during(random, one);
  if (random.chance(0.2)) {
    decide(context, one, {
      action,
      time: time - HOUR,
      outputs: { accepted: false, offered: decimal(price) },
    });
  }
  const outputs = { accepted: true, ...(random.chance(0.6) ? { price: price / 100 } : {}) };
  const cause = decide(context, one, { action, time, outputs, isHidden: random.chance(0.05) });
  if (random.chance(0.05)) return;
  post(context, one, { code, amount: sign * price, time, cause });
}

/** Within the stay, and before the last evening. */
const during = (random, { arrival, departure }) =>
  arrival + random.next() * Math.max(2 * HOUR, departure - arrival - 14 * HOUR);

function talk(context, one, time) {
  const outputs = { reply: one.language === 'de' ? 'Sehr gerne.' : 'Avec plaisir.' };
  decide(context, one, { action: context.random.pick(TALK), time, outputs });
}

function decide({ world, random }, one, { action, time, outputs, isHidden = false }) {
  const states = random.chance(0.5);
  return world.decide({
    agent: random.pick(['concierge-bot', 'frontdesk-bot']),
    action,
    time,
    isHidden,
    holds: [one.room, ...(states ? [one.folio] : [])],
    metadata: { ...runNoise(random), property: 'MUC1', room: one.room },
    inputs: {
      guest: { lang: one.language, ...(states ? { confirmation: one.folio } : {}) },
      stay: { arrival: dayOf(one.arrival), departure: dayOf(one.departure) },
    },
    outputs,
  });
}

/** Minibar, restaurant, or a treatment booked at the desk: no agent had a part in it. */
function own(context, one) {
  const { random } = context;
  const code = random.pick(OWN);
  const amount =
    code === '2105' ? random.pick(SALES.book_treatment.prices) : 300 + random.below(7000);
  post(context, one, { code, amount, time: during(random, one), cause: null });
}

/** Posted by the next night audit, dated when it ran. */
function post({ world, random }, one, { code, amount, time, cause }) {
  const day = midnight(time);
  const audit = day + DAY + NIGHT_AUDIT;
  const names = random.chance(0.35);
  world.event({
    type: `trx.${code}`,
    id: null,
    amount,
    time: audit,
    recorded: audit + 20 * 60_000,
    cause,
    metadata: {
      ...sourceNoise(random),
      property: 'MUC1',
      room_no: one.room,
      business_date: dayOf(day),
      ...(names ? { confirmation_no: one.folio } : {}),
    },
    holds: names ? [one.room, one.folio] : [one.room],
  });
}
