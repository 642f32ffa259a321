// Finds the candidates of an event as the service does: by identifiers, by the amount, and the nearest.

import {
  AFTER_EVENT_MS,
  BEFORE_DECISION_MS,
  HOLDER_REACH_MS,
  MAX_HOLDERS,
  MAX_IDS,
  MAX_NEAREST,
  MAX_STATING,
  mostStating,
} from '@decision-ledger/attribution/candidate-search';
import { extractFeatures } from '@decision-ledger/attribution/extraction';
import {
  countedTokens,
  hashFeatures,
  idTokens,
  lookupTokens,
  moneyTokens,
} from '@decision-ledger/attribution/hashed-features';
import { linksOf } from '@decision-ledger/attribution/links';
import { isUndone, outcomeReader } from '@decision-ledger/contract/outcome';
import { DEFAULT_OUTCOMES } from '@decision-ledger/contract/outcome-settings';

const extracted = new WeakMap();
const outcomeOf = outcomeReader(DEFAULT_OUTCOMES);

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
     * @param {import('@decision-ledger/attribution/comparison').ComparedEvent} event
     * @param {number} window ms; how far back decisions are found by the amount
     */
    find(event, window) {
      const { interval, features } = event;
      const until = interval.to + AFTER_EVENT_MS;
      const isNear = ({ timestamp }) =>
        timestamp <= until && timestamp >= interval.from - HOLDER_REACH_MS;
      const isNamed = ({ timestamp }) =>
        timestamp <= interval.to + BEFORE_DECISION_MS &&
        timestamp >= interval.from - HOLDER_REACH_MS;
      const heldBy = (token) => byToken.get(token) ?? 0;
      const rarest = idTokens(features).sort((a, b) => heldBy(a) - heldBy(b) || a - b);
      const found = new Set();
      for (const token of rarest.slice(0, MAX_IDS)) {
        if (found.size >= MAX_HOLDERS) break;
        const held = (holders.get(token) ?? []).filter(
          (entry) => isNamed(entry) && !found.has(entry),
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
    saysItFailed: isUndone(outcomeOf(decision)),
    features: hashFeatures(ledgerId, extractFeatures(decision)),
  };
  extracted.set(decision, entry);
  return entry;
}
