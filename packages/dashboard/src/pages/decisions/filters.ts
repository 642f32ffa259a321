import type { DecisionQuery } from '@decision-ledger/client/api/decision';
import type { ExportFilter } from '@decision-ledger/client/api/export';
import {
  choiceOf,
  type Given,
  numberOf,
  present,
  rangeOf,
  textOf,
} from '../../app/search-params.ts';
import type { DayRange } from '../../format/range.ts';

/** The search parameters of the page: which decisions it shows. */
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

export function queryOf(filters: DecisionFilters): DecisionQuery {
  const { agent, action, human, min, max, from, to, metadata } = filters;
  return {
    ...present({
      agent_id: agent,
      action_type: action,
      human_in_loop: human === undefined ? undefined : human === 'yes',
      min_confidence: min,
      max_confidence: max,
      start: from,
      end: to,
    }),
    ...metadataOf(metadata),
  };
}

/** The same as the filter of an export, whose days are given apart; null without a condition. */
export function exportFilterOf(filters: DecisionFilters): ExportFilter | null {
  const { start: _start, end: _end, ...query } = queryOf(filters);
  const members = Object.entries(query);
  const prefix = 'metadata.';
  const own = Object.fromEntries(members.filter(([name]) => !name.startsWith(prefix)));
  const metadata = members.flatMap(([name, value]) =>
    name.startsWith(prefix) ? [[name.slice(prefix.length), String(value)]] : [],
  );
  if (members.length === 0) return null;
  return { ...own, ...(metadata.length > 0 && { metadata: Object.fromEntries(metadata) }) };
}

function metadataOf(text: string | undefined): { [name: `metadata.${string}`]: string } {
  const at = text?.indexOf('=') ?? -1;
  if (text === undefined || at < 1) return {};
  return { [`metadata.${text.slice(0, at).trim()}`]: text.slice(at + 1).trim() };
}

export function isFiltered(filters: DecisionFilters): boolean {
  return Object.values(filters).some((value) => value !== undefined);
}
