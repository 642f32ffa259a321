import type { Activity } from '@decision-ledger/client/api/activity';

/** Members of the data that say most about a change, the first first. */
const NOTABLE = [
  'name',
  'reason',
  'fields',
  'export_type',
  'link_type',
  'amount',
  'month',
  'status',
];
const LONGEST = 120;

/** The data of a change on one line: what says most of it. */
export function summaryOf({ data }: Pick<Activity, 'data'>): string {
  if (data === undefined) return '';
  const chosen = NOTABLE.filter((name) => Object.hasOwn(data, name) && data[name] !== null);
  const names = chosen.length > 0 ? chosen : Object.keys(data);
  const text = names
    .map((name) => `${name.replaceAll('_', ' ')}: ${textOf(data[name])}`)
    .join(', ');
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(' ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
