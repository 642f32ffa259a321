import {
  type DecisionOutcome,
  OUTCOMES,
  type Outcome,
  type OutcomeRule,
  type OutcomeSettings,
} from './outcome-settings.js';
import { type Members, memberAt, type Path, pathOf, TextReader } from './outcome-texts.js';

/** What is recorded of a decision. Fields that were erased are undefined. */
export interface OutcomePayload {
  readonly action_type: string;
  readonly outputs?: unknown;
  readonly inputs?: unknown;
  readonly metadata?: unknown;
}

export type ReadOutcome = (payload: OutcomePayload) => DecisionOutcome;

/** Where a way of recording states the outcome of a call: one of `OUTCOMES`. */
const STATED = 'metadata.outcome';

const NOTHING: DecisionOutcome = { outcome: 'unknown', reason: null, by: null };
const MAX_TEXT = 100;
/** The outputs, and results that stand in them or in one another. */
const MAX_LAYERS = 4;

/**
 * Makes the one function that says how the action of a decision ended. Of several values, the first counts of: denied,
 * failed, unknown, done. What a hook states is final, unless it states that a call is done: its result may say otherwise.
 *
 * @example
 * ```ts
 * import { outcomeReader } from '@decision-ledger/contract/outcome';
 * import { DEFAULT_OUTCOMES } from '@decision-ledger/contract/outcome-settings';
 *
 * const read = outcomeReader(DEFAULT_OUTCOMES);
 * const outputs = { result: '{"approved": false}' };
 * read({ action_type: 'refund', outputs }).by; // => 'outputs.result.approved'
 * ```
 */
export function outcomeReader(settings: OutcomeSettings): ReadOutcome {
  const places = placesOf(settings);
  const [ofOutputs, others] = [
    places.filter(({ root }) => root === 'outputs'),
    places.filter(({ root }) => root !== 'outputs'),
  ];
  const results = settings.results.map((path) => pathOf(path.slice('outputs.'.length)));
  return (payload) => {
    const stated = statedIn(payload.metadata);
    if (stated !== null && stated !== 'done') {
      return { outcome: stated, reason: 'stated', by: STATED };
    }
    const texts = new TextReader();
    const action = payload.action_type.toLowerCase();
    let found = NOTHING;
    for (const { path, value } of layersOf(payload.outputs, results, texts)) {
      found = stronger(found, judge(ofOutputs, { path, value, action, texts }));
    }
    for (const place of others) {
      const value = place.root === 'inputs' ? payload.inputs : payload.metadata;
      found = stronger(found, judge([place], { path: place.root, value, action, texts }));
    }
    return found.reason === null && stated === 'done'
      ? { outcome: 'done', reason: 'stated', by: STATED }
      : found;
  };
}

/** Whether the action was not carried out: nothing is at risk, and it moved no money. */
export const isUndone = ({ outcome }: DecisionOutcome): boolean =>
  outcome === 'denied' || outcome === 'failed';

/** A value that may tell, with what it tells. */
interface Place {
  readonly root: string;
  /** Within the root. */
  readonly at: Path;
  readonly rules: ReadonlyMap<boolean | string, readonly Told[]>;
  readonly isError: boolean;
  readonly isHttp: boolean;
}

interface Told {
  readonly outcome: Outcome;
  /** In lower case. */
  readonly unless: string | undefined;
}

/** Each path once, in the order of the settings. */
function placesOf({ values, errors, http_statuses }: OutcomeSettings): Place[] {
  const listed = values.flatMap(({ paths }) => paths);
  const [asErrors, asStatuses] = [new Set(errors), new Set(http_statuses)];
  return [...new Set([...listed, ...errors, ...http_statuses])].map((path) => {
    const [root = ''] = path.split('.');
    const rules = rulesOf(values.filter(({ paths }) => paths.includes(path)));
    const at = pathOf(path.slice(root.length + 1));
    return { root, at, rules, isError: asErrors.has(path), isHttp: asStatuses.has(path) };
  });
}

