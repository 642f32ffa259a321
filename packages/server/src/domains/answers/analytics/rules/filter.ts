import { FIGURE_TYPES, LABEL_SETS, type RowsQuery } from '@decision-ledger/contract/analytics-rows';
import { invalidField } from '@decision-ledger/contract/errors';
import { LINES, type Line } from '@decision-ledger/contract/source-profiles';
import { type Range, readRange } from '@decision-ledger/contract/time';
import type { Label, LinkType } from './books.js';

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

/** The parts of events that a figure counts. */
export interface Parts {
  /** The labels of the links; null for any, empty for no links. */
  readonly labels: readonly Label[] | null;
  /** Null for all types. */
  readonly linkType: LinkType | null;
  /** Whether the parts that no link takes count. */
  readonly hasUnlinked: boolean;
  /** The line whose events are listed, which do not count; null for those that do. */
  readonly line: Line | null;
  /** Whether only parts with a rate count, or only those without; null for both. */
  readonly isConverted: boolean | null;
}

/** The figure of a query that names none. */
export const TOTAL = 'total';

const LINKED = { labels: null, linkType: null, hasUnlinked: false, line: null };
const UNLINKED = { labels: [], linkType: null, hasUnlinked: true, line: null };

/** The parts of each figure by its name. */
const PARTS: ReadonlyMap<string, Parts> = new Map([
  ...Object.entries(LABEL_SETS).flatMap(([label, labels]) =>
    Object.entries(FIGURE_TYPES).map(([type, linkType]): [string, Parts] => [
      `${label}.${type}`,
      { labels, linkType, hasUnlinked: false, line: null, isConverted: true },
    ]),
  ),
  ['unattributed', { ...UNLINKED, isConverted: true }],
  ['unattributed_unconverted', { ...UNLINKED, isConverted: false }],
  ['unconverted', { ...LINKED, isConverted: false }],
  [TOTAL, { ...LINKED, hasUnlinked: true, isConverted: null }],
  ...LINES.map((line): [string, Parts] => [
    line,
    { ...UNLINKED, hasUnlinked: false, line, isConverted: null },
  ]),
]);

/**
 * The parts of a figure.
 * @throws LedgerError `validation_error` for money without a link of one agent or action type
 */
export function partsOf({ figure = TOTAL, agent_id, action_type }: RowsQuery): Parts {
  const parts = PARTS.get(figure);
  if (parts === undefined) throw invalidField('figure', 'is not a figure of this analysis');
  const isWhole = parts.hasUnlinked || parts.line !== null;
  if (isWhole && (agent_id !== undefined || action_type !== undefined)) {
    throw invalidField(
      'figure',
      `${figure} includes money without a link, which has no agent and no action type: ` +
        'leave out agent_id and action_type',
    );
  }
  return parts;
}
