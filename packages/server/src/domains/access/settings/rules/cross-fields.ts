import { ACCOUNTING, type AccountingConnection } from '@decision-ledger/contract/accounting';
import type { Budget } from '@decision-ledger/contract/budget';
import { currencyProblem, isCurrency } from '@decision-ledger/contract/currency';
import { LIKELIHOODS, SEVERITIES } from '@decision-ledger/contract/liability-settings';
import type { ModelPrice } from '@decision-ledger/contract/model-price';
import type { LinkTypeRow } from '@decision-ledger/contract/money-signs';
import type { OtlpRule } from '@decision-ledger/contract/otlp-settings';
import { memberOf } from '@decision-ledger/contract/schema-node';
import type { ExchangeRate, Settings } from '@decision-ledger/contract/settings';
import { parseRangeStart } from '@decision-ledger/contract/time';
import { Big } from 'big.js';
import { originProblem } from './origins.js';
import { sourceProblems } from './otlp-sources.js';
import { isMask } from './secrets.js';

type Problem = readonly [path: string, problem: string];

const NO_CURRENCY = 'is not a currency code of ISO 4217';
const NO_URL = 'must be an http or https URL without user name and password';
const UNSIGNED =
  'is required with alerts.url to sign alerts: `whsec_` and the base64 of 24 to 64 bytes';

/** The day of a benchmark may be this far in the future; a later one is taken for a typing error. */
const BENCHMARK_AHEAD_MS = 366 * 86_400_000;

/**
 * Checks the rules that the schema cannot express.
 * @param now ms
 */
export function crossProblems(settings: Settings, now: number): Problem[] {
  const { base_currency, exchange_rates, model_prices, accounting, alerts, budgets } = settings;
  const { attribution, liability, otlp, cors } = settings;
  return [
    ...baseCurrencyProblems(base_currency, now),
    ...exchange_rates.flatMap(rateProblems),
    ...repeated(exchange_rates.map(rateKey), (index, first) => [
      `exchange_rates[${index}]`,
      `repeats from, to and date of exchange_rates[${first}]: keep one of them`,
    ]),
    ...accounting.flatMap(urlProblems),
    ...repeated(
      accounting.map(({ id }) => id),
      (index, first) => [`accounting[${index}].id`, `is already the id of accounting[${first}]`],
    ),
    ...model_prices.flatMap(priceProblems),
    ...repeated(
      model_prices.map(({ model, from }) => `${from} ${model}`),
      (index, first) => [
        `model_prices[${index}]`,
        `repeats model and from of model_prices[${first}]: keep one of them`,
      ],
    ),
    ...alertProblems(alerts),
    ...budgets.flatMap(budgetProblems),
    ...repeated(
      budgets.map(({ id }) => id),
      (index, first) => [`budgets[${index}].id`, `is already the id of budgets[${first}]`],
    ),
    ...weightProblems(attribution),
    ...zoneProblems(attribution),
    ...unitProblems(attribution),
    ...reversalProblems('link_types', attribution.link_types),
    ...reversalProblems('default_link_types', attribution.default_link_types),
    ...benchmarkProblems(liability, now),
    ...scaleProblems(liability),
    ...otlp.rules.flatMap(conditionProblems),
    ...otlp.rules.flatMap(sourceProblems),
    ...cors.origins.flatMap(originProblems),
    ...repeated(cors.origins, (index, first) => [
      `cors.origins[${index}]`,
      `repeats cors.origins[${first}]: keep one of them`,
    ]),
  ];
}

function originProblems(origin: string, index: number): Problem[] {
  const problem = originProblem(origin);
  return problem === null ? [] : [[`cors.origins[${index}]`, problem]];
}

/**
 * Refuses a mask together with a new address: otherwise a caller who does not know the secret could
 * have it sent elsewhere.
 * @param before current settings; `after` new ones, both with masks
 */
