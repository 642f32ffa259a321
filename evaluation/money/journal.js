import { decimal } from './currencies.js';

/** @typedef {import('./company.js').Entry} Entry */

/**
 * The journal as it stood at a time.
 * @param {readonly Entry[]} entries
 * @param {number} time
 */
export function journalAt(entries, time) {
  return entries
    .filter(({ appears, ends = Number.POSITIVE_INFINITY }) => appears <= time && time < ends)
    .map((entry) => transaction(versionAt(entry, time)))
    .join('\n');
}

function versionAt({ versions }, time) {
  return (versions.findLast(({ from }) => from <= time) ?? versions[0]).text;
}

function transaction({ day, code, description, tags, postings, contra }) {
  const comment = Object.entries(tags).map(([name, value]) => `${name}:${value}`);
  const mark = code === undefined ? '' : `(${code}) `;
  return [
    `${day} ${mark}${description}  ; ${comment.join(', ')}`,
    ...postings.map(
      ({ account, amount, currency }) => `    ${account}  ${decimal(amount, currency)} ${currency}`,
    ),
    `    ${contra}`,
    '',
  ].join('\n');
}
