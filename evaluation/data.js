// Decisions and money with known causes, from a folder of the user.
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const FILES = ['decisions.ndjson', 'events.ndjson', 'truth.ndjson'];
/** A payment is known to the ledger after ten minutes, in ms, and after the decision that caused it. */
const RECORDED_AFTER = 600_000;

/**
 * @typedef {Omit<import('./worlds/builder.js').Event, 'ref' | 'recorded' | 'identified'>} GivenEvent
 * @typedef {{ decisions: import('./worlds/builder.js').Decision[], events: GivenEvent[],
 *   cases: import('./worlds/builder.js').Cases }} Data
 */

/**
 * @param {string} folder
 * @throws Error if it lacks one of the files: it names both
 */
export function checkFolder(folder) {
  const missing = FILES.find((name) => !existsSync(join(folder, name)));
  if (missing !== undefined) throw new Error(`${folder} has no ${missing}`);
}

/**
 * The data as given.
 * @param {string} folder with decisions.ndjson, events.ndjson and truth.ndjson
 * @param {readonly string[]} caseKeys as for readData
 * @returns {import('./worlds/builder.js').World}
 */
export function dataWorld(folder, caseKeys) {
  const name = basename(folder);
  return toWorld(name, 'Decisions and payments as given', readData(folder, caseKeys));
}

/**
 * @param {string} folder with decisions.ndjson, events.ndjson and truth.ndjson
 * @param {readonly string[]} caseKeys keys of payloads whose values name the case of a decision that states no
 *   `case_ref`
 * @returns {Data} both in order of time
 * @throws Error if a file is missing, or a line is no JSON: it names both
 */
export function readData(folder, caseKeys = []) {
  const truth = new Map(read(folder, 'truth.ndjson').map((row) => [row.external_id, row]));
  const rows = read(folder, 'decisions.ndjson');
  const decisions = rows.map(({ ref, body }) => ({
    ...body,
    ref,
    timestamp: Date.parse(body.timestamp),
  }));
  const cases = new Map(rows.map((row) => [row.ref, new Set(casesOf(row, caseKeys))]));
  const events = read(folder, 'events.ndjson').map((event) => {
    const {
      decision_ref: cause = null,
      case_ref = onlyOf(cases.get(cause)),
      unrecorded = false,
    } = truth.get(event.external_id) ?? {};
    const kind = cause !== null ? 'caused' : unrecorded ? 'unrecorded' : 'causeless';
    return { ...event, timestamp: Date.parse(event.timestamp), cause, case_ref, kind };
  });
  return { decisions: decisions.sort(inTime), events: events.sort(inTime), cases };
}

/** @returns {string[]} the transactions that a decision is about */
function casesOf({ case_ref, body: { inputs, outputs, metadata } }, keys) {
  if (case_ref !== undefined) return [case_ref].flat();
  return [inputs, outputs, metadata].flatMap((payload) =>
    keys.flatMap((key) => (payload?.[key] === undefined ? [] : [String(payload[key])])),
  );
}

const onlyOf = (cases = new Set()) => (cases.size === 1 ? [...cases][0] : null);

function read(folder, name) {
  const path = join(folder, name);
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.flatMap((line, at) => {
    if (line.trim() === '') return [];
    try {
      return [JSON.parse(line)];
    } catch (error) {
      throw new Error(`${path}, line ${at + 1}: ${error.message}`, { cause: error });
    }
  });
}

export const inTime = (a, b) => a.timestamp - b.timestamp;

/**
 * @param {string} name
 * @param {string} description
 * @param {Data} data in the currency of its first event
 * @returns {import('./worlds/builder.js').World}
 */
export function toWorld(name, description, { decisions, events, cases }) {
  const decided = new Map(decisions.map(({ ref, timestamp }) => [ref, timestamp]));
  const recorded = events.map((event, at) => ({
    ...event,
    ref: `e${at}`,
    recorded: Math.max(event.timestamp, decided.get(event.cause) ?? 0) + RECORDED_AFTER,
    identified: false,
  }));
  return {
    name,
    description,
    decisions,
    events: recorded.sort((a, b) => a.recorded - b.recorded),
    cases,
    settings: { base_currency: events[0]?.currency ?? 'USD', rates: {} },
  };
}
