import type { Relation } from '@decision-ledger/contract/financial-event';

/** A report as far as relations follow from it. */
export interface RelatedReport {
  readonly event_id: string;
  readonly source: string;
  readonly event_type: string;
  readonly external_id: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
}

type Name = Relation['relation'];

/** What a report says of another one of its source, which it names by its reference. */
export interface Statement {
  readonly relation: Name;
  readonly reference: string;
  /** The event types that the other one may have; null for any. */
  readonly types: readonly string[] | null;
}

/** The members of metadata that any source may name others by, each a text or a list of texts. */
const NAMES: readonly Name[] = ['reverses', 'part_of', 'settles', 'converts'];

/** What a report of Stripe reverses: the object that a member of its metadata names, or its own object. */
const REVERSALS: Readonly<
  Record<string, { readonly member: string | null; readonly type: string }>
> = {
  refund: { member: 'stripe_charge', type: 'charge' },
  refund_waiting: { member: 'stripe_charge', type: 'charge' },
  refund_released: { member: 'stripe_charge', type: 'charge' },
  refund_reversal: { member: null, type: 'refund' },
  dispute_loss: { member: 'stripe_charge', type: 'charge' },
  dispute_recovery: { member: null, type: 'dispute_loss' },
  payout_reversal: { member: 'stripe_source', type: 'payout' },
};
/** The event types of Stripe that reverse a charge. */
export const CHARGE_REVERSALS = Object.keys(REVERSALS).filter(
  (type) => REVERSALS[type]?.type === 'charge',
);
const PAYOUTS = ['payout', 'payout_pending'];

/** The relations that a report states. */
export function statementsOf(report: RelatedReport): Statement[] {
  const { metadata, external_id } = report;
  const named = NAMES.flatMap((relation) =>
    textsOf(metadata[relation]).map((reference) => ({ relation, reference, types: null })),
  );
  if (report.source !== 'stripe') return named;
  const reversal = Object.hasOwn(REVERSALS, report.event_type)
    ? REVERSALS[report.event_type]
    : undefined;
  const reversed =
    reversal?.member === null ? [external_id] : textsOf(metadata[reversal?.member ?? '']);
  const payouts = textsOf(metadata.stripe_payout).flatMap((ids) => ids.split(' '));
  return [
    ...named,
    ...reversed.flatMap((reference): Statement[] =>
      reversal === undefined || reference === null
        ? []
        : [{ relation: 'reverses', reference, types: [reversal.type] }],
    ),
    ...payouts.map((reference): Statement => ({ relation: 'part_of', reference, types: PAYOUTS })),
  ];
}

function textsOf(value: unknown): string[] {
  const values: unknown[] = Array.isArray(value) ? value : [value];
  return values.filter((one) => typeof one === 'string').filter((one) => one !== '');
}

/** Whether a statement of one report is about another. */
function isAbout(
  { reference, types }: Statement,
  report: RelatedReport,
  other: RelatedReport,
): boolean {
  return (
    other.event_id !== report.event_id &&
    other.source === report.source &&
    other.external_id === reference &&
    (types?.includes(other.event_type) ?? true)
  );
}

/** What one movement reverses another one by: their reports. */
export interface RelatedMovement {
  /** UUID of the report that leads it. */
  readonly lead: string;
  readonly reports: readonly RelatedReport[];
}

/**
 * What a report says that it reverses. A list of several says of none how much it takes back.
 */
export function reversalsOf(report: RelatedReport): Statement[] {
  const { reverses, ...metadata } = report.metadata;
  const stated = Array.isArray(reverses) ? metadata : report.metadata;
  return statementsOf({ ...report, metadata: stated }).filter(
    ({ relation }) => relation === 'reverses',
  );
}

/** Whether a report of one movement says that it reverses one of another. */
export function isReversalOf(movement: RelatedMovement, other: RelatedMovement): boolean {
  if (movement.lead === other.lead) return false;
  return movement.reports.some((report) =>
    reversalsOf(report).some((statement) =>
      other.reports.some((named) => isAbout(statement, report, named)),
    ),
  );
}

/** Another report that a report is related to. */
export interface Related {
  readonly relation: Name;
  /** `to`: the report states it of the other. `from`: the other states it. */
  readonly direction: 'to' | 'from';
  readonly reference: string;
  /** UUID; null if nothing is recorded that the report can mean. */
  readonly other: string | null;
}

/**
 * All relations of a report. They follow from the reports alone, in whatever order these were recorded. Of a conversion that
 * both sides state, one relation is left.
 */
export function relationsOf(report: RelatedReport, others: readonly RelatedReport[]): Related[] {
  const stated = statementsOf(report).flatMap((statement): Related[] => {
    const { relation, reference } = statement;
    const meant = others.filter((other) => isAbout(statement, report, other));
    const known = { relation, direction: 'to', reference } as const;
    return meant.length === 0
      ? [{ ...known, other: null }]
      : meant.map(({ event_id }) => ({ ...known, other: event_id }));
  });
  const told = others.flatMap((other) =>
    statementsOf(other).flatMap((statement): Related[] =>
      isAbout(statement, other, report)
        ? [{ ...statement, direction: 'from', other: other.event_id }]
        : [],
    ),
  );
  const isTwice = ({ relation, other }: Related) =>
    relation === 'converts' &&
    stated.some((one) => one.relation === relation && one.other === other);
  return [...stated, ...told.filter((one) => !isTwice(one))].map(
    ({ relation, direction, reference, other }) => ({ relation, direction, reference, other }),
  );
}
