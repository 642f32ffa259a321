/** A report as far as it says what it reverses. */
export interface ReversingReport {
  readonly source: string;
  readonly event_type: string;
  readonly external_id: string | null;
}

/** What a report names of its source that it reverses. */
export interface StatedReversal {
  /** The `external_id` of the other. */
  readonly reference: string;
  /** The event types that the other may have; null for any. */
  readonly types: readonly string[] | null;
}

/** In bytes of UTF-8: a report whose metadata are larger, as canonical JSON, says of nothing that it reverses it. */
export const MOST_METADATA_BYTES = 65_536;

type Metadata = Readonly<Record<string, unknown>>;

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

/** The event types of Stripe that reverse something. */
export const STRIPE_REVERSALS: readonly string[] = Object.keys(REVERSALS);

/** The event types of Stripe that reverse a charge. */
export const CHARGE_REVERSALS: readonly string[] = STRIPE_REVERSALS.filter(
  (type) => REVERSALS[type]?.type === 'charge',
);

/**
 * What a report of Stripe reverses by its type; nothing for any other source.
 *
 * @example
 * ```ts
 * import { stripeReversals } from '@decision-ledger/proof/reversal';
 *
 * const refund = { source: 'stripe', event_type: 'refund', external_id: 're_1' };
 * stripeReversals(refund, { stripe_charge: 'ch_1' });
 * // => [{ reference: 'ch_1', types: ['charge'] }]
 * ```
 */
export function stripeReversals(
  { source, event_type, external_id }: ReversingReport,
  metadata: Metadata,
): StatedReversal[] {
  if (source !== 'stripe' || !Object.hasOwn(REVERSALS, event_type)) return [];
  const reversal = REVERSALS[event_type];
  if (reversal === undefined) return [];
  const { member, type } = reversal;
  const references = member === null ? [external_id] : textsOf(metadata[member]);
  return references.flatMap((reference) =>
    reference === null ? [] : [{ reference, types: [type] }],
  );
}

/**
 * What a report says that it reverses. A list of several says of none how much it takes back.
 *
 * @example
 * ```ts
 * import { reversalsIn } from '@decision-ledger/proof/reversal';
 *
 * const refund = { source: 'shop', event_type: 'refund', external_id: null };
 * reversalsIn(refund, { reverses: 'P-1' }); // => [{ reference: 'P-1', types: null }]
 * reversalsIn(refund, { reverses: ['P-1', 'P-2'] }); // => []
 * ```
 */
export function reversalsIn(report: ReversingReport, metadata: Metadata): StatedReversal[] {
  const { reverses } = metadata;
  const named = Array.isArray(reverses) ? [] : textsOf(reverses);
  return [
    ...named.map((reference) => ({ reference, types: null })),
    ...stripeReversals(report, metadata),
  ];
}

/**
 * The texts of a member that is a text or a list of texts.
 *
 * @example
 * ```ts
 * import { textsOf } from '@decision-ledger/proof/reversal';
 *
 * textsOf(['P-1', '', 5]); // => ['P-1']
 * ```
 */
export function textsOf(value: unknown): string[] {
  const values: unknown[] = Array.isArray(value) ? value : [value];
  return values.filter((one) => typeof one === 'string').filter((one) => one !== '');
}
