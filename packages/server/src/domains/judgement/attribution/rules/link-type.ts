import type { LinkBody } from '@decision-ledger/contract/link';

type LinkType = LinkBody['link_type'];

const WORDS: readonly [RegExp, LinkType][] = [
  [/refund|reversal|return/, 'refund'],
  [/dispute|chargeback|loss|fraud|write.?off|default|penalty|fine/, 'loss'],
  [/saving|discount.?avoided|recover/, 'saving'],
  [/cost|expense|purchase|bill|fee|compensation|payout|salary|spend/, 'cost'],
  [/revenue|sale|income|charge|invoice|subscription/, 'revenue'],
];

/** What a suggested link says the event is: by its type, and where that says nothing by its sign. */
export function linkTypeOf(eventType: string, amount: string): LinkType {
  const type = eventType.toLowerCase();
  for (const [words, linkType] of WORDS) if (words.test(type)) return linkType;
  return amount.startsWith('-') ? 'cost' : 'revenue';
}
