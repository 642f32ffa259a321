// Selects the candidates of an event like the service: decisions that share a term, and the nearest ones.
import {
  extractFeatures,
  saysItFailed,
} from '#server/domains/judgement/attribution/rules/v1/features';
import { normaliseAmount } from '#server/domains/judgement/attribution/rules/v1/normalise';
import { overlapOf } from '#server/domains/judgement/attribution/rules/v1/overlap';
import { inOrder } from '../method.js';

const HOUR = 3_600_000;
const AFTER = 5 * 60_000;
const HALF_LIVES = 5;
const NEAREST = 50;
const MAX_CANDIDATES = 200;
/** A value is informative if at most one decision in 64 has it. */
const INFORMATIVE_BITS = 6;

/**
 * Adds to each event its candidates and their overlap with it; frequencies are those known at the time of
 * the event.
 * @param {import('../method.js').SeenWorld} world
 * @param {number} halfLifeHours
 */
export function withCandidates(world, halfLifeHours) {
  const index = createIndex();
  const items = [];
  for (const { decision, event } of inOrder(world)) {
    if (event === undefined) index.add(decision);
    else items.push(candidatesOf(index, event, halfLifeHours));
  }
  return items;
}

function candidatesOf(index, event, halfLifeHours) {
  const { metadata, external_id } = event;
  const features = extractFeatures({ metadata, ...(external_id === null ? {} : { external_id }) });
  const amount = normaliseAmount(event.amount);
  const since = event.timestamp - HALF_LIVES * halfLifeHours * HOUR;
  const found = index.find(features, since, event.timestamp + AFTER);
  const candidates = found.chosen.map((entry) => ({
    decision: entry.decision,
    failed: entry.failed,
    overlap: overlapOf(entry.features, features, amount, index.bits),
    hours: (event.timestamp - entry.decision.timestamp) / HOUR,
  }));
  return { event, candidates };
}

function createIndex() {
  const entries = [];
  const counts = new Map();
  const holders = new Map();
  const bits = (kind, text) =>
    Math.log2((entries.length + 1) / ((counts.get(`${kind} ${text}`) ?? 0) + 1));
  return {
    bits,
    add(decision) {
      const features = extractFeatures(decision);
      const entry = { decision, features, failed: saysItFailed(decision.outputs) };
      entries.push(entry);
      for (const term of terms(features)) {
        counts.set(term, (counts.get(term) ?? 0) + 1);
        const list = holders.get(term);
        if (list === undefined) holders.set(term, [entry]);
        else list.push(entry);
      }
    },
    find(features, since, until) {
      const isInTime = ({ decision: { timestamp } }) => timestamp >= since && timestamp <= until;
      const shared = new Set();
      for (const term of searchable(features)) {
        const [kind, text] = [term.slice(0, term.indexOf(' ')), term.slice(term.indexOf(' ') + 1)];
        if (bits(kind, text) < Math.min(INFORMATIVE_BITS, Math.log2(entries.length + 1) / 2))
          continue;
        for (const entry of (holders.get(term) ?? []).slice(-MAX_CANDIDATES)) {
          if (isInTime(entry)) shared.add(entry);
        }
      }
      const nearest = entries
        .slice(-2 * NEAREST)
        .filter(isInTime)
        .slice(-NEAREST);
      const chosen = [...new Set([...[...shared].slice(0, MAX_CANDIDATES - NEAREST), ...nearest])];
      chosen.sort((a, b) => a.decision.timestamp - b.decision.timestamp);
      return { chosen };
    },
  };
}

const searchable = ({ pairs, ids }) => [
  ...[...pairs.values()].map((pair) => `pair ${pair}`),
  ...[...ids.keys()].map((value) => `id ${value}`),
];

const terms = (features) => [
  ...searchable(features),
  ...[...features.amounts].map((amount) => `amount ${amount}`),
];
