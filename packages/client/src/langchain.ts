import { BaseCallbackHandler } from '@langchain/core/callbacks/base';
import type { AgentCall } from './agents/call.js';
import { type AgentOptions, CallRecorder } from './agents/call-recorder.js';
import { type Interrupt, readFinalOutput, readToolEnd, ToolAnswers } from './agents/graph.js';
import { failure, follow, type Members, membersOf } from './agents/members.js';
import { Recent } from './agents/recent.js';

export type { AgentOptions } from './agents/call-recorder.js';
export type { Interrupt } from './agents/graph.js';

type Start = Parameters<NonNullable<BaseCallbackHandler['handleToolStart']>>;

/** A tool that runs. */
interface Running {
  readonly tool: string;
  /** As JSON. */
  readonly input: string;
  readonly id: string | undefined;
  readonly isByPerson: boolean;
  readonly parent: string | undefined;
  readonly metadata: Members;
}

/**
 * Records the tool calls of agents of LangChain 1 and LangGraph 1 in a ledger, and the answers of people. A
 * callback changes nothing in a run; a middleware would, because LangChain treats the errors of its tools as its own.
 *
 * @example
 * ```ts
 * import { fixed } from '@decision-ledger/client/confidence';
 * import { LedgerHandler } from '@decision-ledger/client/langchain';
 * import { TestLedger } from '@decision-ledger/client/testing';
 *
 * const ledger = new TestLedger();
 * const handler = new LedgerHandler({ ledger, agent: 'refund-agent', confidence: fixed(0.8) });
 * handler.name; // => 'decision_ledger'
 * ```
 */
export class LedgerHandler extends BaseCallbackHandler {
  override readonly name = 'decision_ledger';
  /** Runs within the call, so that nothing is left when a run has ended. It never waits. */
  override awaitHandlers = true;
  readonly #recorder: CallRecorder;
  readonly #answers = new ToolAnswers();
  readonly #running = new Recent<Running>();

  constructor(options: AgentOptions) {
    super();
    this.#recorder = new CallRecorder(options);
  }

  /** What runs is kept in one place. */
  override copy(): this {
    return this;
  }

  override handleToolStart(...[serialized, input, run, parent, , metadata, name, id]: Start): void {
    this.#recorder.record(() => {
      const tool = name ?? String(follow(serialized, ['name']) ?? 'tool');
      const isByPerson = this.#answers.take(tool, input, id);
      const started = { tool, input, id, isByPerson, parent, metadata: metadata ?? {} };
      this.#running.set(run, started);
      return [];
    });
  }

  override handleToolEnd(output: unknown, run: string): void {
    this.#recorder.record(() => {
      const running = this.#running.take(run);
      if (running === undefined) return [];
      return [{ ...callOf(running, run), ...readToolEnd(output) }];
    });
  }

  override handleToolError(error: unknown, run: string): void {
    this.#recorder.record(() => {
      const running = this.#running.take(run);
      if (running === undefined) return [];
      // A tool that waits for a person, or leaves its graph, has not failed.
      if (
        follow(error, ['interrupts']) !== undefined ||
        Reflect.get(Object(error), 'is_bubble_up')
      ) {
        this.#answers.expect(error, running.id);
        return [];
      }
      return [{ ...callOf(running, run), ...failure(error) }];
    });
  }

  override handleChainEnd(outputs: unknown, run: string, parent?: string): void {
    this.#recorder.record(() => {
      if (parent !== undefined) return [];
      const output = readFinalOutput(outputs);
      if (output === undefined) return [];
      const heads = { kind: 'final_output', action: 'final_output', agent: undefined } as const;
      return [{ ...heads, inputs: {}, outputs: output, isByPerson: false, ids: { run_id: run } }];
    });
  }

  /**
   * States that a person answered. Put it where the graph is resumed:
   * `new Command({ resume: handler.answered(result.__interrupt__, answer) })`.
   *
   * A rejected tool call is recorded at once, an approved one when it has run. The answer to any other question
   * is a decision itself.
   *
   * @param action the `action_type` of an answer that concerns no tool
   * @returns the answer, unchanged
   */
  answered<Answer>(
    interrupts: readonly Interrupt[] | undefined,
    answer: Answer,
    action = 'approval',
  ): Answer {
    this.#recorder.record(() => this.#answers.read(interrupts ?? [], answer, action));
    return answer;
  }
}

function callOf(
  { tool, input, id, isByPerson, parent, metadata }: Running,
  run: string,
): AgentCall {
  const named = (name: string) => {
    const value = metadata[name];
    return typeof value === 'string' ? value : undefined;
  };
  return {
    kind: 'tool',
    agent: named('lc_agent_name'),
    action: tool,
    inputs: membersOf(input),
    outputs: {},
    isByPerson,
    ids: {
      tool_call_id: id,
      run_id: run,
      parent_run_id: parent,
      thread_id: named('thread_id'),
      graph_node: named('langgraph_node'),
    },
  };
}
