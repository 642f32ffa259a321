// Judges matches by the transaction that the money belongs to, whichever of its steps is named.

/**
 * @typedef {{ matched: number, right: number }} MatchedCases events with a match, and those where each matched
 *   decision is about the right transaction
 */

/**
 * @param {import('./metrics.js').Judged[]} judged
 * @returns {MatchedCases}
 */
export function matchedCases(judged) {
  const matched = judged.filter((one) => matchesOf(one).length > 0);
  const right = matched.filter((one) => matchesOf(one).every(({ ref }) => one.isOfCase(ref)));
  return { matched: matched.length, right: right.length };
}

/**
 * NaN where there is nothing to judge.
 * @param {import('./metrics.js').Judged[]} judged
 */
export function measureCases(judged) {
  const caused = judged.filter(({ event }) => event.cause !== null);
  const first = caused.filter(
    ({ ranked, isOfCase }) => ranked.length > 0 && isOfCase(ranked[0].ref),
  );
  const { matched, right } = matchedCases(judged);
  const money = judged.map((one) => one.worth * sum(matchesOf(one).map(({ share }) => share)));
  return {
    right_case_first: first.length / caused.length,
    precision_matched_case: right / matched,
    matched_of_first_case: sum(money) / sum(first.map(({ worth }) => worth)),
  };
}

const matchesOf = ({ suggested }) => suggested.filter(({ label }) => label === 'matched');

const sum = (values) => values.reduce((total, value) => total + value, 0);
