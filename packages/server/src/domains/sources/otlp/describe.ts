import type { SpanGroups } from '@decision-ledger/contract/otlp';
import { formatTimestamp } from '@decision-ledger/contract/time';
import { type KeptGroup, sinceOf } from './rules/span-groups.js';

/** Groups as the API shows them, the last to arrive first. */
export function describeSpanGroups(kept: readonly KeptGroup[], now: number): SpanGroups {
  const groups = [...kept].sort((a, b) => b.last_at - a.last_at);
  return {
    since: formatTimestamp(sinceOf(now)),
    groups: groups.map(({ hours, first_at, last_at, attributes, ...arrival }) => ({
      ...arrival,
      count: hours.reduce((sum, [, count]) => sum + count, 0),
      first_at: formatTimestamp(first_at),
      last_at: formatTimestamp(last_at),
      attributes: [...attributes],
    })),
  };
}
