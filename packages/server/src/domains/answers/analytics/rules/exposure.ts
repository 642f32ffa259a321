import type {
  ActionTypeExposure,
  TopDecision,
  TrendPoint,
} from '@decision-ledger/contract/analytics';
import { formatTimestamp } from '@decision-ledger/contract/time';
import { Big } from 'big.js';
import { type Round, rounder } from './money.js';

/** Sums over the decisions of an action type; amounts are decimal text. */
export interface PoolRow {
  readonly action_type: string;
  readonly decisions: number;
  readonly exposure: string;
  readonly realised: string;
  /** Sum of the squares of exposure − realised. */
  readonly squares: string;
  readonly stake: string;
  readonly unconverted: number;
  /** Decisions without an estimate. */
  readonly pending: number;
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
  readonly pending: number;
}

export function totalsOf(pools: readonly PoolRow[]): Totals {
  const amount = (name: 'exposure' | 'realised') =>
    pools.reduce((sum, pool) => sum.plus(pool[name]), new Big(0));
  const count = (name: 'decisions' | 'unconverted' | 'pending') =>
    pools.reduce((sum, pool) => sum + pool[name], 0);
  return {
    exposure: amount('exposure'),
    realised: amount('realised'),
    decisions: count('decisions'),
    unconverted: count('unconverted'),
    pending: count('pending'),
  };
}

/** Input of the aggregate of the liability model. */
export function poolOf({ action_type, exposure, realised, squares, stake }: PoolRow) {
  return {
    actionType: action_type,
    expected: new Big(exposure).minus(realised).toNumber(),
    squares: Number(squares),
    stake: Number(stake),
    realised: Number(realised),
  };
}

export function describePool(row: PoolRow, round: Round): ActionTypeExposure {
  const { action_type, decisions, exposure, realised } = row;
  return { action_type, decisions, exposure: round(exposure), realised: round(realised) };
}

/** @param id with its prefix */
export function describeTop(row: TopRow, id: string, round: Round): TopDecision {
  return {
    decision_id: id,
    agent_id: row.agent_id,
    action_type: row.action_type,
    timestamp: formatTimestamp(row.timestamp),
    exposure: round(row.exposure),
    low: round(row.low),
    high: round(row.high),
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
