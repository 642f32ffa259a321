import { FIGURE_TYPES, LABEL_SETS, type RowsQuery } from '@decision-ledger/contract/analytics-rows';
import { invalidField } from '@decision-ledger/contract/errors';
import type { Label, LinkType } from './books.js';

/** The parts of events that a figure counts. */
export interface Parts {
  /** The labels of the links; null for any, empty for no links. */
  readonly labels: readonly Label[] | null;
  /** Null for all types. */
  readonly linkType: LinkType | null;
  /** Whether the parts that no link takes count. */
  readonly hasUnlinked: boolean;
  /** Whether only parts with a rate count, or only those without; null for both. */
  readonly isConverted: boolean | null;
}

const LINKED = { labels: null, linkType: null, hasUnlinked: false };
const UNLINKED = { labels: [], linkType: null, hasUnlinked: true };

/** The parts of each figure by its name. */
const PARTS: ReadonlyMap<string, Parts> = new Map([
  ...Object.entries(LABEL_SETS).flatMap(([label, labels]) =>
    Object.entries(FIGURE_TYPES).map(([type, linkType]): [string, Parts] => [
      `${label}.${type}`,
      { labels, linkType, hasUnlinked: false, isConverted: true },
    ]),
  ),
  ['unattributed', { ...UNLINKED, isConverted: true }],
  ['unattributed_unconverted', { ...UNLINKED, isConverted: false }],
  ['unconverted', { ...LINKED, isConverted: false }],
  ['total', { ...LINKED, hasUnlinked: true, isConverted: null }],
]);

/**
 * The parts of a figure.
 * @throws LedgerError `validation_error` for money without a link of one agent or action type
 */
export function partsOf({ figure, agent_id, action_type }: RowsQuery): Parts {
  const parts = PARTS.get(figure);
  if (parts === undefined) throw invalidField('figure', 'is not a figure of this analysis');
  if (parts.hasUnlinked && (agent_id !== undefined || action_type !== undefined)) {
    throw invalidField(
      'figure',
      `${figure} includes money without a link, which has no agent and no action type: ` +
        'leave out agent_id and action_type',
    );
  }
  return parts;
}
