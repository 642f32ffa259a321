import { type KindValue, valueUnder } from './event-kinds.js';
import type {
  AmountKnowledge,
  EventKnowledge,
  KeyKnowledge,
  KindKnowledge,
  LagKnowledge,
  ModelSnapshot,
} from './snapshot.js';

/** A snapshot, indexed. */
export interface Knowledge {
  readonly compatibility: (actionType: string, eventType: string) => number;
  readonly lags: (actionType: string, eventType: string) => readonly LagKnowledge[];
  /** @param isShared whether a decision shares an identifier with the event */
  readonly eventType: (eventType: string, kinds: readonly KindValue[], isShared: boolean) => number;
  /** Probability that no event of the kind has a recorded cause; undefined for a type without events. */
  readonly causeless: (eventType: string, kinds: readonly KindValue[]) => number | undefined;
  readonly agent: (agentId: string, actionType: string, eventType: string) => number;
  /** Minutes to add to a time of the agent for a time of the event; 0 if their clocks agree. */
  readonly clock: (agentId: string, eventType: string) => number;
  readonly key: (key: number) => KeyKnowledge | undefined;
  readonly amounts: (eventType: string) => AmountKnowledge | undefined;
  readonly halfLife: (actionType: string) => number;
}

const known = new WeakMap<ModelSnapshot, Knowledge>();

export function knowledgeOf(snapshot: ModelSnapshot): Knowledge {
  let knowledge = known.get(snapshot);
  if (knowledge === undefined) {
    knowledge = index(snapshot);
    known.set(snapshot, knowledge);
  }
  return knowledge;
}

/** No name holds U+0000. Looked up for each candidate, so it must be cheap. */
const pairOf = (one: string, event: string): string => `${one}\u0000${event}`;

function index(snapshot: ModelSnapshot): Knowledge {
  const { pairs, events, agents, clocks, keys, amounts, settings } = snapshot;
  const byPair = new Map(pairs.map((pair) => [pairOf(pair.action_type, pair.event_type), pair]));
  const byAgent = new Map(
    agents.map((one) => [
      `${one.agent_id}\u0000${pairOf(one.action_type, one.event_type)}`,
      one.log_odds,
    ]),
  );
  const byClock = new Map(clocks.map((one) => [pairOf(one.agent_id, one.event_type), one.minutes]));
  const byKey = new Map(keys.map((one) => [one.key, one]));
  const byType = new Map(events.map((one) => [one.event_type, one]));
  const byEvent = new Map(amounts.map((one) => [one.event_type, one]));
  const halfLives = new Map(Object.entries(settings.half_life_hours_by_action_type));
  return {
    compatibility: (action, event) => byPair.get(pairOf(action, event))?.compatibility ?? 0,
    lags: (action, event) => {
      const narrower = [byType.get(event), byPair.get(pairOf(action, event))];
      return [snapshot.lags, ...narrower.flatMap((one) => one?.lags ?? [])];
    },
    eventType: (event, kinds, isShared) =>
      ofKind(byType.get(event), kinds)?.[isShared ? 'log_odds' : 'log_odds_apart'] ?? 0,
    causeless: (event, kinds) => ofKind(byType.get(event), kinds)?.causeless,
    agent: (agent, action, event) => byAgent.get(`${agent}\u0000${pairOf(action, event)}`) ?? 0,
    clock: byClock.size === 0 ? () => 0 : (agent, event) => byClock.get(pairOf(agent, event)) ?? 0,
    key: (key) => byKey.get(key),
    amounts: (event) => byEvent.get(event),
    halfLife: (action) => halfLives.get(action) ?? settings.half_life_hours,
  };
}

/** A kind of which nothing is known is as its type. */
function ofKind(
  type: EventKnowledge | undefined,
  kinds: readonly KindValue[],
): Omit<KindKnowledge, 'value'> | undefined {
  if (type === undefined || type.kind === null) return type;
  const { key, values } = type.kind;
  const own = valueUnder(kinds, key);
  return values.find(({ value }) => value === own) ?? type;
}
