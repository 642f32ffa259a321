import { MarkedText } from '@decision-ledger/client/values';
import { LIMITS } from '@decision-ledger/contract/limits';
import type { OTLP_REFUSED } from '@decision-ledger/contract/otlp';

/** Why a span was refused. */
export type Refused = (typeof OTLP_REFUSED)[number];

/**
 * Attributes by name. A map, because a name such as `__proto__` is a name like any other here. Values are as the
 * table of odd values takes them, so also NaN, integers of any size, bytes, `MarkedText` and `Pairs`.
 */
export type Attributes = ReadonlyMap<string, unknown>;

export interface SpanEvent {
  readonly name: string;
  readonly attributes: Attributes;
}

/** A span with the attributes of its resource, as far as a mapping can read it. */
export interface Span {
  /** Hexadecimal, lower case. */
  readonly traceId: string;
  readonly spanId: string;
  readonly name: string;
  /** Unix time in nanoseconds; 0 if unknown. */
  readonly start: bigint;
  readonly hasFailed: boolean;
  readonly statusMessage: string;
  readonly attributes: Attributes;
  readonly events: readonly SpanEvent[];
  readonly resource: Attributes;
  /** The name of the instrumentation scope; empty if it has none. */
  readonly scope: string;
  readonly scopeVersion: string;
}

/** A span that cannot be read, although the request around it can. */
export interface UnreadableSpan {
  readonly problem: string;
}

/** What a request contains: spans one after another, in its order. */
export type Spans = Generator<Span | UnreadableSpan, void, void>;

/** A request that is not OTLP. The message may be shown. */
export class OtlpFormatError extends Error {
  override readonly name = 'OtlpFormatError';
}

/** A request with more content than is accepted. The message may be shown. */
export class OtlpSizeError extends Error {
  override readonly name = 'OtlpSizeError';
}

/** A value that a decision cannot hold; only its span is refused. The message may be shown. */
export class SpanError extends Error {
  override readonly name = 'SpanError';

  /** @param field what has no valid value; `unreadable` if that is the span itself */
  constructor(
    message: string,
    readonly field: Refused = 'unreadable',
  ) {
    super(message);
  }
}

/** Limits what is built from one request: an empty attribute takes two bytes there and many here. */
export class SpanBudget {
  #spans = 0;
  #values = 0;
  #ofSpan = 0;
  #skipped = 0;

  countSpan(): void {
    this.#ofSpan = 0;
    this.#spans += 1;
    if (this.#spans <= LIMITS.otlpSpans) return;
    throw new OtlpSizeError(
      `the request contains more than ${LIMITS.otlpSpans} spans: export smaller batches`,
    );
  }

  /**
   * Counts an attribute, an element, an event, a scope or a resource.
   * @throws SpanError, OtlpSizeError
   */
  countValue(): void {
    this.#values += 1;
    this.#ofSpan += 1;
    if (this.#values > LIMITS.otlpValues) {
      throw new OtlpSizeError(
        `the request contains more than ${LIMITS.otlpValues} attributes: export smaller batches`,
      );
    }
    if (this.#ofSpan > LIMITS.otlpSpanValues) {
      throw new SpanError(`it contains more than ${LIMITS.otlpSpanValues} attributes and elements`);
    }
  }

  /** Counts a scope or a resource, which begins another count. */
  countGroup(): void {
    this.#ofSpan = 0;
    this.countValue();
  }

  /** Counts a field that is not read. */
  countSkipped(): void {
    this.#skipped += 1;
    if (this.#skipped <= LIMITS.otlpValues) return;
    throw new OtlpSizeError(`the request contains more than ${LIMITS.otlpValues} unknown fields`);
  }
}

/** In place of what is nested deeper than any decision may be. */
export const TOO_DEEP = new MarkedText('[too deep]');

/** A 64-bit float. JSON has no negative zero. */
export function doubleOf(value: number): number {
  return value === 0 ? 0 : value;
}

/** A 64-bit integer. */
export function integerOf(text: string): number | bigint {
  const value = Number(text);
  return Number.isSafeInteger(value) ? doubleOf(value) : BigInt(text);
}

/** The beginning of a text, without half of a surrogate pair at its end. */
export function truncateText(text: string, length: number): string {
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
}
