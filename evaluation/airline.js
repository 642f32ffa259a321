// Decisions of a real agent, from a folder of the user, and variations of their payments.
import { inTime, readData, toWorld } from './data.js';
import { createRandom } from './random.js';

const HOUR = 3_600_000;
const UNRELATED = 50;
const DESCRIPTION = 'Decisions of a real agent, as given and with redrawn delays and identifiers';

/**
 * The data as given for the first seed, a variation of it for each other one.
 * @param {string} folder
 * @param {number} seed
 * @param {readonly string[]} caseKeys as for readData
 * @returns {import('./worlds/builder.js').World}
 */
export function airlineWorld(folder, seed, caseKeys) {
  const given = readData(folder, caseKeys);
  const data = seed === 1 ? given : perturb(given, seed - 1);
  return toWorld('airline', DESCRIPTION, data);
}

/**
 * The same decisions and payments with other delays, other missing identifiers, and other payments
 * without a cause: most from strangers, every fifth from a known customer.
 * @param {import('./data.js').Data} airline
 * @param {number} seed
 */
function perturb({ decisions, events, cases }, seed) {
  const random = createRandom(seed);
  const byRef = new Map(decisions.map((decision) => [decision.ref, decision]));
  const delay = 0.2 + 2 * random.next();
  const caused = events
    .filter(({ cause }) => cause !== null)
    .map((event) => {
      const decision = byRef.get(event.cause);
      const metadata = { ...namesIn(decision), ...event.metadata };
      return {
        ...event,
        external_id: `pay_${random.code(12).toLowerCase()}`,
        timestamp: decision.timestamp + random.logNormal(delay, 1) * HOUR,
        metadata: without(random, metadata),
      };
    });
  const unrelated = Array.from({ length: UNRELATED }, (_, index) =>
    unrelatedEvent(random, decisions, index % 5 === 0),
  );
  return { decisions, events: [...caused, ...unrelated].sort(inTime), cases };
}

/** The customer and the reservation of a decision. */
function namesIn({ metadata, inputs, outputs }) {
  const places = [metadata, outputs, inputs?.arguments];
  const find = (name) => places.map((place) => place?.[name]).find((value) => value !== undefined);
  const names = {
    customer_id: find('customer_id') ?? find('user_id'),
    reservation_id: find('reservation_id'),
  };
  return Object.fromEntries(Object.entries(names).filter(([, value]) => value !== undefined));
}

function without(random, metadata) {
  const rest = { ...metadata };
  const dropped = [
    ...(random.chance(1 / 3) ? ['reservation_id'] : []),
    ...(random.chance(0.1) ? ['customer_id'] : []),
  ];
  return Object.fromEntries(Object.entries(rest).filter(([name]) => !dropped.includes(name)));
}

function unrelatedEvent(random, decisions, isKnown) {
  const [start, end] = [decisions[0].timestamp, decisions.at(-1).timestamp];
  const known = decisions.flatMap(({ metadata }) => metadata.customer_id ?? []);
  const cents = 100 * Math.max(50, Math.round(random.logNormal(700, 0.8)));
  return {
    source: 'payments',
    event_type: 'payment',
    external_id: `pay_${random.code(12).toLowerCase()}`,
    amount: `${cents / 100}.00`,
    currency: 'USD',
    timestamp: start + random.next() * (end - start),
    cause: null,
    metadata: {
      customer_id: isKnown ? random.pick(known) : `stranger_${random.code(6).toLowerCase()}`,
      payment_id: `${random.pick(['credit_card', 'gift_card'])}_${1000000 + random.below(9000000)}`,
      reservation_id: random.code(6),
    },
  };
}
