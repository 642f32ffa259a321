import { minorUnits } from '@decision-ledger/contract/currency';
import { formatTimestamp } from '@decision-ledger/contract/time';
import type { ChainPoint } from '@decision-ledger/proof/bundle/manifest';
import { uuidToId } from '../../../platform/ids.js';
import type { StatementFigures, StatementOf } from '../../answers/analytics/index.js';
import type { DecisionPlace } from './store/statement.js';

/** What a statement is about, besides its figures. */
export interface StatementAbout {
  readonly of: StatementOf;
  readonly ledger: string;
  /** Version of the service. */
  readonly version: string;
  readonly chains: { readonly decisions: ChainPoint | null; readonly activity: ChainPoint | null };
  /** Places in the chain of activity that fixed what the figures depend on; null if none did. */
  readonly parameters: { readonly settings: number | null; readonly attribution: number | null };
}

/** The members of statement.json before its rows. */
export function statementAbout(
  { of, ledger, version, chains, parameters }: StatementAbout,
  { state, conversion, money, exposure, model }: StatementFigures,
): object {
  const { confirmed, matched, guessed, expected, confidence_interval, by_currency } = money;
  const { aggregate, totals } = exposure;
  const used = new Set(by_currency.map(({ currency }) => currency));
  return {
    format: 'decision-ledger/statement/v1',
    description:
      'The figures of one agent, and the rows that they are the sums of, one a line: the parts of ' +
      'events by time of the event, then the decisions by time.',
    ledger,
    agent_id: of.agentId,
    range: { start: formatTimestamp(of.start), end: formatTimestamp(of.end) },
    as_of: state.as_of,
    chains,
    currency: money.currency,
    digits: minorUnits(money.currency),
    figures: {
      ...{ confirmed, matched, guessed, expected, interval: confidence_interval },
      exposure: {
        expected: aggregate.expected,
        p50: aggregate.p50,
        var95: aggregate.var95,
        realised: aggregate.realised,
        decisions: totals.decisions,
      },
      by_currency: by_currency.map(({ unattributed: _none, total: _all, ...amounts }) => ({
        ...amounts,
        digits: minorUnits(amounts.currency),
      })),
    },
    exchange_rates: conversion.rates.filter(
      ({ from, to }) => to === conversion.base && used.has(from),
    ),
    versions: {
      service: version,
      liability: model,
      settings_seq: parameters.settings,
      attribution_seq: parameters.attribution,
    },
  };
}

/** A row of linked money: UUIDs, ms and decimal text. */
interface MoneyRow {
  readonly event_id: string;
  readonly timestamp: number;
  readonly currency: string;
  readonly event_amount: string;
  readonly counted_amount: string;
  readonly link_id: string | null;
  readonly decision_id: string | null;
  readonly label: string;
  readonly link_type: string | null;
  readonly share: string;
  readonly amount: string;
  readonly rate: string | null;
  readonly converted_amount: string | null;
}

/** The part of an event that a link takes, as one line of statement.json. */
export function moneyLine(row: MoneyRow, { seq, hash }: DecisionPlace): string {
  return JSON.stringify({
    row: 'money',
    financial_event_id: uuidToId('evt', row.event_id),
    timestamp: formatTimestamp(row.timestamp),
    currency: row.currency,
    event_amount: row.event_amount,
    counted_amount: row.counted_amount,
    link_id: row.link_id === null ? null : uuidToId('lnk', row.link_id),
    link_type: row.link_type,
    label: row.label,
    share: row.share,
    amount: row.amount,
    rate: row.rate,
    converted_amount: row.converted_amount,
    decision_id: row.decision_id === null ? null : uuidToId('dec', row.decision_id),
    ...{ seq, hash },
  });
}

/** A decision with its estimate: UUID, ms and decimal text. */
interface EstimateRow {
  readonly decision_id: string;
  readonly timestamp: number;
  readonly action_type: string;
  readonly exposure: string | null;
  readonly low: string | null;
  readonly high: string | null;
  readonly realised: string | null;
}

/** A decision, as one line of statement.json. */
export function decisionRowLine(row: EstimateRow, { seq, hash }: DecisionPlace): string {
  const { decision_id, timestamp, action_type, exposure, low, high, realised } = row;
  return JSON.stringify({
    row: 'decision',
    decision_id: uuidToId('dec', decision_id),
    timestamp: formatTimestamp(timestamp),
    ...{ action_type, exposure, low, high, realised, seq, hash },
  });
}
