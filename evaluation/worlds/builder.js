// Collects the decisions and events of a world, and derives what is true of them.
import { createRandom } from '../random.js';
import { decimal } from './money.js';
import { DAY, MINUTE } from './time.js';

/** An event may be dated this much before its cause: clocks differ. */
const CLOCK_SKEW = 5 * MINUTE;

/**
 * @typedef {{ ref: string, agent_id: string, action_type: string, timestamp: number, metadata: object,
 *   inputs: object, outputs: object, alternatives: object[], confidence: number }} Decision
 *   timestamp in ms
 * @typedef {'caused' | 'unrecorded' | 'causeless'} Kind unrecorded: a decision outside the record
 * @typedef {{ ref: string, source: string, event_type: string, external_id: string | null,
 *   amount: string, currency: string, timestamp: number, recorded: number, metadata: object,
 *   cause: string | null, case_ref: string | null, kind: Kind, identified: boolean }} Event
 *   amount: signed decimal text; recorded: when the service received it (ms); case_ref: the transaction of its
 *   cause; identified: exactly one decision holds an identifier of the event in some spelling, and it is the cause
 * @typedef {{ base_currency: string, rates: Record<string, Record<string, number>> }} Settings
 *   rates: units of the base currency for one unit of a currency, by day (YYYY-MM-DD)
 * @typedef {Map<string, ReadonlySet<string>>} Cases the transactions that each decision is about, by its ref
 * @typedef {{ name: string, description: string, decisions: Decision[], events: Event[], cases: Cases,
 *   settings: Settings }} World decisions in order of time, events in the order of their recording
 */

/**
 * @param {string} name
 * @param {number} seed
 * @param {{ source?: string, currency: string, recordedAfter: number }} usual what events have that say
 *   nothing else; recordedAfter: ms after their own time
 */
export function createBuilder(name, seed, usual) {
  const random = createRandom(seedOf(name, seed));
  const decisions = [];
  const events = [];
  const holders = new Map();
  const cases = new Map();
  const stated = new Map();
  const hidden = new Set();
  return {
    random,
    count: () => events.length,
    /**
     * @param {object} details `holds`: what identifies it, whatever the spelling; `transaction`: what
     *   names its case, where that is not what the fewest hold; `isHidden`: not recorded
     */
    decide: (details) =>
      addDecision({ random, decisions, holders, cases, stated, hidden }, details),
    /** @param {object} details `holds` as above; `cause`: ref, also of a hidden decision */
    event: (details) => addEvent({ random, events, hidden, usual }, details),
    /** @returns {World} */
    finish({ size, description, settings, namesCases }) {
      const at = new Map(decisions.map((decision) => [decision.ref, decision.timestamp]));
      const kept = events.slice(0, size).map(({ holds, ...event }) => {
        checkTimes(name, event, at);
        const identified =
          event.cause !== null && holds.some((id) => isOnly(holders.get(id), event.cause));
        const held = namesCases ? cases.get(event.cause) : undefined;
        const case_ref = stated.get(event.cause) ?? caseOf(held, holds, holders);
        return { ...event, case_ref, identified };
      });
      return {
        name,
        description,
        decisions: decisions.sort((a, b) => a.timestamp - b.timestamp),
        events: kept.sort((a, b) => a.recorded - b.recorded),
        cases,
        settings,
      };
    },
  };
}

const isOnly = (holders, ref) => holders?.size === 1 && holders.has(ref);

/**
 * Of what its cause holds, the transaction that the fewest decisions are about: one that the event names, if the
 * cause is about several.
 */
function caseOf(held, named, holders) {
  const rank = (id) => [holders.get(id).size, Number(!named.includes(id))];
  const [first] = [...(held ?? [])].sort((a, b) => compare(rank(a), rank(b)));
  return first ?? null;
}

const compare = ([count, other], [thanCount, than]) => count - thanCount || other - than;

function seedOf(name, seed) {
  const hash = [...name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 99_991, 7);
  return hash * 16 + seed;
}

function addDecision({ random, decisions, holders, cases, stated, hidden }, details) {
  const { agent, action, time, metadata = {}, inputs = {}, outputs = {}, holds = [] } = details;
  const ref = `d${decisions.length + hidden.size}`;
  if (details.isHidden === true) {
    hidden.add(ref);
    return ref;
  }
  for (const id of holds) {
    if (!holders.has(id)) holders.set(id, new Set());
    holders.get(id).add(ref);
  }
  const { transaction } = details;
  cases.set(ref, new Set(transaction === undefined ? holds : [...holds, transaction]));
  if (transaction !== undefined) stated.set(ref, transaction);
  decisions.push({
    ref,
    agent_id: agent,
    action_type: action,
    timestamp: Math.round(time),
    metadata,
    inputs,
    outputs,
    alternatives: details.alternatives ?? [],
    confidence: Math.round(1000 * (0.5 + random.next() / 2)) / 1000,
  });
  return ref;
}

function addEvent({ random, events, hidden, usual }, details) {
  const {
    source = usual.source,
    type,
    id = `evt_${random.code(14).toLowerCase()}`,
    amount,
    time,
  } = details;
  const isHidden = hidden.has(details.cause);
  const cause = isHidden ? null : (details.cause ?? null);
  const text = typeof amount === 'number' ? decimal(amount) : amount;
  if (Number(text) === 0) return;
  events.push({
    ref: `e${events.length}`,
    source,
    event_type: type,
    external_id: id,
    amount: text,
    currency: details.currency ?? usual.currency,
    timestamp: Math.round(time),
    recorded: Math.round(details.recorded ?? time + usual.recordedAfter),
    metadata: details.metadata ?? {},
    cause,
    kind: kindOf(cause, isHidden),
    holds: details.holds ?? [],
  });
}

function kindOf(cause, isHidden) {
  if (cause !== null) return 'caused';
  return isHidden ? 'unrecorded' : 'causeless';
}

/** A cause lies before its event; midnight means the whole day. */
function checkTimes(name, { ref, cause, timestamp, recorded }, at) {
  const latest = timestamp % DAY === 0 ? timestamp + DAY : timestamp + CLOCK_SKEW;
  if (cause !== null && !(at.get(cause) <= Math.min(latest, recorded))) {
    throw new Error(`${name}: the cause of ${ref} is missing or after it`);
  }
}
