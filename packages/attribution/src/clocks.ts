import { AFTER_EVENT_MS } from './candidate-search.js';
import type { CandidateContext } from './candidates.js';
import type { ComparedDecision, ComparedEvent } from './comparison.js';
import { type IdMatch, indexEvent, matchesOf } from './identifier-matches.js';
import type { Knowledge } from './knowledge.js';
import type { SharedValues } from './shared-values.js';
import type { ClockKnowledge, EventObservation } from './snapshot.js';

/*
 * Local time that is stamped as UTC puts events before their causes. How far the clock of an event lies from that
 * of an agent follows from events that name a transaction which one of its decisions alone names.
 */

const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;

/** Decisions as the clock of the event would have dated them. */
interface Dated {
  readonly before: readonly ComparedDecision[];
  readonly after: readonly ComparedDecision[];
}

export function onClockOf(
  { eventType, interval }: ComparedEvent,
  decisions: readonly ComparedDecision[],
  { clock }: Knowledge,
): Dated {
  const [before, after]: [ComparedDecision[], ComparedDecision[]] = [[], []];
  for (const decision of decisions) {
    const minutes = clock(decision.agentId, eventType);
    const timestamp = decision.timestamp + minutes * MINUTE_MS;
    const dated = minutes === 0 ? decision : { ...decision, timestamp };
    (timestamp <= interval.to + AFTER_EVENT_MS ? before : after).push(dated);
  }
  return { before, after };
}

/**
 * Who decided, and how many minutes before the event by their own clocks, where one decision alone names its
 * transaction; undefined for others, and for an event that states a day alone.
 * @param compared decisions of before the event, like `after` dated by its clock
 * @param after the others
 */
export function readClock(
  { event, frequencies: { byToken }, knowledge }: CandidateContext,
  compared: readonly SharedValues[],
  after: readonly ComparedDecision[],
): EventObservation['clock'] {
  if (event.interval.to > event.interval.from) return undefined;
  const isSole = ({ form, isEntity, token, mention }: IdMatch): boolean =>
    form !== 'linked' &&
    mention.form !== 'shortened' &&
    !isEntity &&
    (byToken.get(token) ?? 0) <= 1;
  const index = after.length === 0 ? null : indexEvent(event);
  const holders = [
    ...compared.filter(({ matches }) => matches.ids.some(isSole)).map(({ decision }) => decision),
    ...after.filter(
      ({ features }) => index !== null && matchesOf(index, features).ids.some(isSole),
    ),
  ];
  const [holder, ...others] = holders;
  if (holder === undefined || others.length > 0) return undefined;
  const apart = Math.floor((event.interval.from - holder.timestamp) / MINUTE_MS);
  const minutes = apart + knowledge.clock(holder.agentId, event.eventType);
  return Math.abs(minutes) > DAY_MINUTES ? undefined : [holder.agentId, minutes];
}

/** Fewer events may agree by chance. */
const LEAST_EVENTS = 20;
/** Part of them that may be odd. */
const ODD = 0.03;
/** Every time zone is a multiple of so many minutes away from UTC, and the others an hour or more. */
const QUARTER = 15;
const NEAREST = -60;
const FURTHEST = -14 * 60;
/** Clocks that are right differ by so much. */
const INACCURACY = 5;
/** Money that comes so soon shows where the delays begin, also where summer time began among the events. */
const PROMPT = 120;

/**
 * The clocks that are behind those of agents, by agent and event type: of most of the events, the money came first,
 * and promptly after one time that is whole quarters of an hour away. Decisions that follow money do so at any time.
 */
export function learnClocks(observations: readonly EventObservation[]): ClockKnowledge[] {
  const groups = new Map<string, { agent: string; event: string; minutes: number[] }>();
  for (const { event_type: event, clock } of observations) {
    if (clock === undefined) continue;
    const [agent, minutes] = clock;
    const name = JSON.stringify([agent, event]);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, { agent, event, minutes: [minutes] });
    else group.minutes.push(minutes);
  }
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, { agent, event, minutes }]) => {
      const offset = offsetOf(minutes);
      return offset === 0 ? [] : [{ agent_id: agent, event_type: event, minutes: offset }];
    });
}

/** @returns whole quarters of an hour, negative; 0 if it is not plain */
function offsetOf(minutes: readonly number[]): number {
  if (minutes.length < LEAST_EVENTS) return 0;
  const first = minutes.toSorted((a, b) => a - b)[Math.floor(ODD * minutes.length)] ?? 0;
  const offset = Math.floor((first + INACCURACY) / QUARTER) * QUARTER;
  if (offset > NEAREST || offset < FURTHEST) return 0;
  // What follows money is the denser the nearer it is to the money, and a delay the denser the shorter it is.
  const prompt = offset + Math.min(PROMPT, -offset / 2);
  const isMost = (of: (one: number) => boolean) => 2 * minutes.filter(of).length >= minutes.length;
  const isBehind = isMost((one) => one < -INACCURACY);
  const isPrompt = isMost((one) => one >= offset - INACCURACY && one <= prompt);
  return isBehind && isPrompt ? offset : 0;
}
