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

/** A command that leads to other nodes hands the work over. */
function readCommand(command: unknown): Partial<AgentCall> & Pick<AgentCall, 'outputs'> {
  const targets = [follow(command, ['goto']) ?? []].flat().map(targetOf);
  if (targets.length > 0) return { kind: 'handoff', outputs: { handed_to: targets } };
  const messages = follow(command, ['update', 'messages']);
  const last: unknown = Array.isArray(messages) ? messages.at(-1) : undefined;
  return { outputs: isToolMessage(last) ? contentOf(last) : {} };
}

/** The name of a node, or the node of a `Send`. */
function targetOf(target: unknown): unknown {
  return typeof target === 'string' ? target : follow(target, ['node']);
}

interface ToolMessage extends Members {
  readonly content: unknown;
}

function isToolMessage(value: unknown): value is ToolMessage {
  return isMembers(value) && 'tool_call_id' in value && 'content' in value;
}

function contentOf({ content }: ToolMessage): Members {
  return typeof content === 'string' ? membersIn(content) : membersOf(content);
}
