// Energy trades settle on stated dates; a deal number is unique in its book only, and settlements state the two apart.
import { decimal } from '../money.js';
import { book, runNoise } from '../noise.js';
import { DAY, dayOf, HOUR, lag, officeTime, START } from '../time.js';

const BOOKS = ['PWR-DE', 'PWR-FR', 'GAS-TTF', 'GAS-NBP'];
const PARTNERS = ['Statkern', 'Uniwatt', 'Axpower', 'Nordgas'];
const WEEK = 7 * DAY;
/** Cents for a MWh handled. */
const BROKERAGE = 4;

export const energy = {
  prepare: ({ random }) => {
    const first = 1000 + random.below(7000);
    return { books: BOOKS.map((code) => ({ code, next: first + random.below(20) })) };
  },
  stories: { deal, voiceDeal, charge },
};

/** Numbers are given in sequence within a book, by agents and voice desk alike. */
function newDeal({ world, random, span, size }, book) {
  book.next += 1;
  const weeks = Math.floor((world.count() / size) * (span / WEEK));
  const traded = officeTime(random, WEEK) + weeks * WEEK;
  return {
    book: book.code,
    number: String(book.next),
    partner: random.pick(PARTNERS),
    isBuy: random.chance(0.5),
    volume: 10 * (5 + random.below(300)),
    price: 3000 + random.below(7000),
    traded,
    settles: settlementOf(traded, random.below(3)),
  };
}

/** The 20th of the month after delivery, which begins with the next month or later. */
function settlementOf(traded, later) {
  const date = new Date(traded);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 2 + later, 20);
}

function deal(context) {
  const { random } = context;
  const book = random.pick(context.books);
  if (random.chance(0.4)) forecast(context, book);
  const one = newDeal(context, book);
  if (random.chance(0.15)) {
    trade(context, one, one.traded - HOUR, { status: 'rejected', reason: 'limit of partner' }, []);
  }
  const outputs = {
    status: 'executed',
    deal: `${one.book}/${one.number.padStart(7, '0')}`,
    settlement: dayOf(one.settles),
    ...(random.chance(0.5) ? { notional: decimal(one.volume * one.price) } : {}),
  };
  const isHidden = random.chance(0.04);
  const cause = trade(context, one, one.traded, outputs, [keyOf(one)], isHidden);
  if (random.chance(0.1)) {
    follow(context, one, 'cancel_trade', one.traded + lag(random, 20, 0.8));
    return;
  }
  brokerage(context, one, cause);
  for (let left = random.below(3); left > 0; left--) {
    const time = one.settles - (1 + random.next() * 25) * DAY;
    if (time > one.traded) follow(context, one, 'nominate_volume', time);
  }
  settle(context, one, cause);
}

/** People trade by telephone in the same books. */
function voiceDeal(context) {
  const book = context.random.pick(context.books);
  const one = newDeal(context, book);
  if (context.random.chance(0.5)) brokerage(context, one, null);
  settle(context, one, null);
}

function trade({ world, random }, one, time, outputs, holds, isHidden = false) {
  return world.decide({
    agent: one.book.startsWith('PWR') ? 'power-trader' : 'gas-trader',
    action: 'execute_trade',
    time,
    isHidden,
    holds,
    metadata: { ...runNoise(random), strategy: random.pick(['hedge', 'spread', 'balance']) },
    inputs: {
      book: one.book,
      side: one.isBuy ? 'buy' : 'sell',
      counterparty: one.partner,
      volume_mwh: one.volume,
      price_per_mwh: one.price / 100,
    },
    outputs,
  });
}

function follow({ world, random }, one, action, time) {
  world.decide({
    agent: 'scheduling-agent',
    action,
    time,
    holds: [keyOf(one)],
    metadata: runNoise(random),
    inputs: { trade: `${one.book}/${one.number.padStart(7, '0')}`, volume_mwh: one.volume },
    outputs: { accepted: true },
  });
}

function forecast({ world, random, span }, book) {
  world.decide({
    agent: 'forecast-agent',
    action: 'forecast_load',
    time: officeTime(random, span),
    metadata: runNoise(random),
    inputs: { book: book.code, horizon_h: 36 },
    outputs: { load_mwh: 10 * random.below(400), price_view: random.pick(['up', 'flat', 'down']) },
  });
}

const keyOf = ({ book, number }) => `${book}/${number}`;

function settle(context, one, cause) {
  book(context, {
    type: 'settlement',
    amount: (one.isBuy ? -1 : 1) * one.volume * one.price,
    time: one.settles,
    cause,
    metadata: {
      ...spelling(context, one),
      counterparty: one.partner,
      delivery: dayOf(one.settles - 25 * DAY).slice(0, 7),
    },
    holds: [keyOf(one)],
  });
}

function brokerage(context, one, cause) {
  book(context, {
    type: 'brokerage',
    amount: -one.volume * BROKERAGE,
    time: one.traded + (1 + 2 * context.random.next()) * DAY,
    cause,
    metadata: spelling(context, one),
    holds: [keyOf(one)],
  });
}

/** Two fields, one reference with a prefix, or one word. */
function spelling({ random }, { book, number }) {
  const way = random.next();
  if (way < 0.6) return { book, deal: { number, leg: 1 } };
  if (way < 0.85) return { reference: `TRD:${book}:${number}` };
  return {
    text: `Settlement ${book.replace('-', '')}${number.padStart(7, '0')} acc. to confirmation`,
  };
}

/** What the grid and the exchange charge day by day. */
function charge(context) {
  const { random } = context;
  const { code } = random.pick(context.books);
  const day = START + Math.floor((random.next() * (context.span + 60 * DAY)) / DAY) * DAY;
  const [type, amount] = random.pick([
    ['imbalance', Math.round(400_000 * random.normal())],
    ['imbalance', Math.round(400_000 * random.normal())],
    ['margin_interest', -500 - random.below(60_000)],
    ['grid_fee', -1_250_000],
  ]);
  book(context, { type, amount, time: day, cause: null, metadata: { book: code }, holds: [] });
}
