import type {
  ActionTypeExposure,
  TopDecision,
  TrendPoint,
} from '@decision-ledger/contract/analytics';
import { formatTimestamp } from '@decision-ledger/contract/time';
import { Big } from 'big.js';
import { difference, type Round, rounder } from './money.js';

/** Input of the aggregate of the liability model. */
interface Pool {
  readonly actionType: string;
  readonly agentId: string;
  readonly variant: string;
  readonly decisions: number;
  readonly expected: number;
  readonly events: number;
  readonly eventSquares: number;
  readonly sizes: number;
  readonly stake: number;
  readonly realised: number;
}

/** Sums over decisions of an action type, as the aggregate needs them; amounts are decimal text. */
interface Sums {
  readonly action_type: string;
  readonly decisions: number;
  readonly exposure: string;
  readonly realised: string;
  readonly stake: string;
  readonly events: number;
  readonly event_squares: number;
  readonly sizes: string;
}

/** Sums over the decisions of a version of an agent. */
export interface VariantRow extends Sums {
  readonly agent_id: string;
  readonly variant: string;
}

/** Sums over the decisions of an action type. */
export interface PoolRow extends Sums {
  readonly unconverted: number;
  readonly denied: number;
}

export interface TopRow {
  /** UUID. */
  readonly decision_id: string;
  readonly agent_id: string;
  readonly action_type: string;
  /** ms. */
  readonly timestamp: number;
  readonly exposure: string;
  readonly low: string;
  readonly high: string;
  readonly realised: string;
  readonly loss_p50: string;
  readonly loss_p95: string;
}

/** The exposure after the nightly run of a day. */
export interface DayRow {
  readonly day: string;
  readonly currency: string;
  readonly decisions: number;
  readonly exposure: string;
  readonly realised: string;
}

export interface Totals {
  readonly exposure: Big;
  readonly realised: Big;
  readonly decisions: number;
  readonly unconverted: number;
  readonly denied: number;
}

export function totalsOf(pools: readonly PoolRow[]): Totals {
  const amount = (name: 'exposure' | 'realised') =>
    pools.reduce((sum, pool) => sum.plus(pool[name]), new Big(0));
  const count = (name: 'decisions' | 'unconverted' | 'denied') =>
    pools.reduce((sum, pool) => sum + pool[name], 0);
  return {
    exposure: amount('exposure'),
    realised: amount('realised'),
    decisions: count('decisions'),
    unconverted: count('unconverted'),
    denied: count('denied'),
  };
}

/** Agents that are not listed one by one: no agent has this name. */
const OTHERS = '';

/**
 * Input of the aggregate of the liability model: the listed versions, and for each action type what they
 * leave of its sums.
 */
export function poolsOf(types: readonly PoolRow[], variants: readonly VariantRow[]): Pool[] {
  const left = new Map(types.map((row) => [row.action_type, poolOf(row, OTHERS, '')]));
  const listed = variants.map((row) => {
    const pool = poolOf(row, row.agent_id, row.variant);
    const rest = left.get(row.action_type);
    if (rest !== undefined) left.set(row.action_type, without(rest, pool));
    return pool;
  });
  const rest = [...left.values()].filter(({ decisions }) => decisions > 0);
  return [...listed, ...rest];
}

/** Sums of floating point numbers depend on the order of their terms, and draws must not. */
const steady = (sum: number): number => Number(sum.toPrecision(12));

function poolOf(row: Sums, agentId: string, variant: string): Pool {
  return {
    actionType: row.action_type,
    agentId,
    variant,
    decisions: row.decisions,
    expected: new Big(row.exposure).minus(row.realised).toNumber(),
    events: steady(row.events),
    eventSquares: steady(row.event_squares),
    sizes: Number(row.sizes),
    stake: Number(row.stake),
    realised: Number(row.realised),
  };
}

function without(all: Pool, part: Pool): Pool {
  return {
    ...all,
    decisions: all.decisions - part.decisions,
    expected: all.expected - part.expected,
    events: steady(all.events - part.events),
    eventSquares: steady(all.eventSquares - part.eventSquares),
    sizes: all.sizes - part.sizes,
    stake: all.stake - part.stake,
    realised: all.realised - part.realised,
  };
}

export function describePool(row: PoolRow, round: Round): ActionTypeExposure {
  const { action_type, decisions, exposure, realised } = row;
  const printed = { exposure: round(exposure), realised: round(realised) };
  return {
    action_type,
    decisions,
    ...printed,
    open: difference(printed.exposure, printed.realised),
  };
}

/** @param id with its prefix */
export function describeTop(row: TopRow, id: string, round: Round): TopDecision {
  return {
    decision_id: id,
    agent_id: row.agent_id,
    action_type: row.action_type,
    timestamp: formatTimestamp(row.timestamp),
    expected: round(row.exposure),
    expected_low: round(row.low),
    expected_high: round(row.high),
    realised: round(row.realised),
    open: difference(round(row.exposure), round(row.realised)),
    loss_if_any_p50: round(row.loss_p50),
    loss_if_any_p95: round(row.loss_p95),
  };
}

/** @param isNow true for current figures, false for those after a nightly run */
export function describeDay(row: DayRow, isNow: boolean): TrendPoint {
  const { day, currency, decisions } = row;
  const round = rounder(currency);
  return {
    day,
    is_now: isNow,
    currency,
    decisions,
    exposure: round(row.exposure),
    realised: round(row.realised),
  };
}
