/** How the figures of an insurance bundle are made, in words. */
export const INSURANCE_METHOD = [
  'Decisions are those whose timestamp lies in the period. What is linked to them, and what was ' +
    'estimated, is as it stood when the bundle was made.',
  'Human oversight: a human was in the loop, or a reviewer is named.',
  'A loss is a decision whose confirmed links of the type loss come to more than nothing, with ' +
    'recoveries taken off. The amount of an event is shared out among its links by strength.',
  'Amounts are converted into the base currency by the latest rate dated on or before the day of the ' +
    'event. Where no rate converts a loss it is counted, and "has_unconverted_losses" stands in place of amounts.',
  'median, p95 and max are nearest ranks, and they and the largest losses are rounded to two figures. ' +
    'sum and mean are rounded to the minor unit.',
  'Exposure is the sum of the costs that are still expected, without the losses that came; null while ' +
    'estimates are in another currency.',
  'Action types with fewer than 5 decisions, or with a name that is not plainly one of an action, are ' +
    'together in "other", and so are those that come after the first 5000 in time.',
  'A count of 1 to 4, or one that leaves 1 to 4 of its group, is suppressed, and with it those of ' +
    'smaller groups and as many more as it takes that totals do not give it away.',
  'Bins of a histogram with 1 to 4 are made one with their neighbours. Those of totals have the bounds ' +
    'that all action types share, and count those that show theirs.',
  'A decision of the largest losses is named by an HMAC-SHA-256 of its id under a secret of this one ' +
    'export, made from the master key of the service: who has that key and the ledger can say which one ' +
    'it is.',
];