export function movedSecrets(before: Settings, after: Settings): Problem[] {
  return after.accounting.flatMap((connection, index): Problem[] => {
    const { secrets, urls } = ACCOUNTING[connection.kind];
    const agrees = (old: AccountingConnection, names: readonly string[]) =>
      names.every((name) => memberOf(old, name) === memberOf(connection, name));
    const isKept = (name: string) =>
      before.accounting.some((old) => agrees(old, ['kind', name, ...urls]));
    const moved = secrets.filter((name) => isMasked(connection, name) && !isKept(name));
    const problem = `belongs to a different address: send the secret itself when you change ${urls.join(' or ')}`;
    return moved.map((name) => [`accounting[${index}].${name}`, problem]);
  });
}

function isMasked(connection: AccountingConnection, name: string): boolean {
  const value = memberOf(connection, name);
  return typeof value === 'string' && isMask(value);
}

/** Totals are in a currency of today. The rates of a withdrawn one convert what was recorded in its time. */
function baseCurrencyProblems(code: string, now: number): Problem[] {
  const problem = currencyProblem(code, now);
  return problem === null ? [] : [['base_currency', problem]];
}

function rateKey({ from, to, date }: ExchangeRate): string {
  return `${from} ${to} ${date}`;
}

function rateProblems({ from, to }: ExchangeRate, index: number): Problem[] {
  const path = `exchange_rates[${index}]`;
  const problems: Problem[] = [];
  if (!isCurrency(from)) problems.push([`${path}.from`, NO_CURRENCY]);
  if (!isCurrency(to)) problems.push([`${path}.to`, NO_CURRENCY]);
  if (from === to) problems.push([`${path}.to`, 'must differ from `from`']);
  return problems;
}

function priceProblems({ currency }: ModelPrice, index: number): Problem[] {
  return isCurrency(currency) ? [] : [[`model_prices[${index}].currency`, NO_CURRENCY]];
}

function urlProblems(connection: AccountingConnection, index: number): Problem[] {
  return ACCOUNTING[connection.kind].urls.flatMap((name): Problem[] => {
    const url = memberOf(connection, name);
    if (typeof url !== 'string' || isPlainUrl(url)) return [];
    return [[`accounting[${index}].${name}`, NO_URL]];
  });
}

function alertProblems({ url, secret }: Settings['alerts']): Problem[] {
  const problems: Problem[] = [];
  if (url !== null && !isPlainUrl(url)) problems.push(['alerts.url', NO_URL]);
  if (url !== null && secret === null) problems.push(['alerts.secret', UNSIGNED]);
  return problems;
}

function budgetProblems({ measure, period }: Budget, index: number): Problem[] {
  const path = `budgets[${index}].period`;
  if (measure === 'open_exposure') {
    const problem = 'what may still be lost has no period: omit this field';
    return period === undefined ? [] : [[path, problem]];
  }
  return period === undefined ? [[path, `is required for ${measure}: day or month`]] : [];
}

/** The tolerance covers the rounding of binary fractions. */
function weightProblems({ weights }: Settings['attribution']): Problem[] {
  const sum = Object.values(weights).reduce((total, weight) => total + weight, 0);
  if (Math.abs(sum - 1) < 1e-9) return [];
  return [['attribution.weights', `must sum to 1; these sum to ${Number(sum.toFixed(6))}`]];
}

/** Each amount of a payload is compared with each row about units. */
const MAX_UNIT_ROWS = 50;

function unitProblems({ profiles, default_profiles }: Settings['attribution']): Problem[] {
  const count = [...profiles, ...default_profiles].flatMap(({ units = [] }) => units).length;
  if (count <= MAX_UNIT_ROWS) return [];
  const problem = `have ${count} rows of \`units\` together with default_profiles: at most ${MAX_UNIT_ROWS} can be read`;
  return [['attribution.profiles', problem]];
}

function reversalProblems(name: string, rows: readonly LinkTypeRow[]): Problem[] {
  return rows.flatMap(({ link_type, reversal = false }, index): Problem[] => {
    if (!reversal || (link_type !== 'revenue' && link_type !== 'saving')) return [];
    const problem = 'only a cost, refund or loss can be reversed: omit this field';
    return [[`attribution.${name}[${index}].reversal`, problem]];
  });
}

