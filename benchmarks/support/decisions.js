/** Decisions of an airline's support agent, about 1.1 kB each; a seed always gives the same decisions. */

const AGENTS = 20;
const ACTIONS = [
  'book_reservation',
  'cancel_reservation',
  'update_reservation_flights',
  'send_certificate',
];
const AIRPORTS = ['JFK', 'SEA', 'ATL', 'CLT', 'DEN', 'ORD', 'SFO', 'MIA', 'PHX', 'LAS'];
const PEOPLE = ['mia_li', 'omar_davis', 'sofia_kim', 'ivan_rossi', 'noah_patel', 'lei_brown'];

/** @param {number} index */
export const agentName = (index) => `airline-support/team-${index % AGENTS}`;

/**
 * @param {number} seed
 * @returns {(below: number) => number}
 */
function generator(seed) {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

/**
 * @param {number} count
 * @param {{ seed?: number, timestamps?: boolean }} [options] timestamps: dated by the client, one
 *   millisecond apart, up to now
 */
export function decisions(count, { seed = 1, timestamps = true } = {}) {
  const random = generator(seed);
  const first = Date.now() - count;
  return Array.from({ length: count }, (_, index) => ({
    ...decision(random, index),
    ...(timestamps && { timestamp: new Date(first + index).toISOString() }),
  }));
}

/**
 * An endless sequence of decisions.
 * @param {number} seed
 */
export function decisionStream(seed) {
  const random = generator(seed);
  let index = 0;
  return () => decision(random, index++);
}

/**
 * @param {(below: number) => number} random
 * @param {number} index
 */
function decision(random, index) {
  const user = `${PEOPLE[random(PEOPLE.length)]}_${1000 + random(9000)}`;
  const reservation = code(random);
  const [origin, via, destination] = [airport(random), airport(random), airport(random)];
  const prices = [50 + random(300), 50 + random(300)];
  const total = prices[0] + prices[1];
  const day = String(10 + random(19));
  const flights = [flightNumber(random), flightNumber(random)];
  const action = ACTIONS[random(ACTIONS.length)];
  return {
    agent_id: agentName(index),
    action_type: action,
    inputs: {
      request: 'Yes, please change all of them to economy class, and keep the return as it is.',
      arguments: {
        user_id: user,
        cabin: 'economy',
        flight_type: 'one_way',
        flights: flights.map((number) => ({ date: `2026-05-${day}`, flight_number: number })),
        insurance: 'no',
        passengers: [{ first_name: 'Mia', last_name: 'Li', dob: '1990-04-05' }],
        payment_methods: [{ payment_id: `credit_card_${random(10_000_000)}`, amount: total }],
        total_baggages: random(4),
      },
    },
    outputs: {
      failed: false,
      reservation_id: reservation,
      created_at: '2026-05-15T15:00:00',
      flights: [
        flight(flights[0], origin, via, prices[0], day),
        flight(flights[1], via, destination, prices[1], day),
      ],
    },
    confidence: (50 + random(51)) / 100,
    alternatives: [{ action_type: 'transfer_to_human', chosen_in_trials: 1, subject: reservation }],
    human_in_loop: random(4) === 0,
    metadata: {
      conversation_id: `task-${random(100)}-trial-${random(4)}`,
      customer_id: user,
      reservation_id: reservation,
      trial: random(4),
    },
  };
}

/** @param {(below: number) => number} random */
const airport = (random) => AIRPORTS[random(AIRPORTS.length)];

/** @param {(below: number) => number} random */
const flightNumber = (random) => `HAT${String(random(1000)).padStart(3, '0')}`;

/** @param {(below: number) => number} random */
const code = (random) =>
  Array.from({ length: 6 }, () => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'[random(36)]).join('');

/**
 * @param {string} flight_number
 * @param {string} origin
 * @param {string} destination
 * @param {number} price
 * @param {string} day
 */
const flight = (flight_number, origin, destination, price, day) => ({
  flight_number,
  origin,
  destination,
  price,
  date: `2026-05-${day}`,
});
