import { type ExplainedLink, type Link, LinkScore } from '@decision-ledger/contract/link';
import { formatTimestamp } from '@decision-ledger/contract/time';
import { checker } from '@decision-ledger/contract/validation';
import { parseJson } from '@decision-ledger/proof/gate';
import { uuidToId } from '../../../platform/ids.js';
import { waterfallOf } from './rules/waterfall.js';
import type { LinkRow } from './store/links.js';

const checkScore = checker(LinkScore, 'score');

/** A stored link as the API returns it. */
export function describeLink(row: LinkRow): Link {
  return { ...describeEvidence(row), label: labelOf(row) };
}

/** A stored link as evidence shows it: without the label, which no record states for older links. */
export function describeEvidence(row: LinkRow): Omit<Link, 'label'> {
  return {
    id: uuidToId('lnk', row.link_id),
    decision_id: uuidToId('dec', row.decision_id),
    financial_event_id: uuidToId('evt', row.event_id),
    correlation_strength: row.correlation_strength,
    link_type: row.link_type,
    reversal: row.reversal,
    attribution_method: row.attribution_method,
    status: row.status,
    ...(row.notes !== null && { notes: row.notes }),
    ...(row.score !== null && { score: checkScore(parseJson(row.score)) }),
    created_by: row.created_by,
    created_at: formatTimestamp(row.created_at),
    ...(row.reviewed_by !== null && { reviewed_by: row.reviewed_by }),
    ...(row.reviewed_at !== null && { reviewed_at: formatTimestamp(row.reviewed_at) }),
    deleted_at: row.deleted_at === null ? null : formatTimestamp(row.deleted_at),
  };
}

function labelOf({ status, label, deleted_at }: LinkRow): Link['label'] {
  if (deleted_at !== null || status === 'REJECTED') return null;
  return status === 'ML_SUGGESTED' ? (label ?? 'guessed') : 'confirmed';
}

/** A stored link with the evidence of its score, step by step. */
export function describeInDetail(row: LinkRow): ExplainedLink {
  const link = describeLink(row);
  return { ...link, ...(link.score !== undefined && { waterfall: waterfallOf(link.score) }) };
}
