/** What an activity can be about, with the prefix of the ids of such objects; null if they have other names. */
const SUBJECTS = {
  decision: 'dec_',
  event: 'evt_',
  export: 'exp_',
  key: 'key_',
  ledger: null,
  link: 'lnk_',
  log: null,
  month: null,
  session: 'ses_',
  signing_key: null,
  tables: null,
} as const;
type Subject = keyof typeof SUBJECTS;

/**
 * Every type of activity, with what it is about. The service records no other type, and a verifier that meets
 * another one about a record of a bundle says so.
 */
export const ACTIVITY_TYPES = {
  'attribution.label_restored': 'ledger',
  'attribution.label_withdrawn': 'ledger',
  'attribution.model_changed': 'ledger',
  'checkpoint.signed': 'log',
  'decision.field_erased': 'decision',
  'derived.rebuilt': 'ledger',
  'export.downloaded': 'export',
  'export.made': 'export',
  'export.requested': 'export',
  'financial_event.deleted': 'event',
  'financial_event.recorded': 'event',
  'financial_event.recounted': 'ledger',
  'financial_event.reviewed': 'event',
  'key.issued': 'key',
  'key.revoked': 'key',
  'ledger.restored': 'ledger',
  'link.confirmed': 'link',
  'link.created': 'link',
  'link.deleted': 'link',
  'link.inherited': 'link',
  'link.rejected': 'link',
  'link.suggested': 'link',
  'log.started': 'log',
  'master_key.reset': 'ledger',
  'master_key.rotated': 'ledger',
  'max_lateness.changed': 'ledger',
  'month.closed': 'month',
  'month.restated': 'month',
  'movement.paired': 'event',
  'movement.parted': 'event',
  'presentation.made': 'decision',
  'reconciliation.sealed': 'tables',
  'session.created': 'session',
  'session.revoked': 'session',
  'settings.changed': 'ledger',
  'signing_key.created': 'signing_key',
  'signing_key.rotated': 'signing_key',
} as const satisfies Readonly<Record<string, Subject>>;

/** The types of activity about anything, or about one kind of object. */
export type ActivityType<About extends Subject = Subject> = {
  [Type in keyof typeof ACTIVITY_TYPES]: (typeof ACTIVITY_TYPES)[Type] extends About ? Type : never;
}[keyof typeof ACTIVITY_TYPES];

/** The types of activity that say which movement an event belongs to. */
export const MOVEMENT_TYPES: readonly string[] = ['movement.paired', 'movement.parted'];

const TYPES: ReadonlyMap<string, Subject> = new Map(Object.entries(ACTIVITY_TYPES));

/** The objects that bundles and presentations hold: what is said of one of them must be understood. */
const HELD: readonly Subject[] = ['decision', 'event', 'link'];

/**
 * The types of activity about one kind of object.
 *
 * @example
 * ```ts
 * import { typesAbout } from '@decision-ledger/proof/activity-types';
 *
 * typesAbout('decision'); // => ['decision.field_erased', 'presentation.made']
 * ```
 */
export function typesAbout(about: Subject): readonly string[] {
  return [...TYPES].flatMap(([type, subject]) => (subject === about ? [type] : []));
}

/**
 * What a type of activity is about; null if the type is unknown.
 *
 * @example
 * ```ts
 * import { subjectOf } from '@decision-ledger/proof/activity-types';
 *
 * subjectOf('link.created'); // => 'link'
 * subjectOf('link.invented'); // => null
 * ```
 */
export function subjectOf(type: string): Subject | null {
  return TYPES.get(type) ?? null;
}

/**
 * Whether an activity of a type can be about an object. One of an unknown type is not about a decision, an event
 * or a link: what it says of them would be missed.
 *
 * @example
 * ```ts
 * import { canConcern } from '@decision-ledger/proof/activity-types';
 *
 * canConcern('link.created', 'lnk_01h455vb4pex5vsknk084sn02q'); // => true
 * canConcern('link.created', 'evt_01h455vb4pex5vsknk084sn02q'); // => false
 * canConcern('link.invented', 'lnk_01h455vb4pex5vsknk084sn02q'); // => false
 * canConcern('future.change', 'anything'); // => true
 * ```
 */
export function canConcern(type: string, subject: string): boolean {
  const about = subjectOf(type);
  if (about === null) return !HELD.some((held) => isNamedAs(held, subject));
  return isNamedAs(about, subject);
}

function isNamedAs(kind: Subject, id: string): boolean {
  const prefix = SUBJECTS[kind];
  return prefix === null || id.startsWith(prefix);
}
