// Makes a world of its record in worlds.json and the structure that the record names.
import { createBuilder } from './builder.js';
import { DAY, HOUR, MINUTE } from './time.js';

/** How long after its own time an event is recorded, where a world says nothing else. */
const RECORDED_AFTER = 10 * MINUTE;

/**
 * @typedef {{ structure?: string, description: string, currency: string, source?: string,
 *   days_per_event?: number, least_days?: number, members?: { one_for?: number, least?: number },
 *   recorded_after_hours?: number, names_cases?: boolean, stories: Record<string, number>, beside?: Record<string, number> }
 *   & Record<string, unknown>} WorldRecord
 *   source: of events that state none; days_per_event: the days in which its stories begin;
 *   members: one for so many events; names_cases: false where what decisions hold names parties and things alone, so
 *   that each is a case of its own; stories: what happens, with its share; beside: what also happens
 *   after a story, with its probability; further parameters are those of the structure
 * @typedef {Record<string, unknown>} Context the record, its members, the builder, what the structure prepared
 * @typedef {{ prepare?: (context: Context) => object, settings?: (context: Context) => import('./builder.js').Settings,
 *   member?: (random: import('../random.js').Random, at: number) => unknown,
 *   stories: Record<string, (context: Context) => void> }} Structure
 *   member: a customer, card, supplier and so on, of which stories tell
 */

/**
 * @param {{ name: string, record: WorldRecord, structure: Structure }} world
 * @param {number} seed
 * @param {number} size in events
 */
export function generate({ name, record, structure }, seed, size) {
  const { currency, source, recorded_after_hours: hours } = record;
  const recordedAfter = hours === undefined ? RECORDED_AFTER : hours * HOUR;
  const world = createBuilder(name, seed, { source, currency, recordedAfter });
  const { random } = world;
  const span = Math.max(record.least_days ?? 0, size * (record.days_per_event ?? 0)) * DAY;
  const context = { world, random, record, size, span, members: [] };
  Object.assign(context, structure.prepare?.(context));
  context.members = membersOf(context, structure);
  while (world.count() < size) {
    structure.stories[pickStory(random, record)](context);
    for (const [story, probability] of Object.entries(record.beside ?? {})) {
      if (random.chance(probability)) structure.stories[story](context);
    }
  }
  const settings = structure.settings?.(context) ?? { base_currency: currency, rates: {} };
  const { description, names_cases: namesCases = true } = record;
  return world.finish({ size, description, settings, namesCases });
}

function membersOf({ random, size, record: { members } }, { member }) {
  if (members === undefined) return [];
  const count = members.one_for === undefined ? 0 : Math.ceil(size / members.one_for);
  return Array.from({ length: Math.max(members.least ?? 0, count) }, (_, at) => member(random, at));
}

/** The only story takes no draw, and the last one takes what the others leave. */
function pickStory(random, { stories }) {
  const shares = Object.entries(stories);
  const last = shares.at(-1)[0];
  if (shares.length === 1) return last;
  let draw = random.next();
  for (const [story, share] of shares) {
    draw -= share;
    if (draw < 0) return story;
  }
  return last;
}
