import type { Ending, Members } from './members.js';

/** A handoff passes the work to another agent, a final output ends it, and a guardrail stops it: decisions on request alone. */
export type CallKind = 'tool' | 'choice' | OnRequest;
export type OnRequest = 'handoff' | 'final_output' | 'guardrail';

/** What an agent did: a call of a tool, or a choice. */
export interface AgentCall {
  readonly kind: CallKind;
  /** The agent, if the framework names it. */
  readonly agent: string | undefined;
  /** The tool, or what was chosen between: the `action_type`. */
  readonly action: string;
  readonly inputs: Members;
  readonly outputs: Members;
  /** What the framework says of its end; without it, the outputs alone tell. */
  readonly outcome?: Ending['outcome'] | undefined;
  /** Whether a person approved or rejected it. */
  readonly isByPerson: boolean;
  /** The ids of the framework. They become metadata; undefined ones are left out. */
  readonly ids: Readonly<Record<string, string | undefined>>;
  readonly alternatives?: readonly Members[];
  /** What the framework itself states. */
  readonly confidence?: number | undefined;
  /** In ms since the epoch, if the framework reports the call later. */
  readonly time?: number | undefined;
}

/** Where the confidence of a decision is from. */
export interface Confidence {
  /** `metadata.confidence_source` of the decision. */
  readonly source: 'framework' | 'rule' | 'callback' | 'fixed';
  /** Undefined if it does not know this one: the next source is asked. */
  of(call: AgentCall): unknown;
}

/** What the framework itself states comes before every other source. */
export const FROM_FRAMEWORK: Confidence = {
  source: 'framework',
  of: ({ confidence }) => confidence,
};

/** Whether a value can be the confidence of a decision. */
export function isConfidence(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 1;
}
