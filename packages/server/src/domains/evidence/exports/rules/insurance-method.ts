/** Explains how the figures of an insurance bundle are made. */
export const INSURANCE_METHOD = [
  'The bundle covers decisions with a timestamp in the period. Their links and estimates are those of ' +
    'the time when the bundle was made.',
  'Human oversight: a human was in the loop, or a reviewer is named.',
  'A loss is a decision whose confirmed links of type loss, less recoveries, sum to more than zero. The ' +
    'amount of an event is divided among its links by strength.',
  'Amounts are converted into the base currency by the latest rate dated on or before the day of the ' +
    'event. A loss that no rate converts is counted, and "has_unconverted_losses" replaces the amounts.',
  'median, p95 and max are nearest ranks. They and the largest losses are rounded to two significant ' +
    'figures. sum and mean are rounded to the minor unit.',
  'Exposure is the sum of the costs still expected, without realised losses. It is null while estimates ' +
    'are in another currency.',
  'Action types with fewer than 5 decisions, or with a name that is not clearly an action, are combined ' +
    'in "other". So are those that first occur after 5000 others.',
  'A count of 1 to 4, or one that leaves 1 to 4 of its group, is suppressed. The counts of smaller ' +
    'groups are suppressed with it, and as many more as needed so that totals do not reveal it.',
  'Bins of a histogram with a count of 1 to 4 are merged with their neighbours. The bins of totals have ' +
    'the bounds that all action types share, and count the action types that show their bins.',
  'A decision in the largest losses is named by an HMAC-SHA-256 of its id under a secret of this export, ' +
    'derived from the master key of the service. Only a holder of that key and the ledger can identify ' +
    'it.',
];
