// What a method is, and what it may see.

/**
 * @typedef {Omit<import('./worlds/builder.js').Event, 'cause' | 'case_ref' | 'kind' | 'identified'>} SeenEvent
 * @typedef {Omit<import('./worlds/builder.js').World, 'events' | 'cases'> & { events: SeenEvent[] }} SeenWorld
 * @typedef {'matched' | 'guessed'} Label
 * @typedef {{ event: SeenEvent, ranked: { ref: string, share: number }[],
 *   suggested: { ref: string, share: number, label: Label }[], none: number }} Outcome
 *   ranked: all candidates that the method names, the best first; none: share of "no decision"
 * @typedef {{ reviews: number, wrong: number, seed: number, reviewable: number,
 *   review: (event: SeenEvent) => string | null | undefined }} RunOptions
 *   reviews: how many events may be reviewed, all among the first `reviewable`;
 *   review: the ref of the decision that the reviewer names, null for none of those recorded,
 *   undefined if no further review is possible
 * @typedef {{ name: string, learns: boolean,
 *   run: (world: SeenWorld, options: RunOptions) => Outcome[] | AsyncIterable<Outcome> }} Method
 *   learns: whether reviews change it; run: an outcome for each event, in their order
 */

/**
 * The decisions and events in the order in which a service learns of them.
 * @param {SeenWorld} world
 */
export function* inOrder({ decisions, events }) {
  let next = 0;
  for (const event of events) {
    while (next < decisions.length && decisions[next].timestamp <= event.recorded) {
      yield { decision: decisions[next++], event: undefined };
    }
    yield { decision: undefined, event };
  }
}

/** The world without its truth. @returns {SeenWorld} */
export function withoutTruth({ events, cases, ...world }) {
  return {
    ...world,
    events: events.map(({ cause, case_ref, kind, identified, ...seen }) => seen),
  };
}

/**
 * A reviewer who knows the truth, and who is wrong about a share of the events: the same ones for every
 * method, whatever is asked.
 * @param {import('./worlds/builder.js').World} world
 * @param {{ reviews: number, wrong: number, reviewable: number, random: import('./random.js').Random }} options
 */
export function createReviewer(world, { reviews, wrong, reviewable, random }) {
  const answers = new Map(
    world.events.slice(0, reviewable).map((event) => {
      const other = wrongAnswer(world, event, random);
      return [event.ref, random.chance(wrong) ? other : event.cause];
    }),
  );
  const asked = new Set();
  return (event) => {
    if (!answers.has(event.ref)) return undefined;
    if (!asked.has(event.ref) && asked.size >= reviews) return undefined;
    asked.add(event.ref);
    return answers.get(event.ref);
  };
}

/** Half of the errors say that nothing caused it, the others name a decision of shortly before. */
function wrongAnswer({ decisions }, event, random) {
  const before = countUntil(decisions, event.timestamp);
  const near = decisions[before - 1 - random.below(Math.min(20, Math.max(1, before)))];
  const isNone = random.chance(0.5);
  if (near === undefined || near.ref === event.cause) return null;
  return isNone && event.cause !== null ? null : near.ref;
}

/** How many decisions were made until then. */
function countUntil(decisions, time) {
  let [low, high] = [0, decisions.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (decisions[middle].timestamp <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}
