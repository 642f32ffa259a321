import type { DecisionBody } from '@decision-ledger/contract/decision';
import type { Liability } from '@decision-ledger/contract/liability';
import type { LedgerReader, LedgerWriter } from '../../../platform/ledger.js';
import type { Scope } from '../../../platform/principal.js';

/**
 * What follows a change of the record, in the same transaction. The record knows nothing else of what stands
 * on it. Where a method takes a transaction, that holds the lock on the activity of the ledger.
 */
export interface RecordHooks {
  readonly estimates: FirstEstimates;

  /** An event (UUID) was recorded. */
  eventRecorded(tx: LedgerWriter, eventId: string): Promise<void>;

  /** An event (UUID) was deleted or superseded. */
  eventRetired(tx: LedgerWriter, eventId: string): Promise<void>;

  /**
   * Movements changed: reports (UUIDs) that lead one that changed, and those that are witnesses of one. The money is
   * changed next.
   */
  movementsChanged(
    tx: LedgerWriter,
    reports: { readonly leads: readonly string[]; readonly witnesses: readonly string[] },
  ): Promise<void>;

  /** The links or the counted amounts of events (UUIDs) changed. */
  moneyChanged(tx: LedgerWriter, eventIds: readonly string[]): Promise<void>;

  /**
   * The links, the movements or what people said of events (UUIDs) changed: what reverses them, and they themselves, take the
   * links of their payments again.
   */
  causesChanged(tx: LedgerWriter, eventIds: readonly string[]): Promise<void>;

  /** Events (UUIDs) took links from their payments: nothing is left to decide of them. */
  causesInherited(tx: LedgerWriter, eventIds: readonly string[]): Promise<void>;

  /** Other settings for the signs of money were applied to events (UUIDs). */
  signsApplied(tx: LedgerWriter, eventIds: readonly string[]): Promise<void>;

  /** A person or a system made, confirmed or rejected a link. */
  linkReviewed(tx: LedgerWriter, link: ChangedLink, review: LinkReview): Promise<void>;

  /** Whether a review of a link stands. */
  isReviewed(tx: LedgerWriter, link: ChangedLink): Promise<boolean>;

  /**
   * A link was deleted, which withdraws its review.
   * @param at ms: when that was recorded
   */
  reviewWithdrawn(tx: LedgerWriter, link: ChangedLink, at: number): Promise<void>;

  /** The links of an event (UUID) changed, and its movement is made what rules say now. */
  linksChanged(tx: LedgerWriter, eventId: string): Promise<void>;

  /** A link was deleted. */
  linkRemoved(tx: LedgerWriter, link: ChangedLink): Promise<void>;

  /**
   * Fields of a decision are being erased.
   * @param seq of the decision
   * @param erase erases them; called once, between what needs them for the last time and what follows
   */
  fieldsErased(tx: LedgerWriter, seq: number, erase: () => Promise<void>): Promise<void>;

  /**
   * What an event (UUID) counts for now, to compare before and after a change that is tried out.
   * @param seqs further decisions whose exposure counts
   */
  readEffect(ledger: LedgerReader, eventId: string, seqs?: readonly number[]): Promise<EventEffect>;
}

/** The money and the exposure of the decisions that have a share of an event, in the base currency. */
export interface EventEffect {
  readonly currency: string;
  /** Confirmed and matched money; 0 if it cannot be converted. */
  readonly net: string;
  readonly isUnconverted: boolean;
  readonly exposure: string;
  /** The decisions whose exposure it is. */
  readonly seqs: readonly number[];
}

/** A link that was made, reviewed or deleted: UUIDs. */
export interface ChangedLink {
  readonly link_id: string;
  readonly event_id: string;
  readonly decision_id: string;
}

/** What a person said of a link. */
export interface LinkReview {
  readonly verdict: 'confirmed' | 'rejected';
  /** A manual link is one for which nobody was asked; an audit was drawn independently of the score. */
  readonly kind: 'review' | 'manual' | 'audit';
  /** ms. */
  readonly at: number;
  /** The author of an answer; null if nobody was asked. */
  readonly answeredBy: string | null;
  /** ms: when the answer began that this review is a part of, which all its parts share. Default: at. */
  readonly answeredAt?: number | undefined;
}

/** First estimates of decisions. They are stored later, and follow from what is recorded. */
export interface FirstEstimates {
  /** The current model of a ledger. */
  open(scope: Scope): Promise<FirstModel>;
}

/** What first estimates are made with. */
export interface FirstModel {
  /** The snapshot that is recorded beside each decision, so that its estimate can be made at any time. */
  readonly snapshot: number;
  /** The first estimate of a decision, as it will be stored. */
  estimate(body: DecisionBody, times: DecisionTimes): Liability;
}

/** ms. */
export interface DecisionTimes {
  readonly timestamp: number;
  readonly createdAt: number;
}
