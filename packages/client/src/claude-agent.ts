import type { AgentCall } from './agents/call.js';
import { type AgentOptions, CallRecorder } from './agents/call-recorder.js';
import { type Ending, failure, membersOf, rejection, returned } from './agents/members.js';
import { Recent } from './agents/recent.js';

export type { AgentOptions } from './agents/call-recorder.js';

/** What the SDK hands to a hook, as far as it is read. */
export interface ToolHookInput {
  readonly hook_event_name: string;
  readonly session_id: string;
  readonly prompt_id?: string | undefined;
  /** The kind of agent, in a subagent and in a session that was started with one. */
  readonly agent_type?: string | undefined;
  readonly tool_name?: unknown;
  readonly tool_input?: unknown;
  readonly tool_response?: unknown;
  readonly tool_use_id?: unknown;
  readonly error?: unknown;
  readonly reason?: unknown;
}

/** A hook that has no effect on the session. */
export type RecordingHook = (input: ToolHookInput) => Promise<Record<never, never>>;

type ToolEvent = 'PostToolUse' | 'PostToolUseFailure' | 'PermissionDenied';

/** The option `canUseTool` of the SDK. */
export type Ask<Options, Answer> = (
  tool: string,
  input: Record<string, unknown>,
  options: Options,
) => Promise<Answer>;

/** What records a session. */
export interface RecordedSession {
  /** The option `hooks`. */
  readonly hooks: Record<ToolEvent, { hooks: RecordingHook[] }[]>;
  /** Wraps a `canUseTool` that asks a person, and records what the person answers. */
  asked<
    Options extends { readonly toolUseID: string },
    Answer extends { readonly behavior: string; readonly message?: string } | null,
  >(ask: Ask<Options, Answer>): Ask<Options, Answer>;
}

/**
 * Records the tool calls of the Claude Agent SDK 0.3 in a ledger. Its hooks answer at once and decide nothing.
 *
 * @example
 * ```ts
 * import { recordSession } from '@decision-ledger/client/claude-agent';
 * import { fixed } from '@decision-ledger/client/confidence';
 * import { TestLedger } from '@decision-ledger/client/testing';
 *
 * const ledger = new TestLedger();
 * const { hooks } = recordSession({ ledger, agent: 'refund-agent', confidence: fixed(0.8) });
 * Object.keys(hooks); // => ['PostToolUse', 'PostToolUseFailure', 'PermissionDenied']
 * ```
 */
export function recordSession(options: AgentOptions): RecordedSession {
  const recorder = new CallRecorder(options);
  /** What a person answered, by the id of the call. */
  const answers = new Recent<'allow' | 'deny'>();
  const hook = (read: (input: ToolHookInput) => Ending) => {
    const record: RecordingHook = async (input) => {
      recorder.record(() => {
        const answer = answers.take(String(input.tool_use_id));
        // What a person rejected is recorded already.
        if (answer === 'deny') return [];
        return [{ ...callOf(input), ...read(input), isByPerson: answer === 'allow' }];
      });
      return {};
    };
    return [{ hooks: [record] }];
  };
  return {
    hooks: {
      PostToolUse: hook(({ tool_response }) => returned(membersOf(tool_response))),
      PostToolUseFailure: hook(({ error }) => failure(error)),
      PermissionDenied: hook(({ reason }) => rejection(String(reason))),
    },
    asked: (ask) => async (tool, input, given) => {
      const answer = await ask(tool, input, given);
      recorder.record(() => {
        if (answer === null) return [];
        const { toolUseID } = given;
        answers.set(toolUseID, answer.behavior === 'deny' ? 'deny' : 'allow');
        return answer.behavior === 'deny' ? [rejected(tool, input, toolUseID, answer.message)] : [];
      });
      return answer;
    },
  };
}

function callOf(input: ToolHookInput): AgentCall {
  const { agent_type, tool_name, tool_input, tool_use_id, session_id, prompt_id } = input;
  return {
    ...{ kind: 'tool', agent: agent_type, action: String(tool_name), isByPerson: false },
    ...{ inputs: membersOf(tool_input), outputs: {} },
    ids: { tool_call_id: String(tool_use_id), session_id, prompt_id },
  };
}

function rejected(
  tool: string,
  input: Record<string, unknown>,
  id: string,
  message: string | undefined,
): AgentCall {
  return {
    ...{ kind: 'tool', agent: undefined, action: tool, isByPerson: true },
    ...{ inputs: membersOf(input), ...rejection(message), ids: { tool_call_id: id } },
  };
}
