/** A suggestion as it was when people answered. */
export interface AuditedSuggestion {
  /** UUID. */
  readonly decisionId: string;
  readonly share: number;
  readonly isMatched: boolean;
}

/** What people said of an audited event, without what was withdrawn. */
export interface Verdicts {
  /** UUIDs of decisions that caused it. */
  readonly causes: readonly string[];
  /** UUIDs of suggested decisions that did not. */
  readonly others: readonly string[];
  /** No recorded decision caused it. */
  readonly isNone: boolean;
  /** Nobody could tell. */
  readonly isSkipped: boolean;
}

export interface JudgedSuggestion {
  readonly share: number;
  readonly isMatched: boolean;
  readonly isRight: boolean;
}

/** An answered audit. */
export interface Answer {
  readonly suggestions: readonly JudgedSuggestion[];
  /** How many recorded decisions caused the event; null if nobody said which one did. */
  readonly causes: number | null;
  /** How many of them were suggested, and labelled `matched`. */
  readonly found: { readonly matched: number; readonly suggested: number };
}

/**
 * What an audit says. A rejection alone is an answer once each suggestion was rejected: these are wrong,
 * and the cause is unknown.
 * @param suggestions of the event when it was judged first; null if it was not scored by then
 */
export function judge(
  suggestions: readonly AuditedSuggestion[] | null,
  { causes, others, isNone, isSkipped }: Verdicts,
): Answer | 'skipped' | 'unanswered' {
  const isRejected =
    suggestions !== null &&
    suggestions.length > 0 &&
    suggestions.every(({ decisionId }) => others.includes(decisionId));
  const isAnswered = causes.length > 0 || isNone || isRejected;
  if (!isAnswered) return isSkipped ? 'skipped' : 'unanswered';
  if (suggestions === null) return 'unanswered';
  const right = suggestions.filter(({ decisionId }) => causes.includes(decisionId));
  return {
    suggestions: suggestions.map(({ decisionId, share, isMatched }) => ({
      share,
      isMatched,
      isRight: causes.includes(decisionId),
    })),
    causes: causes.length === 0 && !isNone ? null : new Set(causes).size,
    found: {
      matched: right.filter(({ isMatched }) => isMatched).length,
      suggested: right.length,
    },
  };
}
