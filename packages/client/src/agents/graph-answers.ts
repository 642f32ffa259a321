import type { AgentCall } from './call.js';
import { follow, isMembers, membersOf, rejection } from './members.js';
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
        return [personal(name, args, rejection(reason), id)];
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
