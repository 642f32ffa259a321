import {
  getCurrentSpan,
  InputGuardrailTripwireTriggered,
  OutputGuardrailTripwireTriggered,
  type Runner,
  type RunToolApprovalItem,
  ToolCallError,
  ToolInputGuardrailTripwireTriggered,
  ToolOutputGuardrailTripwireTriggered,
} from '@openai/agents';
import type { AgentCall } from './agents/call.js';
import { type AgentOptions, CallRecorder } from './agents/call-recorder.js';
import { failure, type Members, membersOf, rejection, returned } from './agents/members.js';

export type { AgentOptions } from './agents/call-recorder.js';

/** What `RunState.reject` takes. */
export interface RejectOptions {
  readonly alwaysReject?: boolean;
  readonly message?: string;
}

/** The state of a run, of any agent. */
export interface RejectingState {
  reject(item: RunToolApprovalItem, options?: RejectOptions): void;
}

/** A runner whose agents are recorded. */
export interface RecordedRunner {
  /** Rejects a call as `state.reject` does, and records that a person did: the SDK reports it nowhere. */
  reject(state: RejectingState, item: RunToolApprovalItem, options?: RejectOptions): void;
  /**
   * Records that a guardrail stopped a run, with `also: ['guardrail']`: the SDK reports it with the error of the
   * run alone. Any other error is ignored.
   */
  stopped(error: unknown): void;
}

type Listener = Parameters<typeof Runner.prototype.on<'agent_tool_end'>>[1];
type ToolEnd = Parameters<Listener>;
type ToolCall = ToolEnd[4]['toolCall'];

/** What the SDK hands to the model in place of an error, unless the tool has an `errorFunction`. */
const DEFAULT_ERROR = 'An error occurred while running the tool.';
/** The ids of a trace that is switched off. */
const NO_TRACE = 'no-op';

/**
 * Records the tool calls of the agents of a runner of the OpenAI Agents SDK 0.20 in a ledger. Its listeners do not
 * throw: the SDK would end the run.
 *
 * @example
 * ```ts
 * import { fixed } from '@decision-ledger/client/confidence';
 * import { recordRunner } from '@decision-ledger/client/openai-agents';
 * import { TestLedger } from '@decision-ledger/client/testing';
 * import { Runner } from '@openai/agents';
 *
 * function start(ledger: TestLedger) {
 *   const runner = new Runner();
 *   const recorded = recordRunner(runner, { ledger, agent: 'refund-agent', confidence: fixed(0.8) });
 *   return { runner, recorded };
 * }
 * ```
 */
export function recordRunner(runner: Runner, options: AgentOptions): RecordedRunner {
  const recorder = new CallRecorder(options);
  /** An error that is caught twice is one decision. */
  const stops = new WeakSet<Tripwire>();
  runner.on('agent_tool_end', (...event) => recorder.record(() => [executed(event)]));
  runner.on('agent_handoff', (_context, from, to) =>
    recorder.record(() => [
      {
        ...{ kind: 'handoff', agent: from.name, action: 'handoff', isByPerson: false },
        ...{ inputs: {}, outputs: { handed_to: [to.name] }, ids: traceIds() },
      },
    ]),
  );
  runner.on('agent_end', (_context, agent, output) =>
    recorder.record(() => [
      {
        ...{ kind: 'final_output', agent: agent.name, action: 'final_output', isByPerson: false },
        ...{ inputs: {}, outputs: membersOf(output), ids: traceIds() },
      },
    ]),
  );
  return {
    reject(state, item, given) {
      state.reject(item, given);
      recorder.record(() => [rejected(item, given?.message)]);
    },
    stopped(error) {
      recorder.record(() => {
        // The guardrail of a tool stands in the error of its call.
        const cause = error instanceof ToolCallError ? error.error : error;
        if (!isTripwire(cause) || stops.has(cause)) return [];
        stops.add(cause);
        return [stoppedBy(cause)];
      });
    },
  };
}

function executed([context, agent, tool, result, { toolCall }]: ToolEnd): AgentCall {
  const { name: toolName } = tool;
  const callId = callIdOf(toolCall);
  // Such a tool is approved by its own code, not by a person.
  const isAutomatic = 'onApproval' in tool && tool.onApproval !== undefined;
  const isApproved = callId !== undefined && context.isToolApproved({ toolName, callId }) === true;
  return {
    kind: 'tool',
    agent: agent.name,
    action: toolName,
    inputs: inputsOf(toolCall),
    ...(hasFailed(result) ? failure(result) : returned(membersOf(result))),
    isByPerson: isApproved && !isAutomatic,
    ids: { ...traceIds(), tool_call_id: callId },
  };
}

/** The event does not say whether a tool failed. Its span does, and without traces the text that the model gets. */
function hasFailed(result: string): boolean {
  const span = getCurrentSpan();
  const isOfTool = span?.spanData.type === 'function';
  return (isOfTool && span.error !== null) || result.startsWith(DEFAULT_ERROR);
}

function traceIds(): Readonly<Record<string, string | undefined>> {
  const span = getCurrentSpan();
  if (span === null || span.traceId === NO_TRACE) return {};
  return { trace_id: span.traceId, span_id: span.spanId };
}

function rejected(item: RunToolApprovalItem, message: string | undefined): AgentCall {
  const { rawItem, agent, name } = item;
  return {
    kind: 'tool',
    agent: agent.name,
    action: name ?? rawItem.type,
    inputs: inputsOf(rawItem),
    ...rejection(message),
    isByPerson: true,
    ids: { ...traceIds(), tool_call_id: callIdOf(rawItem) },
  };
}

const TRIPWIRES = [
  ...[InputGuardrailTripwireTriggered, OutputGuardrailTripwireTriggered],
  ...[ToolInputGuardrailTripwireTriggered, ToolOutputGuardrailTripwireTriggered],
] as const;
type Tripwire = InstanceType<(typeof TRIPWIRES)[number]>;

function isTripwire(error: unknown): error is Tripwire {
  return TRIPWIRES.some((tripwire) => error instanceof tripwire);
}

function stoppedBy({ result, state }: Tripwire): AgentCall {
  const { guardrail, output } = result;
  return {
    ...{ kind: 'guardrail', action: 'guardrail', isByPerson: false },
    agent: state?.currentAgent?.name,
    inputs: { guardrail: guardrail.name, checked: guardrail.type },
    outputs: { stopped: true, info: membersOf(output.outputInfo) },
    outcome: 'denied',
    ids: traceIds(),
  };
}

/** The arguments of a function are a JSON text; other tools have an action of their own. */
function inputsOf(call: ToolCall | RunToolApprovalItem['rawItem']): Members {
  const hasText = 'arguments' in call && typeof call.arguments === 'string';
  return membersOf(hasText ? call.arguments : call);
}

function callIdOf(call: ToolCall | RunToolApprovalItem['rawItem']): string | undefined {
  return 'callId' in call && typeof call.callId === 'string' ? call.callId : call.id;
}
