import type { LinkBody } from '@decision-ledger/contract/link';

type LinkType = LinkBody['link_type'];

const WORDS: readonly [RegExp, LinkType][] = [
  [/refund|reversal|return/, 'refund'],
  [/dispute|chargeback|loss|fraud|write.?off|default|penalty|fine/, 'loss'],
  [/saving|discount.?avoided|recover/, 'saving'],
  [/cost|expense|purchase|bill|fee|compensation|payout|salary|spend/, 'cost'],
  [/revenue|sale|income|charge|invoice|subscription/, 'revenue'],
];

/** The link type of a suggestion: by the event type, or else by the sign of the amount. */
export function linkTypeOf(eventType: string, amount: string): LinkType {
  const type = eventType.toLowerCase();
  for (const [words, linkType] of WORDS) if (words.test(type)) return linkType;
  return amount.startsWith('-') ? 'cost' : 'revenue';
}