function rulesOf(rules: readonly OutcomeRule[]): Place['rules'] {
  const told = new Map<boolean | string, Told[]>();
  for (const { outcome, values, unless_action } of rules) {
    for (const value of values) {
      const key = typeof value === 'string' ? plain(value) : value;
      told.set(key, [...(told.get(key) ?? []), { outcome, unless: unless_action?.toLowerCase() }]);
    }
  }
  return told;
}

/** `NOT FOUND` and `not-found` are `not_found`. */
const plain = (text: string): string => text.toLowerCase().replace(/[\s_-]/g, '');

function statedIn(metadata: unknown): Outcome | null {
  const value = memberAt(metadata, 'outcome');
  return OUTCOMES.find((outcome) => outcome === value) ?? null;
}

interface Layer {
  readonly path: string;
  readonly value: unknown;
}

/** The outputs, then the results in them, as far as they are objects. */
function layersOf(outputs: unknown, results: readonly Path[], texts: TextReader): Layer[] {
  const layers: Layer[] = [{ path: 'outputs', value: outputs }];
  for (let at = 0; at < layers.length; at += 1) {
    const { path, value } = layers[at] ?? { path: '', value: null };
    for (const result of results) {
      if (layers.length >= MAX_LAYERS) return layers;
      const inner = texts.follow(value, result);
      if (isMembers(inner)) layers.push({ path: `${path}.${result.name}`, value: inner });
    }
  }
  return layers;
}

interface Judged extends Layer {
  readonly action: string;
  readonly texts: TextReader;
}

/** What the values of one object say together. */
function judge(places: readonly Place[], { path, value, action, texts }: Judged): DecisionOutcome {
  let listed = NOTHING;
  let failure = NOTHING;
  let success = NOTHING;
  for (const place of places) {
    const found = texts.follow(value, place.at);
    if (found === undefined) continue;
    const by = `${path}.${place.at.name}`;
    const told = toldBy(place, found, action);
    if (told === 'done') success = stronger(success, { outcome: told, reason: 'value', by });
    else if (told !== null) listed = stronger(listed, { outcome: told, reason: 'value', by });
    if (place.isError && isError(found) && failure.reason === null) {
      failure = { outcome: 'failed', reason: 'error', by };
    }
    const status = place.isHttp ? httpOutcome(found) : null;
    const isFailure = status !== 'done' && failure.reason === null;
    if (status === 'done')
      success = stronger(success, { outcome: status, reason: 'http_status', by });
    else if (status !== null && isFailure) failure = { outcome: status, reason: 'http_status', by };
  }
  if (listed.reason !== null) return listed;
  if (failure.reason === null) return success;
  // An error beside a success is a contradiction.
  return success.reason === null ? failure : { ...failure, outcome: 'unknown' };
}

function toldBy({ rules }: Place, value: unknown, action: string): Outcome | null {
  const isText = typeof value === 'string' && value.length <= MAX_TEXT;
  const key = isText ? plain(value) : value;
  if (typeof key !== 'string' && typeof key !== 'boolean') return null;
  const told = rules.get(key) ?? [];
  const [first] = told.filter(({ unless }) => unless === undefined || !action.includes(unless));
  return first?.outcome ?? null;
}

function isError(value: unknown): boolean {
  if (value === true) return true;
  if (typeof value === 'string') return value !== '';
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

/** After a timeout, nobody knows. */
const TIMEOUTS = new Set([408, 504]);

function httpOutcome(value: unknown): Outcome | null {
  if (typeof value !== 'number') return null;
  if (TIMEOUTS.has(value)) return 'unknown';
  if (value >= 400 && value <= 599) return 'failed';
  return value >= 200 && value <= 299 && value !== 202 ? 'done' : null;
}

const STRENGTH: readonly Outcome[] = ['done', 'unknown', 'failed', 'denied'];

/** The stronger of two, the first of equals; one without a reason says nothing. */
function stronger(one: DecisionOutcome, other: DecisionOutcome): DecisionOutcome {
  if (other.reason === null) return one;
  if (one.reason === null) return other;
  return STRENGTH.indexOf(other.outcome) > STRENGTH.indexOf(one.outcome) ? other : one;
}

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
