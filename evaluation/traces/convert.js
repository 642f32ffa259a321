// Makes a data set from its source, checks it and writes it.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fines } from './fines.js';
import { travelDomestic, travelInternational, travelRequests } from './travel.js';

const BPI_2020 = 'a folder with the .xes.gz files of the BPI Challenge 2020';
const FILES = ['decisions.ndjson', 'events.ndjson', 'truth.ndjson'];

/**
 * @typedef {{ ref: string, time: number, body: object }} Decision time in ms; body: that of
 *   POST /decisions without its timestamp
 * @typedef {{ cause: string | null, time: number, body: object }} Event cause: the ref of a decision,
 *   which may be left out of the decisions; body: that of POST /financial-events without its timestamp
 * @typedef {{ decisions: Decision[], events: Event[] }} Trace in any order
 * @typedef {{ set: string, decisions: number, events: number, caused: number, without_cause: number }} Numbers
 */

/**
 * The data sets by name, with what the user downloads for each.
 * @type {Record<string, { make: (source: string) => Trace | Promise<Trace>, source: string }>}
 */
export const SETS = {
  'travel-domestic': { make: travelDomestic, source: BPI_2020 },
  'travel-international': { make: travelInternational, source: BPI_2020 },
  'travel-requests': { make: travelRequests, source: BPI_2020 },
  'traffic-fines': {
    make: fines,
    source: 'traffic_fines of the R package eventdataR as a CSV file',
  },
};

/**
 * Nothing is written unless the whole set was made.
 * @param {string} set a name of SETS
 * @param {string} source folder or file
 * @param {string} output folder, which is made if it is missing
 * @returns {Promise<Numbers>}
 * @throws Error that names the file, and what is needed instead
 */
export async function convert(set, source, output) {
  checkFolder(output);
  const { make, source: needed } = SETS[set];
  let rows;
  try {
    rows = toRows(await make(source));
  } catch (error) {
    const remedy = `SOURCE is ${source}; ${set} needs ${needed}`;
    throw new Error(`${error.message}\n${remedy}`, { cause: error });
  }
  mkdirSync(output, { recursive: true });
  for (const [at, name] of FILES.entries()) {
    writeFileSync(join(output, name), rows[at].map((row) => `${JSON.stringify(row)}\n`).join(''));
  }
  const [decisions, events, truth] = rows;
  const caused = truth.filter(({ decision_ref }) => decision_ref !== null).length;
  return {
    set,
    decisions: decisions.length,
    events: events.length,
    caused,
    without_cause: events.length - caused,
  };
}

function checkFolder(output) {
  if (!existsSync(output)) return;
  const other = readdirSync(output).find((name) => !FILES.includes(name));
  if (other !== undefined) throw new Error(`${output} holds ${other}: name an empty folder`);
}

/**
 * The lines of the three files, in order of time.
 * @param {Trace} trace
 */
function toRows({ decisions, events }) {
  const made = decisions.toSorted(inTime);
  const moved = events.toSorted(inTime);
  const times = new Map(made.map(({ ref, time }) => [ref, time]));
  const ids = new Set(moved.map(({ body }) => body.external_id));
  if (made.length === 0 || moved.length === 0) {
    throw new Error('The source holds no decisions or no money of the time that is taken');
  }
  if (times.size < made.length) throw new Error('Two decisions have the same ref');
  if (ids.size < moved.length) throw new Error('Two events have the same external_id');
  for (const { cause, time, body } of moved) {
    if (times.get(cause) > time) throw new Error(`${body.external_id} is older than its cause`);
  }
  return [
    made.map(({ ref, time, body }) => ({ ref, body: { ...body, timestamp: iso(time) } })),
    moved.map(({ time, body }) => ({ ...body, timestamp: iso(time) })),
    moved.map(({ cause, body }) => ({
      external_id: body.external_id,
      decision_ref: times.has(cause) ? cause : null,
      ...(cause !== null && !times.has(cause) && { unrecorded: true }),
    })),
  ];
}

const inTime = (a, b) => a.time - b.time;

const iso = (time) => new Date(time).toISOString();
