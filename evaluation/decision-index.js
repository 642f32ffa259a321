// Finds the candidates of an event as the service does: by identifiers, by the amount, and the nearest.
import { mostStating } from '#server/domains/judgement/attribution/candidates';
import {
  AFTER_EVENT_MS,
  HOLDER_REACH_DAYS,
  MAX_HOLDERS,
  MAX_NEAREST,
  MAX_STATING,
} from '#server/domains/judgement/attribution/rules/compared';
import {
  extractFeatures,
  saysItFailed,
} from '#server/domains/judgement/attribution/rules/features';
import {
  countedTokens,
  hashFeatures,
  idTokens,
  lookupTokens,
  moneyTokens,
} from '#server/domains/judgement/attribution/rules/hashed';
import { linksOf } from '#server/domains/judgement/attribution/rules/linked';

/** The most identifiers that the service looks up for one event, the rarest. */
const MAX_IDS = 48;
const REACH = HOLDER_REACH_DAYS * 24 * 3_600_000;
const extracted = new WeakMap();

/** @param {string} ledgerId */
export function createIndex(ledgerId) {
  const all = [];
  const byToken = new Map();
  const holders = new Map();
  return {
    add(decision) {
      const entry = { ...prepare(ledgerId, decision), place: all.length };
      all.push(entry);
      for (const token of countedTokens(entry.features)) {
        byToken.set(token, (byToken.get(token) ?? 0) + 1);
      }
      for (const token of [...lookupTokens(entry.features), ...moneyTokens(entry.features)]) {
        const list = holders.get(token);
        if (list === undefined) holders.set(token, [entry]);
        else list.push(entry);
      }
    },
    /**
     * @param {import('#server/domains/judgement/attribution/rules/compared').ComparedEvent} event
     * @param {number} window ms; how far back decisions are found by the amount
     */
    find(event, window) {
      const { interval, features } = event;
      const until = interval.to + AFTER_EVENT_MS;
      const isNear = ({ timestamp }) => timestamp <= until && timestamp >= interval.from - REACH;
      const heldBy = (token) => byToken.get(token) ?? 0;
      const rarest = idTokens(features).sort((a, b) => heldBy(a) - heldBy(b) || a - b);
      const found = new Set();
      for (const token of rarest.slice(0, MAX_IDS)) {
        if (found.size >= MAX_HOLDERS) break;
        const held = (holders.get(token) ?? []).filter(
          (entry) => isNear(entry) && !found.has(entry),
        );
        const newest = held.sort(inTime).slice(found.size - MAX_HOLDERS);
        for (const entry of newest) found.add(entry);
      }
      for (const token of linksOf(event, [...found], heldBy).keys()) {
        for (const entry of holders.get(token) ?? []) if (isNear(entry)) found.add(entry);
      }
      const stating = event.amountTokens
        .filter((token) => heldBy(token) <= mostStating(all.length))
        .flatMap((token) => holders.get(token) ?? [])
        .filter(({ timestamp }) => timestamp <= until && timestamp >= interval.from - window);
      for (const entry of stating.sort(inTime).slice(-MAX_STATING)) found.add(entry);
      const near = [];
      for (let at = all.length - 1; at >= 0 && near.length < MAX_NEAREST; at--) {
        if (all[at].timestamp <= until) near.push(all[at]);
      }
      const chosen = [...new Set([...found, ...near])].sort((a, b) => a.place - b.place);
      return { found: chosen, frequencies: { decisions: all.length, byToken } };
    },
  };
}

const inTime = (a, b) => a.timestamp - b.timestamp || a.place - b.place;

function prepare(ledgerId, decision) {
  const known = extracted.get(decision);
  if (known !== undefined) return known;
  const entry = {
    decisionId: decision.ref,
    agentId: decision.agent_id,
    actionType: decision.action_type,
    timestamp: decision.timestamp,
    saysItFailed: saysItFailed(decision.outputs),
    features: hashFeatures(ledgerId, extractFeatures(decision)),
  };
  extracted.set(decision, entry);
  return entry;
}
