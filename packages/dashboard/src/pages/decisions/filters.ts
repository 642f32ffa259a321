import type { DecisionQuery } from '@decision-ledger/client/api/decision';
import type { ExportFilter } from '@decision-ledger/client/api/export';
import { type DecisionFilters, present } from '../../app/search-params.ts';

export function queryOf(filters: DecisionFilters): DecisionQuery {
  const { from, to, metadata } = filters;
  return {
    ...conditionsOf(filters),
    ...present({ start: from, end: to }),
    ...metadataOf(metadata),
  };
}

function metadataOf(text: string | undefined): { [name: `metadata.${string}`]: string } {
  const member = memberOf(text);
  return member === null ? {} : { [`metadata.${member.key}`]: member.value };
}

/** The same as the filter of an export, whose days are given apart; null without a condition. */
export function exportFilterOf(filters: DecisionFilters): ExportFilter | null {
  const member = memberOf(filters.metadata);
  const filter: ExportFilter = {
    ...conditionsOf(filters),
    ...(member !== null && { metadata: { [member.key]: member.value } }),
  };
  return Object.keys(filter).length === 0 ? null : filter;
}

function conditionsOf({ agent, action, human, min, max }: DecisionFilters) {
  return present({
    agent_id: agent,
    action_type: action,
    human_in_loop: human === undefined ? undefined : human === 'yes',
    min_confidence: min,
    max_confidence: max,
  });
}

/** A member of metadata, from a text such as `customer_id=c-7`. */
function memberOf(text: string | undefined): { key: string; value: string } | null {
  const at = text?.indexOf('=') ?? -1;
  if (text === undefined || at < 1) return null;
  return { key: text.slice(0, at).trim(), value: text.slice(at + 1).trim() };
}
