import type { Relation } from '@decision-ledger/contract/financial-event';
import {
  reversalsIn,
  type StatedReversal,
  stripeReversals,
  textsOf,
} from '@decision-ledger/proof/reversal';

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

const PAYOUTS = ['payout', 'payout_pending'];

/** The relations that a report states. */
export function statementsOf(report: RelatedReport): Statement[] {
  const { metadata } = report;
  const named = NAMES.flatMap((relation) =>
    textsOf(metadata[relation]).map((reference) => ({ relation, reference, types: null })),
  );
  if (report.source !== 'stripe') return named;
  const payouts = textsOf(metadata.stripe_payout).flatMap((ids) => ids.split(' '));
  return [
    ...named,
    ...stripeReversals(report, metadata).map(toStatement),
    ...payouts.map((reference): Statement => ({ relation: 'part_of', reference, types: PAYOUTS })),
  ];
}

const toStatement = (stated: StatedReversal): Statement => ({ relation: 'reverses', ...stated });

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

/** What a report says that it reverses. */
export function reversalsOf(report: RelatedReport): Statement[] {
  return reversalsIn(report, report.metadata).map(toStatement);
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
