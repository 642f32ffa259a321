import type { ChainPoint } from '@decision-ledger/proof/bundle/manifest';
import { Shape as Members, type Shape, ShapeError } from '@decision-ledger/proof/bundle/shape';
import { type Decimal, parseDecimal } from './decimal.js';

export const LABELS = ['confirmed', 'matched', 'guessed'] as const;
export type Label = (typeof LABELS)[number];

export const LINK_TYPES = ['revenue', 'saving', 'cost', 'refund', 'loss'] as const;
export type LinkType = (typeof LINK_TYPES)[number];

const FORMAT = 'decision-ledger/statement/v1';
/** No currency has more. */
const MAX_DIGITS = 10;

/** Printed amounts by the type of the links. */
export interface Figures {
  readonly revenue: string;
  readonly savings: string;
  readonly costs: string;
  readonly refunds: string;
  readonly losses: string;
  readonly net: string;
}

export interface CurrencyFigures {
  readonly currency: string;
  readonly digits: number;
  readonly confirmed: string;
  readonly matched: string;
  readonly guessed: string;
  readonly unconverted: string;
}

interface Rate {
  readonly from: string;
  /** YYYY-MM-DD. */
  readonly date: string;
  readonly rate: Decimal;
}

/** The members of statement.json before its rows. */
export interface About {
  readonly ledger: string;
  readonly agentId: string;
  readonly range: { readonly start: string; readonly end: string };
  readonly asOf: string;
  readonly decisions: ChainPoint | null;
  readonly activity: ChainPoint | null;
  readonly currency: string;
  /** Digits of the currency after the point. */
  readonly digits: number;
  readonly money: Readonly<Record<Label | 'expected', Figures>>;
  readonly interval: { readonly low: Decimal; readonly high: Decimal };
  readonly exposure: {
    readonly expected: string;
    readonly realised: string;
    readonly decisions: number;
  };
  readonly byCurrency: readonly CurrencyFigures[];
  /** By day, the oldest first. */
  readonly rates: readonly Rate[];
}

/** @throws ShapeError */
export function readAbout(about: Shape): About {
  about.oneOf('format', [FORMAT]);
  about.text('description');
  const range = about.object('range');
  const chains = about.object('chains');
  const figures = about.object('figures');
  const interval = figures.object('interval');
  const exposure = figures.object('exposure');
  const versions = about.object('versions');
  for (const name of ['p50', 'var95']) readDecimal(exposure, name);
  const read: About = {
    ledger: about.text('ledger'),
    agentId: about.text('agent_id'),
    range: { start: range.time('start'), end: range.time('end') },
    asOf: about.time('as_of'),
    decisions: readPoint(chains, 'decisions'),
    activity: readPoint(chains, 'activity'),
    currency: about.text('currency'),
    digits: readDigits(about),
    money: {
      confirmed: readFigures(figures.object('confirmed')),
      matched: readFigures(figures.object('matched')),
      guessed: readFigures(figures.object('guessed')),
      expected: readFigures(figures.object('expected')),
    },
    interval: { low: readDecimal(interval, 'low'), high: readDecimal(interval, 'high') },
    exposure: {
      expected: exposure.text('expected'),
      realised: exposure.text('realised'),
      decisions: exposure.count('decisions'),
    },
    byCurrency: figures.array('by_currency').map((one) => readCurrency(new Members(one))),
    rates: about
      .array('exchange_rates')
      .map((one) => readRate(new Members(one)))
      .sort((a, b) => (a.date < b.date ? -1 : Number(a.date > b.date))),
  };
  readVersions(versions);
  for (const shape of [range, chains, interval, exposure, figures, about]) shape.done();
  return read;
}

function readPoint(chains: Shape, name: string): ChainPoint | null {
  const point = chains.optObject(name);
  if (point === null) return null;
  const read = { seq: point.count('seq'), hash: point.hash('hash') };
  point.done();
  return read;
}

function readFigures(figures: Shape): Figures {
  const read = {
    revenue: figures.text('revenue'),
    savings: figures.text('savings'),
    costs: figures.text('costs'),
    refunds: figures.text('refunds'),
    losses: figures.text('losses'),
    net: figures.text('net'),
  };
  figures.done();
  return read;
}

