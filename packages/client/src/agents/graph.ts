import type { AgentCall } from './call.js';
import {
  type Ending,
  failure,
  follow,
  isMembers,
  type Members,
  membersOf,
  rejection,
  returned,
} from './members.js';
import { Recent } from './recent.js';

/** What a graph asked, as `__interrupt__` of its result has it. */
export interface Interrupt {
  readonly id?: string | undefined;
  readonly value?: unknown;
}

/** Brings the answers of people together with the tool calls that they allow. */
export class ToolAnswers {
  /** The tool call that waits, by the id of its interrupt. */
  readonly #waiting = new Recent<string>();
  /** How many calls that a person approved have not run yet. */
  readonly #approved = new Recent<number>();

  /** @param error was thrown by a tool that waits for an answer */
  expect(error: unknown, toolCall: string | undefined): void {
    const interrupts = follow(error, ['interrupts']);
    if (!Array.isArray(interrupts) || toolCall === undefined) return;
    for (const interrupt of interrupts) {
      const id = follow(interrupt, ['id']);
      if (typeof id === 'string') this.#waiting.set(id, toolCall);
    }
  }

  /** Whether a person approved this call. An approval counts once. */
  take(tool: string, input: string, toolCall: string | undefined): boolean {
    const keys = [keyOf(tool, input), toolCall].filter((key) => key !== undefined);
    return keys.map((key) => this.#use(key)).includes(true);
  }

  #approve(key: string): void {
    this.#approved.set(key, (this.#approved.take(key) ?? 0) + 1);
  }

  #use(key: string): boolean {
    const left = this.#approved.take(key) ?? 0;
    if (left > 1) this.#approved.set(key, left - 1);
    return left > 0;
  }

  /** @returns what the answers decide themselves */
  read(interrupts: readonly Interrupt[], answer: unknown, action: string): AgentCall[] {
    return interrupts.flatMap((interrupt) => {
      const { id = '', value } = interrupt;
      // Several questions are answered by their ids.
      const own = isMembers(answer) && Object.hasOwn(answer, id) ? answer[id] : answer;
      const requests = follow(value, ['actionRequests']);
      if (Array.isArray(requests)) return this.#readReview(requests, own, id);
      const toolCall = this.#waiting.take(id);
      if (toolCall === undefined) return [personal(action, value, answerOf(own), id)];
      this.#approve(toolCall);
      return [];
    });
  }

  /** The answers to `humanInTheLoopMiddleware`, in the order of its requests. */
  #readReview(requests: readonly unknown[], answer: unknown, id: string): AgentCall[] {
    const decisions = follow(answer, ['decisions']);
    if (!Array.isArray(decisions)) return [];
    return requests.flatMap((request, index) => {
      const decision: unknown = decisions[index];
      const type = follow(decision, ['type']);
      const action = type === 'edit' ? follow(decision, ['editedAction']) : request;
      const name = follow(action, ['name']);
      if (typeof name !== 'string') return [];
      const args = follow(action, ['args']);
      if (type === 'reject') {
        const message = follow(decision, ['message']);
        const reason = typeof message === 'string' ? message : undefined;
        return [{ ...personal(name, args, {}, id), ...rejection(reason) }];
      }
      const key = keyOf(name, JSON.stringify(args));
      if (key !== undefined) this.#approve(key);
      return [];
    });
  }
}

/** Requests for approval do not name the id of the call: the tool and its arguments do. */
function keyOf(tool: string, input: string): string | undefined {
  try {
    const args: unknown = JSON.parse(input);
    return isMembers(args) ? `${tool} ${JSON.stringify(Object.entries(args).sort())}` : undefined;
  } catch {
    return undefined;
  }
}

function answerOf(answer: unknown) {
  return typeof answer === 'boolean' ? { approved: answer } : membersOf(answer);
}

function personal(action: string, asked: unknown, outputs: AgentCall['outputs'], id: string) {
  return {
    ...{ kind: 'tool' as const, agent: undefined, action, inputs: membersOf(asked), outputs },
    isByPerson: true,
    ids: { interrupt_id: id === '' ? undefined : id },
  };
}

/** What a tool of LangChain returned: a `ToolMessage`, a `Command`, or a value. */
export function readToolEnd(output: unknown): Ending & Pick<Partial<AgentCall>, 'kind'> {
  if (follow(output, ['lg_name']) === 'Command') return readCommand(output);
  if (!isToolMessage(output)) return returned(membersOf(output));
  const content = contentOf(output);
  if (output.status !== 'error') return returned(content);
  return failure(content.value ?? JSON.stringify(content));
}

/** What an agent said last; undefined while it waits for tools or for a person. */
export function readFinalOutput(state: unknown): Members | undefined {
  const last = lastMessage(follow(state, ['messages']));
  if (!hasContent(last) || 'tool_call_id' in last) return undefined;
  const { tool_calls } = last;
  return Array.isArray(tool_calls) && tool_calls.length === 0 ? contentOf(last) : undefined;
}

/** A command that leads to other nodes hands the work over. */
function readCommand(command: unknown): Ending & Pick<Partial<AgentCall>, 'kind'> {
  const targets = [follow(command, ['goto']) ?? []].flat().map(targetOf);
  if (targets.length > 0) return { kind: 'handoff', ...returned({ handed_to: targets }) };
  const last = lastMessage(follow(command, ['update', 'messages']));
  return returned(isToolMessage(last) ? contentOf(last) : {});
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
  return membersOf(content);
}
