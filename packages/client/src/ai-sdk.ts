import type { Telemetry } from 'ai';
import type { AgentCall } from './agents/call.js';
import { type AgentOptions, CallRecorder } from './agents/call-recorder.js';
import {
  failure,
  isMembers,
  type Members,
  membersOf,
  rejection,
  returned,
} from './agents/members.js';
import { Recent } from './agents/recent.js';

export type { AgentOptions } from './agents/call-recorder.js';

type Event<Name extends keyof Telemetry> =
  NonNullable<Telemetry[Name]> extends (event: infer Reported) => unknown ? Reported : never;
type ToolEnd = Event<'onToolExecutionEnd'>;
type StepEnd = Event<'onStepEnd'>;
type DecideEnd = Event<'experimental_onDecideEnd'>;
type Message = ToolEnd['messages'][number];

/**
 * Records the tool calls and choices of the Vercel AI SDK 7 in a ledger. No callback waits or throws.
 *
 * @example
 * ```ts
 * import { ledgerTelemetry } from '@decision-ledger/client/ai-sdk';
 * import { fixed } from '@decision-ledger/client/confidence';
 * import { TestLedger } from '@decision-ledger/client/testing';
 * import { registerTelemetry } from 'ai';
 *
 * function start(ledger: TestLedger) {
 *   const confidence = fixed(0.8);
 *   registerTelemetry(ledgerTelemetry({ ledger, agent: 'refund-agent', confidence }));
 * }
 * ```
 */
export function ledgerTelemetry(options: AgentOptions): Telemetry {
  const recorder = new CallRecorder(options);
  /** Messages that are sent to a model again contain the same answers again. */
  const seen = new Recent<true>();
  /** The model of each run: the events of tools do not name it. */
  const models = new Recent<string>();
  return {
    onStart(event) {
      recorder.record(() => {
        models.set(event.callId, event.modelId);
        const messages = 'messages' in event ? event.messages : undefined;
        if (messages === undefined) return [];
        const answers = answersOf(messages).filter(({ approvalId }) => !seen.has(approvalId));
        for (const { approvalId } of answers) seen.set(approvalId, true);
        return answers.filter(({ isApproved }) => !isApproved).map((one) => rejected(one, event));
      });
    },
    onStepStart({ callId, modelId }) {
      models.set(callId, modelId);
    },
    onToolExecutionEnd(event) {
      recorder.record(() => [executed(event, models.get(event.callId))]);
    },
    onStepEnd(event) {
      recorder.record(() => executedByProvider(event));
    },
    onEnd(event) {
      recorder.record(() => {
        if (!('finalStep' in event) || event.finishReason !== 'stop') return [];
        const { text } = event;
        const ids = { ...heads(event).ids, model: event.model.modelId };
        const said = { inputs: {}, outputs: membersOf(text), isByPerson: false };
        return [{ ...heads(event), kind: 'final_output', action: 'final_output', ...said, ids }];
      });
    },
    experimental_onDecideEnd(event) {
      recorder.record(() => choices(event));
    },
  };
}

interface Reported {
  readonly callId: string;
  readonly functionId?: string | undefined;
  readonly timestamp?: number | undefined;
}

/** The agent is named by `telemetry.functionId`. */
function heads({ functionId, callId, timestamp }: Reported, tool_call_id?: string) {
  return { agent: functionId, time: timestamp, ids: { call_id: callId, tool_call_id } };
}

function executed(event: ToolEnd, model: string | undefined): AgentCall {
  const { toolCall, toolOutput, messages } = event;
  const { ids, ...rest } = heads(event, toolCall.toolCallId);
  const isByPerson = answersOf(messages).some(
    ({ call, isApproved }) => isApproved && call === toolCall.toolCallId,
  );
  return {
    ...rest,
    ids: { ...ids, model },
    kind: 'tool',
    action: toolCall.toolName,
    inputs: membersOf(toolCall.input),
    ...(toolOutput.type === 'tool-error'
      ? failure(toolOutput.error)
      : returned(membersOf(toolOutput.output))),
    isByPerson,
  };
}

/** Tools that the provider of the model runs have no event of their own. */
function executedByProvider(event: StepEnd): AgentCall[] {
  return event.content.flatMap((part) => {
    const isEnd = part.type === 'tool-result' || part.type === 'tool-error';
    if (!isEnd || part.providerExecuted !== true) return [];
    const ending =
      part.type === 'tool-error' ? failure(part.error) : returned(membersOf(part.output));
    const { model, stepNumber } = event;
    const { ids, ...rest } = heads(event, part.toolCallId);
    return {
      ...rest,
      kind: 'tool',
      ids: { ...ids, model: model.modelId, step: String(stepNumber) },
      ...{ action: part.toolName, inputs: membersOf(part.input), ...ending, isByPerson: false },
    };
  });
}

/** A person's answer to the request to approve a tool call. */
interface Answer {
  readonly approvalId: string;
  /** The id of the tool call. */
  readonly call: string;
  readonly tool: string;
  readonly input: unknown;
  readonly isApproved: boolean;
  readonly reason: string | undefined;
}

/** The answers in the last message: the SDK acts on no others. */
function answersOf(messages: readonly Message[]): Answer[] {
  const last = messages.at(-1);
  if (last?.role !== 'tool') return [];
  const responses = last.content.filter((part) => part.type === 'tool-approval-response');
  if (responses.length === 0) return [];
  const parts = messages.flatMap((message) =>
    message.role === 'assistant' && typeof message.content !== 'string' ? message.content : [],
  );
  return responses.flatMap(({ approvalId, approved, reason }): Answer[] => {
    const request = parts.find(
      (part) => part.type === 'tool-approval-request' && part.approvalId === approvalId,
    );
    if (request?.type !== 'tool-approval-request' || request.isAutomatic === true) return [];
    const call = parts.find(
      (part) => part.type === 'tool-call' && part.toolCallId === request.toolCallId,
    );
    if (call?.type !== 'tool-call') return [];
    const { toolCallId, toolName, input } = call;
    const named = { approvalId, call: toolCallId, tool: toolName };
    return [{ ...named, input, isApproved: approved, reason }];
  });
}

function rejected({ call, tool, input, reason }: Answer, event: Reported): AgentCall {
  return {
    ...heads(event, call),
    kind: 'tool',
    action: tool,
    inputs: membersOf(input),
    ...rejection(reason),
    isByPerson: true,
  };
}

/** Scores and probabilities are estimates: which of them leads to an action is not the model's choice. */
function choices(event: DecideEnd): AgentCall[] {
  return Object.entries(event.answers).flatMap(([name, answer]) => {
    if (answer.type !== 'choice') return [];
    const { choice, probabilities = {} } = answer;
    const question = event.questions[name];
    const { ids, ...rest } = heads(event);
    return {
      ...rest,
      kind: 'choice',
      ids: { ...ids, model: event.modelId },
      action: name,
      inputs: membersOf({ state: event.state, question }),
      outputs: { choice },
      alternatives: alternativesTo(choice, question, probabilities),
      confidence: probabilities[choice],
      isByPerson: false,
    };
  });
}

function alternativesTo(
  choice: string,
  question: DecideEnd['questions'][string] | undefined,
  probabilities: Readonly<Record<string, number>>,
): Members[] {
  const criteria = question?.type === 'choice' ? question.criteria : {};
  const others = isMembers(criteria) ? Object.keys(criteria).filter((one) => one !== choice) : [];
  return others.map((other) => {
    const probability = probabilities[other];
    return { choice: other, ...(probability !== undefined && { probability }) };
  });
}