function readCurrency(one: Shape): CurrencyFigures {
  const read = {
    currency: one.text('currency'),
    digits: readDigits(one),
    confirmed: one.text('confirmed'),
    matched: one.text('matched'),
    guessed: one.text('guessed'),
    unconverted: one.text('unconverted'),
  };
  one.done();
  return read;
}

function readRate(one: Shape): Rate {
  one.text('to');
  const value = one.value('rate');
  const rate = parseDecimal(typeof value === 'number' ? String(value) : String(value ?? ''));
  if (rate === null) throw new ShapeError('exchange_rates.rate is not a decimal.');
  return { from: one.text('from'), date: one.text('date'), rate };
}

/** They name what the figures depend on, and the signer attests them. */
function readVersions(versions: Shape): void {
  versions.text('service');
  const liability = versions.object('liability');
  liability.text('version');
  liability.count('snapshot');
  liability.done();
  for (const name of ['settings_seq', 'attribution_seq']) {
    if (versions.opt(name) !== null) versions.count(name);
  }
}

function readDigits(shape: Shape): number {
  const digits = shape.count('digits');
  if (digits > MAX_DIGITS) throw new ShapeError('digits is not the precision of a currency.');
  return digits;
}

/** @throws ShapeError */
function readDecimal(shape: Shape, name: string): Decimal {
  const decimal = parseDecimal(shape.text(name));
  if (decimal === null) throw new ShapeError(`${name} is not a decimal.`);
  return decimal;
}

/** @throws ShapeError */
function optDecimal(shape: Shape, name: string): Decimal | null {
  return shape.opt(name) === null ? null : readDecimal(shape, name);
}

/** A decision that a row names. */
export interface NamedDecision {
  readonly decisionId: string;
  readonly seq: number;
  readonly hash: string;
}

/** The part of an event that a link takes. */
export interface MoneyRow extends NamedDecision {
  readonly eventId: string;
  readonly linkId: string;
  readonly timestamp: string;
  readonly currency: string;
  readonly eventAmount: Decimal;
  readonly counted: Decimal;
  readonly linkType: LinkType;
  readonly label: Label;
  readonly share: Decimal;
  readonly amount: Decimal;
  readonly rate: Decimal | null;
  readonly converted: Decimal | null;
}

/** A decision with its estimate. */
export interface EstimateRow extends NamedDecision {
  readonly timestamp: string;
  readonly actionType: string;
  readonly exposure: Decimal | null;
  readonly realised: Decimal | null;
}

/** @throws ShapeError */
export function readMoneyRow(row: Shape): MoneyRow {
  const read = {
    eventId: row.text('financial_event_id'),
    linkId: row.text('link_id'),
    timestamp: row.time('timestamp'),
    currency: row.text('currency'),
    eventAmount: readDecimal(row, 'event_amount'),
    counted: readDecimal(row, 'counted_amount'),
    linkType: row.oneOf('link_type', LINK_TYPES),
    label: row.oneOf('label', LABELS),
    share: readDecimal(row, 'share'),
    amount: readDecimal(row, 'amount'),
    rate: optDecimal(row, 'rate'),
    converted: optDecimal(row, 'converted_amount'),
    ...readNamed(row),
  };
  row.opt('rate');
  row.opt('converted_amount');
  row.done();
  return read;
}

/** @throws ShapeError */
export function readEstimateRow(row: Shape): EstimateRow {
  const read = {
    timestamp: row.time('timestamp'),
    actionType: row.text('action_type'),
    exposure: optDecimal(row, 'exposure'),
    realised: optDecimal(row, 'realised'),
    ...readNamed(row),
  };
  // The interval of a single decision is part of no sum.
  optDecimal(row, 'low');
  optDecimal(row, 'high');
  row.done();
  return read;
}

function readNamed(row: Shape): NamedDecision {
  return {
    decisionId: row.text('decision_id'),
    seq: row.count('seq'),
    hash: row.hash('hash'),
  };
}
