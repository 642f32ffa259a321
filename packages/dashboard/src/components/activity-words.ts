import type { Activity } from '@decision-ledger/client/api/chain';

/** The kinds of change that the ledger records, in the words of the page. */
export const CHANGES = {
  'financial_event.recorded': 'Event recorded',
  'financial_event.deleted': 'Event deleted',
  'financial_event.reviewed': 'Event reviewed',
  'financial_event.recounted': 'Signs of events changed',
  'movement.paired': 'Paired as the same money',
  'movement.parted': 'Parted as other money',
  'link.created': 'Link created',
  'link.suggested': 'Link suggested',
  'link.inherited': 'Link taken from the payment',
  'link.confirmed': 'Link confirmed',
  'link.rejected': 'Link rejected',
  'link.deleted': 'Link deleted',
  'decision.field_erased': 'Fields erased',
  'export.requested': 'Export requested',
  'export.made': 'Export made',
  'export.downloaded': 'Export downloaded',
  'presentation.made': 'Decision presented',
  'log.started': 'Transparency log started',
  'checkpoint.signed': 'Checkpoint signed',
  'ledger.restored': 'Restored from a backup with a loss',
  'settings.changed': 'Settings changed',
  'max_lateness.changed': 'Limit of late decisions changed',
  'key.issued': 'Key issued',
  'key.revoked': 'Key revoked',
  'session.created': 'Signed in',
  'session.revoked': 'Session ended',
  'signing_key.created': 'Signing key created',
  'signing_key.rotated': 'Signing key rotated',
  'master_key.rotated': 'Master key rotated',
  'master_key.reset': 'Master key reset',
  'month.closed': 'Month closed',
  'month.restated': 'Month restated',
  'attribution.model_changed': 'Attribution model changed',
  'attribution.label_withdrawn': 'Label “matched” withdrawn',
  'attribution.label_restored': 'Label “matched” restored',
  'reconciliation.sealed': 'Tables sealed',
  'derived.rebuilt': 'Derived rows rebuilt',
} as const satisfies Readonly<Record<string, string>>;

/** A kind that a newer service records keeps its name. */
export function changeOf(type: string): string {
  return isKnown(type) ? CHANGES[type] : type;
}

function isKnown(type: string): type is keyof typeof CHANGES {
  return Object.hasOwn(CHANGES, type);
}

/**
 * The author of a change, for people.
 * @param keyNames names of keys, by their id
 */
export function authorOf(actor: string, keyNames: ReadonlyMap<string, string>): string {
  const session = /^(.+) \(ses_[^)]*\)$/.exec(actor);
  if (session?.[1] !== undefined) return session[1];
  if (actor === 'operator') return 'Operator (command line)';
  if (actor === 'engine') return 'The service';
  return keyNames.get(actor) ?? actor;
}

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
  'by',
  'with',
  'from',
  'withdrawn',
];
const LONGEST = 120;

/** The data of a change on one line: what says most of it. */
export function summaryOf({ data }: Pick<Activity, 'data'>): string {
  if (data === undefined) return '';
  const reasons = reasonsIn(data);
  if (reasons !== '') return `${textOf(data.month)}: ${reasons}`;
  const chosen = NOTABLE.filter((name) => Object.hasOwn(data, name) && data[name] !== null);
  const names = chosen.length > 0 ? chosen : Object.keys(data);
  const text = names
    .map((name) => `${name.replaceAll('_', ' ')}: ${textOf(data[name])}`)
    .join(', ');
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

/** Why a month was restated, in words: `paired as the same money −119.00`, with what it adds to the total; else empty. */
export function reasonsIn(data: NonNullable<Activity['data']>): string {
  const reasons = listIn(memberOf(data.explanation, 'reasons')).map((reason) => {
    const name = textOf(memberOf(reason, 'type'));
    const total = listIn(memberOf(reason, 'figures')).find(
      (one) => memberOf(one, 'figure') === 'total',
    );
    const words = changeOf(name);
    const amount = memberOf(total, 'amount');
    const start = words.charAt(0).toLowerCase() + words.slice(1);
    return amount === undefined ? start : `${start} ${textOf(amount).replace('-', '−')}`;
  });
  return reasons.join(', ');
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(' ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
