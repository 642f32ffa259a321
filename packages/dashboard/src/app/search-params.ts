import type { DayRange } from '../format/dates.ts';
import type { Mode } from './session/store.ts';

/** The search parameters of an address, as the router parsed them. */
type Given = Readonly<Record<string, unknown>>;

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** A text, or undefined if there is none. */
function textOf(given: Given, name: string): string | undefined {
  const value = given[name];
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** One of these values, or undefined. */
export function choiceOf<Value extends string>(
  given: Given,
  name: string,
  values: readonly Value[],
): Value | undefined {
  const text = textOf(given, name);
  return values.find((value) => value === text);
}

/** A calendar day as YYYY-MM-DD, or undefined. */
function dayOf(given: Given, name: string): string | undefined {
  const text = textOf(given, name);
  return text !== undefined && DAY.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined;
}

/** A number within limits, or undefined. */
function numberOf(given: Given, name: string, min: number, max: number): number | undefined {
  const text = textOf(given, name);
  const value = text === undefined ? Number.NaN : Number(text);
  return value >= min && value <= max ? value : undefined;
}

function rangeOf(given: Given): DayRange {
  return { from: dayOf(given, 'from'), to: dayOf(given, 'to') };
}

type Present<Values> = { [Name in keyof Values]?: Exclude<Values[Name], undefined> };

/** The members that have a value, as queries of the client take them. */
export function present<Values extends object>(values: Values): Present<Values> {
  const found: Present<Values> = { ...values };
  for (const [name, value] of Object.entries(found)) {
    if (value === undefined) Reflect.deleteProperty(found, name);
  }
  return found;
}

// What the address of each page may carry after its path.

interface SignInSearch {
  /** The address that was asked for: a path of this site. */
  readonly back?: string | undefined;
  /** The mode to sign in for; either if absent. */
  readonly mode?: Mode | undefined;
}

export function readSignIn(given: Given): SignInSearch {
  const back = textOf(given, 'back');
  const isOwnPath = back !== undefined && /^\/(?![/\\])/.test(back);
  return { back: isOwnPath ? back : undefined, mode: choiceOf(given, 'mode', ['live', 'test']) };
}

/** The columns that the table of agents can be ordered by. */
const SORTS = ['agent', 'net', 'losses', 'guessed', 'exposure', 'decisions', 'confidence'] as const;
export type AgentSort = (typeof SORTS)[number];

export interface AgentsSearch extends DayRange {
  /** Part of a name. */
  readonly name?: string | undefined;
  /** Default: exposure. */
  readonly sort?: AgentSort | undefined;
  /** Default: the direction that shows the largest first, and names from A. */
  readonly order?: 'up' | 'down' | undefined;
}

export function readAgents(given: Given): AgentsSearch {
  return {
    ...rangeOf(given),
    name: textOf(given, 'name'),
    sort: choiceOf(given, 'sort', SORTS),
    order: choiceOf(given, 'order', ['up', 'down']),
  };
}

/** The figures of a statement whose rows can be opened. `exposure` has decisions, the others parts of events. */
const FIGURES = [
  'confirmed.revenue',
  'confirmed.savings',
  'confirmed.costs',
  'confirmed.refunds',
  'confirmed.losses',
  'confirmed.net',
  'matched.net',
  'expected.net',
  'guessed.net',
  'exposure',
] as const;
export type StatementFigure = (typeof FIGURES)[number];

interface AgentSearch extends DayRange {
  /** The figure whose rows are in view. */
  readonly figure?: StatementFigure | undefined;
}

export function readAgent(given: Given): AgentSearch {
  return { ...rangeOf(given), figure: choiceOf(given, 'figure', FIGURES) };
}

/** Which decisions the list shows. */
export interface DecisionFilters extends DayRange {
  readonly agent?: string | undefined;
  readonly action?: string | undefined;
  readonly human?: 'yes' | 'no' | undefined;
  /** Confidence, from 0 to 1. */
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  /** A member of metadata and its value, such as `customer_id=c-7`. */
  readonly metadata?: string | undefined;
}

export function readDecisionFilters(given: Given): DecisionFilters {
  return {
    ...rangeOf(given),
    agent: textOf(given, 'agent'),
    action: textOf(given, 'action'),
    human: choiceOf(given, 'human', ['yes', 'no']),
    min: numberOf(given, 'min', 0, 1),
    max: numberOf(given, 'max', 0, 1),
    metadata: textOf(given, 'metadata'),
  };
}

/** The parts of the queue of reviews. */
const SHOWS = ['suggested', 'unexplained', 'audits'] as const;
export type Show = (typeof SHOWS)[number];

export interface ReviewSearch {
  /** The financial event in view. */
  readonly event?: string | undefined;
  readonly show?: Show | undefined;
  /** Only events of this source. */
  readonly source?: string | undefined;
}

export function readReview(given: Given): ReviewSearch {
  return {
    event: textOf(given, 'event'),
    show: choiceOf(given, 'show', SHOWS),
    source: textOf(given, 'source'),
  };
}

/** The tabs of the page Money. */
export const TABS = [
  'events',
  'same-money',
  'links',
  'unattributed',
  'unconverted',
  'connections',
] as const;
export type Tab = (typeof TABS)[number];

const STATUSES = ['CONFIRMED', 'ML_SUGGESTED', 'ML_INFERRED', 'REJECTED', 'INHERITED'] as const;

export const STANDINGS = [
  ...(['counted', 'counted_once', 'planned', 'authorised', 'void'] as const),
  ...(['between_own_accounts', 'unclassified'] as const),
] as const;

export const AGES = ['7', '30', '60', '90'] as const;

/** What the page Money lists, and the event in view. */
export interface MoneySearch extends DayRange {
  readonly tab?: Tab | undefined;
  /** The financial event in view, over the list. */
  readonly event?: string | undefined;
  /** The event in view of those in doubt. */
  readonly report?: string | undefined;
  readonly source?: string | undefined;
  readonly type?: string | undefined;
  /** The caller's own reference. */
  readonly reference?: string | undefined;
  /** ISO 4217. */
  readonly currency?: string | undefined;
  /** Of events, without sign, as typed: the service says what is wrong with it. */
  readonly amount?: string | undefined;
  readonly min?: string | undefined;
  readonly max?: string | undefined;
  /** Words of the description and the reference. */
  readonly text?: string | undefined;
  /** A value of metadata, such as the id of a customer. */
  readonly customer?: string | undefined;
  /** Older than these days. */
  readonly age?: (typeof AGES)[number] | undefined;
  /** Whether events count, and if not, why. */
  readonly standing?: (typeof STANDINGS)[number] | undefined;
  /** Of refunds: whether what they give back is recorded. */
  readonly payment?: 'unknown' | undefined;
  /** Of links. */
  readonly status?: (typeof STATUSES)[number] | undefined;
  /** Of links: the id of a decision. */
  readonly decision?: string | undefined;
  /** Of unconverted money: what links take, in place of what they leave. */
  readonly part?: 'linked' | undefined;
}

export function readMoney(given: Given): MoneySearch {
  return {
    ...rangeOf(given),
    tab: choiceOf(given, 'tab', TABS),
    event: textOf(given, 'event'),
    report: textOf(given, 'report'),
    source: textOf(given, 'source'),
    type: textOf(given, 'type'),
    reference: textOf(given, 'reference'),
    currency: textOf(given, 'currency')?.toUpperCase(),
    amount: textOf(given, 'amount'),
    min: textOf(given, 'min'),
    max: textOf(given, 'max'),
    text: textOf(given, 'text'),
    customer: textOf(given, 'customer'),
    age: choiceOf(given, 'age', AGES),
    standing: choiceOf(given, 'standing', STANDINGS),
    payment: choiceOf(given, 'payment', ['unknown']),
    status: choiceOf(given, 'status', STATUSES),
    decision: textOf(given, 'decision'),
    part: choiceOf(given, 'part', ['linked']),
  };
}

/** Which decisions the figures of an exposure count. */
export interface ExposureSearch extends DayRange {
  readonly agent?: string | undefined;
  readonly action?: string | undefined;
}

export function readExposure(given: Given): ExposureSearch {
  return { ...rangeOf(given), agent: textOf(given, 'agent'), action: textOf(given, 'action') };
}

/** Which changes the activity shows. */
export interface ActivityFilters extends DayRange {
  /** The kind of change, such as `key.issued`. */
  readonly type?: string | undefined;
  /** The id of what was changed. */
  readonly subject?: string | undefined;
}

export function readActivity(given: Given): ActivityFilters {
  return { ...rangeOf(given), type: textOf(given, 'type'), subject: textOf(given, 'subject') };
}

/** The sections of the settings, in their order. */
export const SECTIONS = [
  'attribution',
  'thresholds',
  'currencies',
  'recording',
  'outcomes',
  'spans',
  'keys',
  'sessions',
  'webhooks',
  'failed-jobs',
] as const;

export type SectionName = (typeof SECTIONS)[number];

/** What may have become of what arrived over OpenTelemetry. */
export const SPAN_RESULTS = ['recorded', 'ignored', 'refused'] as const;

interface SettingsSearch {
  readonly section?: SectionName | undefined;
  /** Which spans are shown; all if absent. */
  readonly result?: (typeof SPAN_RESULTS)[number] | undefined;
}

export function readSettings(given: Given): SettingsSearch {
  return {
    section: choiceOf(given, 'section', SECTIONS),
    result: choiceOf(given, 'result', SPAN_RESULTS),
  };
}

/** Whether an address selects anything. */
export function isFiltered(search: object): boolean {
  return Object.values(search).some((value) => value !== undefined);
}
