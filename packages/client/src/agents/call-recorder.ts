import type { DecisionToRecord } from '../encode.js';
import { messageOf } from '../errors.js';
import {
  type AgentCall,
  type CallKind,
  type Confidence,
  FROM_FRAMEWORK,
  isConfidence,
  type OnRequest,
} from './call.js';
import type { Members } from './members.js';

/** A span of a tracing library, as OpenTelemetry describes it. */
export interface TracedSpan {
  spanContext(): { readonly traceId: string; readonly spanId: string };
}

/** What every integration needs to know. */
export interface AgentOptions {
  /** A client, or a session of an agent. */
  readonly ledger: { record(decision: DecisionToRecord): void };
  /** The `agent_id` of decisions whose agent the framework does not name. */
  readonly agent: string;
  /** Sources of the confidence, tried in order. Without any, only what the framework states is recorded. */
  readonly confidence?: Confidence | readonly Confidence[];
  /** Tools without side effects, such as a search: their calls are no decisions. */
  readonly readOnly?: readonly string[];
  /** What else is a decision. Default: nothing. */
  readonly also?: readonly OnRequest[];
  /** What else is known, such as the `reviewer_id` or an id that attribution looks for. */
  readonly metadata?: (call: AgentCall) => Members;
  /** The span around a call: `() => trace.getActiveSpan()` with `@opentelemetry/api`. */
  readonly span?: () => TracedSpan | undefined;
  /** Receives what the integration could not record, once per cause. Default: `console.warn`. */
  readonly warn?: (message: string) => void;
}

/** Records calls as decisions. Nothing that it does throws or waits: an agent must not notice it. */
export class CallRecorder {
  readonly #options: AgentOptions;
  readonly #sources: readonly Confidence[];
  readonly #kinds: ReadonlySet<CallKind>;
  readonly #readOnly: ReadonlySet<string>;
  readonly #warned = new Set<string>();

  constructor(options: AgentOptions) {
    this.#options = options;
    this.#sources = [FROM_FRAMEWORK, ...[options.confidence ?? []].flat()];
    this.#kinds = new Set(['tool', 'choice', ...(options.also ?? [])]);
    this.#readOnly = new Set(options.readOnly);
  }

  /** @param read makes the calls of what the framework reports; it may throw */
  record(read: () => readonly AgentCall[]): void {
    try {
      for (const call of read()) if (this.#isDecision(call)) this.#recordCall(call);
    } catch (error) {
      this.#warn('internal', 'a decision was not recorded', error);
    }
  }

  #isDecision({ kind, action }: AgentCall): boolean {
    return this.#kinds.has(kind) && !this.#readOnly.has(action);
  }

  #recordCall(call: AgentCall): void {
    const stated = this.#confidenceOf(call);
    if (stated === undefined) {
      const line = "add the line 'confidence: fixed(0.8)' to the options of the integration";
      const from = "with { fixed } from '@decision-ledger/client/confidence', or another source";
      this.#warn(
        'confidence',
        `${call.action} was not recorded, because nothing states its confidence: ${line}, ${from}`,
      );
      return;
    }
    const { action, inputs, outputs, outcome, isByPerson, alternatives, time } = call;
    const given: unknown = this.#options.ledger.record({
      agent_id: call.agent || this.#options.agent,
      action_type: action,
      ...{ inputs, outputs, confidence: stated.value },
      ...(alternatives !== undefined && { alternatives }),
      ...(isByPerson && { human_in_loop: true }),
      metadata: {
        ...(outcome !== undefined && { outcome }),
        ...this.#metadataOf(call),
        confidence_source: stated.source,
      },
      ...(time !== undefined && { timestamp: new Date(time).toISOString() }),
    });
    this.#leave('ledger', given);
  }

  #confidenceOf(call: AgentCall): { value: number; source: string } | undefined {
    for (const { source, of } of this.#sources) {
      const value = this.#attempt(source, () => of(call));
      if (isConfidence(value)) return { value, source };
      if (value !== undefined) {
        this.#warn(source, `a ${source} gave a confidence that is no number from 0 to 1`);
      }
    }
    return undefined;
  }

  #metadataOf(call: AgentCall): Members {
    const ids = Object.entries(call.ids).filter(([, id]) => id !== undefined);
    return {
      ...Object.fromEntries(ids),
      ...this.#attempt('span', () => this.#spanIds()),
      ...this.#attempt('metadata', () => {
        const given: unknown = this.#options.metadata?.(call);
        return given instanceof Promise ? given : { ...Object(given) };
      }),
    };
  }

  #spanIds(): Members | undefined {
    const context = this.#options.span?.()?.spanContext();
    return context && { trace_id: context.traceId, span_id: context.spanId };
  }

  /** What the application gives may fail; the decision is recorded without it. */
  #attempt<Value>(name: string, give: () => Value): Value | undefined {
    try {
      const given = give();
      this.#leave(name, given);
      return given;
    } catch (error) {
      this.#warn(name, `the ${name} of a decision could not be read`, error);
      return undefined;
    }
  }

  /** A promise that is rejected while nobody waits for it would end the process. */
  #leave(name: string, given: unknown): void {
    if (!(given instanceof Promise)) return;
    given.catch((error: unknown) => this.#warn(name, `the ${name} failed`, error));
  }

  /** Once for each cause. */
  #warn(cause: string, message: string, ...errors: readonly unknown[]): void {
    if (this.#warned.has(cause)) return;
    this.#warned.add(cause);
    try {
      const text = ['decision-ledger', message, ...errors.map(messageOf)].join(': ');
      (this.#options.warn ?? console.warn)(text);
    } catch {
      // The fault of a handler must not reach the agent.
    }
  }
}