function conditionProblems(
  { operation, span_name, attribute, value }: OtlpRule,
  index: number,
): Problem[] {
  const path = `otlp.rules[${index}]`;
  const hasAny = [operation, span_name, attribute].some((condition) => condition !== undefined);
  if (!hasAny) return [[path, 'needs a condition: operation, span_name or attribute']];
  const isLoose = value !== undefined && attribute === undefined;
  return isLoose ? [[`${path}.value`, 'needs `attribute`, whose value it is']] : [];
}

/**
 * A mapping is known by its version, which decisions name.
 * @param before current settings; `after` new ones
 */
export function mappingProblems({ otlp: before }: Settings, { otlp: after }: Settings): Problem[] {
  const isOff = [before, after].some(
    ({ preset, rules }) => preset === 'none' && rules.length === 0,
  );
  if (isOff || after.version > before.version) return [];
  if (JSON.stringify(after) === JSON.stringify(before)) return [];
  const least = before.version + 1;
  return [['otlp.version', `must be at least ${least}, because the mapping changes`]];
}

const NO_ZONE = 'must be the IANA name of a time zone, such as Europe/Berlin';

function zoneProblems({ time_zone, ...attribution }: Settings['attribution']): Problem[] {
  const own: Problem[] = isTimeZone(time_zone) ? [] : [['attribution.time_zone', NO_ZONE]];
  const ofClocks = (['profiles', 'default_profiles'] as const).flatMap((name) =>
    attribution[name].flatMap(({ clock }, index): Problem[] => {
      const zone = clock?.time_zone;
      if (zone === undefined || OFFSET.test(zone) || isTimeZone(zone)) return [];
      const path = `attribution.${name}[${index}].clock.time_zone`;
      return [[path, `${NO_ZONE}, or an offset, such as +02:00`]];
    }),
  );
  return [...own, ...ofClocks];
}

const OFFSET = /^[+-](?:0\d|1[0-4]):[0-5]\d$/;

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

function benchmarkProblems({ benchmarks }: Settings['liability'], now: number): Problem[] {
  return Object.entries(benchmarks).flatMap(([actionType, { as_of }]): Problem[] => {
    const path = `liability.benchmarks.${actionType}.as_of`;
    const isAhead = (parseRangeStart(as_of) ?? 0) > now + BENCHMARK_AHEAD_MS;
    return isAhead ? [[path, 'must not be more than a year ahead']] : [];
  });
}

/** Worse names need higher figures, and more oversight must not raise the risk. */
function scaleProblems({ likelihoods, severities, oversight }: Settings['liability']): Problem[] {
  const { human_in_loop, reviewer } = oversight;
  return [
    ...falls(LIKELIHOODS, (name) => new Big(likelihoods[name]), 'liability.likelihoods'),
    ...falls(SEVERITIES, (name) => new Big(severities[name]), 'liability.severities'),
    ...(reviewer <= human_in_loop
      ? []
      : [
          [
            'liability.oversight.reviewer',
            'must not be above liability.oversight.human_in_loop',
          ] as const,
        ]),
  ];
}

/** A problem for each name whose figure is below that of the previous name. */
function falls<Name extends string>(
  names: readonly Name[],
  figure: (name: Name) => Big,
  path: string,
): Problem[] {
  return names.flatMap((name, index): Problem[] => {
    const before = names[index - 1];
    if (before === undefined || figure(name).gte(figure(before))) return [];
    return [[`${path}.${name}`, `must not be below ${path}.${before}`]];
  });
}

function isPlainUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && username === '' && password === '';
}

/** A problem for each key that occurs earlier in the list. */
function repeated(
  keys: readonly string[],
  problem: (index: number, first: number) => Problem,
): Problem[] {
  const first = new Map<string, number>();
  return keys.flatMap((key, index) => {
    const earlier = first.get(key);
    if (earlier === undefined) first.set(key, index);
    return earlier === undefined ? [] : [problem(index, earlier)];
  });
}
