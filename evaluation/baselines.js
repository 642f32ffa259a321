// Three methods that need no model. Each names one decision for an event, or none.
import { inOrder } from './method.js';

const DAY = 24 * 3_600_000;

/** The latest decision before the event. @type {import('./method.js').Method} */
const lastTouch = {
  name: 'last touch',
  learns: false,
  run: (world) => runBaseline(world, { candidates: ({ all }) => all.slice(-200), order: [] }),
};

/** The latest decision that shares an identifier. @type {import('./method.js').Method} */
const sameId = {
  name: 'same id',
  learns: false,
  run: (world) => runBaseline(world, { candidates: sharing, order: [] }),
};

/** The most equal identifiers, then the equal amount, then the latest. @type {import('./method.js').Method} */
const join = {
  name: 'join',
  learns: false,
  run: (world) =>
    runBaseline(world, {
      candidates: sharing,
      order: [
        ({ shared }) => shared,
        ({ entry }, { amount }) => Number(entry.amounts.has(Math.abs(Number(amount)))),
      ],
    }),
};

/** @type {import('./method.js').Method[]} */
export const BASELINES = [lastTouch, sameId, join];

function runBaseline(world, { candidates, order }) {
  const known = { all: [], byId: new Map() };
  const outcomes = [];
  for (const { decision, event } of inOrder(world)) {
    if (event === undefined) remember(known, decision);
    else outcomes.push(name(event, candidates(known, event), order));
  }
  return outcomes;
}

function remember({ all, byId }, decision) {
  const { ids, amounts } = scalarsOf(decision);
  const entry = { decision, amounts };
  all.push({ entry, shared: 0 });
  for (const id of ids) {
    if (!byId.has(id)) byId.set(id, []);
    byId.get(id).push(entry);
  }
}

/** Every decision with an identifier of the event, and how many. */
function sharing({ byId }, { metadata, external_id }) {
  const counts = new Map();
  for (const id of scalarsOf({ metadata, external_id }).ids) {
    for (const entry of byId.get(id) ?? []) counts.set(entry, (counts.get(entry) ?? 0) + 1);
  }
  return [...counts].map(([entry, shared]) => ({ entry, shared }));
}

function name(event, candidates, order) {
  // A midnight means its day: this is to the baselines' advantage.
  const until = event.timestamp % DAY === 0 ? event.timestamp + DAY - 1 : event.timestamp;
  let best;
  for (const candidate of candidates) {
    if (candidate.entry.decision.timestamp > until) continue;
    if (best === undefined || isBetter(candidate, best, event, order)) best = candidate;
  }
  if (best === undefined) return { event, ranked: [], suggested: [], none: 1 };
  const only = { ref: best.entry.decision.ref, share: 1 };
  return { event, ranked: [only], suggested: [{ ...only, label: 'matched' }], none: 0 };
}

/** The later of two equals is better. */
function isBetter(one, best, event, order) {
  for (const value of order) {
    const difference = value(one, event) - value(best, event);
    if (difference !== 0) return difference > 0;
  }
  return one.entry.decision.timestamp >= best.entry.decision.timestamp;
}

/** The identifiers and numbers of a payload, exactly as they stand. */
function scalarsOf({ metadata, inputs, outputs, alternatives, external_id }) {
  const ids = new Set();
  const amounts = new Set();
  const walk = (value) => {
    if (typeof value === 'object' && value !== null) Object.values(value).forEach(walk);
    else if (isIdentifier(String(value))) ids.add(String(value));
    if ((typeof value === 'string' || typeof value === 'number') && value !== '') {
      if (Number.isFinite(Number(value))) amounts.add(Math.abs(Number(value)));
    }
  };
  [metadata, inputs, outputs, alternatives, external_id].forEach(walk);
  return { ids, amounts };
}

/** A value of four or more characters with a digit or an @; neither a date nor a number with decimals. */
function isIdentifier(text) {
  return /^(?=.*[\d@]).{4,100}$/.test(text) && !/^-?\d+\.\d+$|^\d{4}-\d\d-\d\d/.test(text);
}
