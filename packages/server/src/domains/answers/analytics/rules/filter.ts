import { type Range, readRange } from '@decision-ledger/contract/time';

/** Filter that all analyses accept. */
export interface Filter extends Range {
  readonly agentId: string | undefined;
  readonly actionType: string | undefined;
}

interface FilterQuery {
  readonly start?: string;
  readonly end?: string;
  readonly agent_id?: string;
  readonly action_type?: string;
}

/** @throws LedgerError `validation_error` for an invalid range */
export function readAnalyticsFilter(query: FilterQuery): Filter {
  return {
    ...readRange(query.start, query.end),
    agentId: query.agent_id,
    actionType: query.action_type,
  };
}

/** Whether the analysis is not limited to some links: money without a link counts too. */
export const isWhole = ({ agentId, actionType }: Filter): boolean =>
  agentId === undefined && actionType === undefined;

const HOUR_MS = 3_600_000;

/** A range, split into whole hours (UTC) and the rests at its ends. */
export interface InHours {
  /** Null if the range contains no whole hour. */
  readonly whole: Range | null;
  readonly edges: readonly Range[];
}

export function inHours({ start, end }: Range): InHours {
  const first = start === undefined ? undefined : Math.ceil(start / HOUR_MS) * HOUR_MS;
  const last = end === undefined ? undefined : Math.floor(end / HOUR_MS) * HOUR_MS;
  if (first !== undefined && last !== undefined && first > last) {
    return { whole: null, edges: [{ start, end }] };
  }
  const before = { start, end: first };
  const after = { start: last, end };
  return {
    whole: first !== undefined && first === last ? null : { start: first, end: last },
    edges: [before, after].filter((edge) => edge.start !== edge.end),
  };
}
