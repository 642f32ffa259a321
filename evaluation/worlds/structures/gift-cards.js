// Gift cards come back months after their issue, in parts; most were bought at a till and no agent issued them.
import { digits, runNoise, sourceNoise } from '../noise.js';
import { DAY, dayOf, HOUR, MINUTE, officeTime } from '../time.js';

const VALUES = [1000, 1500, 2500, 5000, 10_000];
const LONGEST = 380 * DAY;
const MONTH = 30 * DAY;

export const giftCards = {
  prepare: ({ random }) => ({
    serial: { next: 7_000_000_000 + random.below(900_000_000) },
    months: 0,
  }),
  stories: { sold, granted, staffOrder, breakage },
};

function newCard({ random, serial }, value, issued) {
  serial.next += 1 + random.below(5);
  const pan = `6039${digits(random, 12)}`;
  return { serial: String(serial.next), pan, value, issued };
}

/** An apology, or thanks for a review. */
function granted(context) {
  const { world, random } = context;
  const time = officeTime(random, context.span);
  const card = newCard(context, random.pick(VALUES), time);
  if (random.chance(0.25)) {
    world.decide({
      agent: 'care-agent-2',
      action: 'issue_gift_card',
      time: time - 3 * HOUR,
      metadata: runNoise(random),
      inputs: { reason: 'goodwill', requested: card.value / 100 },
      outputs: { granted: false, reason: 'limit of the quarter reached' },
    });
  }
  const cause = world.decide({
    agent: `care-agent-${1 + random.below(3)}`,
    action: 'issue_gift_card',
    time,
    isHidden: random.chance(0.04),
    holds: [card.pan, card.serial],
    metadata: { ...runNoise(random), channel: random.pick(['chat', 'mail']) },
    inputs: { reason: random.pick(['late delivery', 'damaged parcel', 'review']) },
    outputs: {
      granted: true,
      card: { number: spaced(card.pan), serial: card.serial, value: card.value / 100 },
    },
  });
  redeem(context, card, cause);
}

/** One decision issues a run of cards for the staff of a business customer. */
function staffOrder(context) {
  const { world, random, serial } = context;
  const time = officeTime(random, context.span);
  const value = random.pick(VALUES);
  const count = 5 + random.below(11);
  serial.next += 1;
  const first = serial.next;
  serial.next += count;
  const cause = world.decide({
    agent: 'b2b-agent',
    action: 'release_card_order',
    time,
    holds: [String(first), String(first + count - 1)],
    metadata: { ...runNoise(random), account: `B2B-${digits(random, 5)}` },
    inputs: { cards: count, value_each: value / 100 },
    outputs: { serial_from: String(first), serial_to: String(first + count - 1) },
  });
  for (let at = 0; at < count; at++) {
    const card = { serial: String(first + at), pan: `6039${digits(random, 12)}`, value };
    if (random.chance(0.5)) redeem(context, { ...card, issued: time }, cause);
  }
}

/** Bought by a customer at a till: the sale and the redemption are nobody's decision. */
function sold(context) {
  const { random } = context;
  const time = officeTime(random, context.span);
  const card = newCard(context, random.pick(VALUES), time);
  if (random.chance(0.5)) {
    book(context, {
      type: 'GC_SALE',
      amount: card.value,
      time,
      metadata: { serial: card.serial },
      holds: [card.serial],
    });
  }
  redeem(context, card, null);
}

/** One to three parts; the holder may ask for the balance shortly before. */
function redeem(context, card, cause) {
  const { random } = context;
  let left = card.value;
  let time = card.issued;
  for (let parts = 1 + random.below(3); parts > 0 && left > 0; parts--) {
    time += HOUR + random.logNormal(45, 0.9) * DAY;
    if (time > card.issued + LONGEST || random.chance(0.12)) return;
    const part = parts === 1 ? left : Math.min(left, 100 + random.below(card.value));
    left -= part;
    if (random.chance(0.3)) balance(context, card, time - (5 + random.below(90)) * MINUTE);
    const isMasked = random.chance(0.2);
    book(context, {
      type: 'GC_REDEEM',
      amount: -part,
      time,
      cause,
      metadata: isMasked ? masked(card) : { serial: card.serial, tender: 'gift card' },
      holds: isMasked ? [] : [card.serial],
    });
  }
}

const masked = ({ pan, value, issued }) => ({
  card: `************${pan.slice(-4)}`,
  face_value: value / 100,
  issued_on: dayOf(issued),
});

function balance({ world, random }, card, time) {
  world.decide({
    agent: 'chat-agent',
    action: random.pick(['check_balance', 'explain_terms']),
    time,
    holds: [card.pan, card.serial],
    metadata: runNoise(random),
    inputs: { card_number: card.pan, serial: card.serial },
    outputs: { active: true, expires: dayOf(card.issued + 730 * DAY) },
  });
}

/** The estimate for the cards that never come back, for the whole programme. */
function breakage(context) {
  context.months += 1;
  book(context, {
    type: 'GC_BREAKAGE',
    amount: 20_000 + context.random.below(60_000),
    time: Math.min(context.months * MONTH, context.span) + Date.UTC(2025, 0, 31),
    metadata: { programme: 'UK-01', basis: 'estimate' },
    holds: [],
  });
}

function book({ world, random }, { type, amount, time, cause = null, metadata, holds }) {
  world.event({
    type,
    amount,
    time,
    cause,
    metadata: { ...sourceNoise(random), store: 100 + random.below(40), ...metadata },
    holds,
  });
}

const spaced = (pan) => pan.replace(/(\d{4})(?=\d)/g, '$1 ');
