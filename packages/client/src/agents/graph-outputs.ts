import type { AgentCall } from './call.js';
import { failure, follow, isMembers, type Members, membersIn, membersOf } from './members.js';

/** What a tool of LangChain returned: a `ToolMessage`, a `Command`, or a value. */
export function readToolEnd(output: unknown): Partial<AgentCall> & Pick<AgentCall, 'outputs'> {
  if (follow(output, ['lg_name']) === 'Command') return readCommand(output);
  if (!isToolMessage(output)) return { outputs: membersOf(output) };
  const content = contentOf(output);
  if (output.status !== 'error') return { outputs: content };
  return { outputs: failure(content.value ?? JSON.stringify(content)) };
}

/** What an agent said last; undefined while it waits for tools or for a person. */
export function readFinalOutput(state: unknown): Members | undefined {
  const last = lastMessage(follow(state, ['messages']));
  if (!hasContent(last) || 'tool_call_id' in last) return undefined;
  const { tool_calls } = last;
  return Array.isArray(tool_calls) && tool_calls.length === 0 ? contentOf(last) : undefined;
}

/** A command that leads to other nodes hands the work over. */
function readCommand(command: unknown): Partial<AgentCall> & Pick<AgentCall, 'outputs'> {
  const targets = [follow(command, ['goto']) ?? []].flat().map(targetOf);
  if (targets.length > 0) return { kind: 'handoff', outputs: { handed_to: targets } };
  const last = lastMessage(follow(command, ['update', 'messages']));
  return { outputs: isToolMessage(last) ? contentOf(last) : {} };
}

/** The name of a node, or the node of a `Send`. */
function targetOf(target: unknown): unknown {
  return typeof target === 'string' ? target : follow(target, ['node']);
}

function lastMessage(messages: unknown): unknown {
  return Array.isArray(messages) ? messages.at(-1) : undefined;
}

interface Message extends Members {
  readonly content: unknown;
}

function hasContent(value: unknown): value is Message {
  return isMembers(value) && 'content' in value;
}

function isToolMessage(value: unknown): value is Message {
  return hasContent(value) && 'tool_call_id' in value;
}

function contentOf({ content }: Message): Members {
  return typeof content === 'string' ? membersIn(content) : membersOf(content);
}
