import type { DecisionToRecord } from '@decision-ledger/client';
import { isMembers, type JsonMembers, membersAt, membersOf } from '../json.js';
import { type Call, type IdKey, idKey, type ResponseMessage, readMessages } from './messages.js';
import { readTexts } from './payload.js';
import { TaskCalls, type TaskEnd } from './task-calls.js';
import type { ToolRules } from './tool-rules.js';
import { type WaitingCall, WaitingCalls } from './waiting-calls.js';

const MAX_NAME = 200;
const MAX_TOOLS = 10_000;
const MAX_LISTS = 1000;

export interface ObserverOptions {
  readonly agentId: string;
  readonly rules: ToolRules;
  /** ms */
  readonly now: () => number;
  /** @param calledAt when the agent called the tool, in ms */
  record(decision: DecisionToRecord, calledAt: number): void;
  /** Receives a text for people, without payload. */
  warn(text: string): void;
}

/** How a call ended, as `metadata.mcp_outcome` says it. */
type Outcome = 'result' | 'tool_error' | 'protocol_error' | 'cancelled' | 'no_result';

/** What that says of the action. After a call that was cancelled or has no answer, nobody knows. */
const OUTCOMES = {
  ...{ result: 'done', tool_error: 'failed', protocol_error: 'failed' },
  ...{ cancelled: 'unknown', no_result: 'unknown' },
} satisfies Record<Outcome, string>;

/** Reads the messages between a client and a server, and records the tool calls that are decisions. */
export class Observer {
  readonly #waiting = new WaitingCalls((call) => this.#recordWithout(call, 'no_result'));
  readonly #tasks = new TaskCalls((call) => this.#recordWithout(call, 'no_result'));
  /** Requests for the list of tools that wait for their answer. */
  readonly #lists = new Set<IdKey>();
  readonly #readOnly = new Map<string, boolean>();
  readonly #warned = new Set<string>();
  #unrecorded = 0;

  constructor(private readonly options: ObserverOptions) {}

  /** A line from the client to the server. */
  sent(line: string): void {
    for (const message of readMessages(line)) {
      if (message.kind === 'call') this.#request(message, line.length);
    }
  }

  /** A line from the server to the client. */
  received(line: string): void {
    if (this.#waiting.isEmpty && this.#tasks.isEmpty && this.#lists.size === 0) return;
    for (const message of readMessages(line)) {
      if (message.kind === 'answer') this.#answer(message);
      else this.#endTask(this.#tasks.notified(message));
    }
  }

  /** Records the calls that have no result, after the last line. */
  end(): void {
    this.#waiting.loseAll();
    this.#tasks.loseAll();
    if (this.#unrecorded > 0) {
      this.options.warn(`${this.#unrecorded} tool calls were not recorded, see above`);
    }
  }

  /** @param size of the line, in characters */
  #request(request: Call, size: number): void {
    const { id, method, params } = request;
    this.#tasks.sent(request);
    if (method === 'notifications/cancelled') {
      const call = this.#waiting.take(idKey(params.requestId) ?? '');
      if (call !== undefined) this.#recordWithout(call, 'cancelled');
    } else if (id === null) {
      return;
    } else if (method === 'tools/call') {
      this.#call(id, params, size);
    } else if (method === 'tools/list' && this.#lists.size < MAX_LISTS) {
      this.#lists.add(id);
    }
  }

  #call(id: IdKey, params: JsonMembers, size: number): void {
    const { rules, now } = this.options;
    const { name } = params;
    if (typeof name !== 'string' || name === '') return;
    if (name.length > MAX_NAME) {
      this.#refuse(name.slice(0, MAX_NAME), `its name is longer than ${MAX_NAME} characters`);
      return;
    }
    if (!rules.isDecision(name, this.#readOnly.get(name) ?? false)) return;
    const inputs = membersAt(params, 'arguments');
    const stated = rules.confidence(name, inputs);
    if (typeof stated === 'string') {
      this.#refuse(name, stated);
      return;
    }
    this.#waiting.add(id, { tool: name, inputs, stated, size, calledAt: now() });
  }

  #refuse(tool: string, problem: string): void {
    this.#unrecorded += 1;
    if (this.#warned.has(tool) || this.#warned.size >= MAX_TOOLS) return;
    this.#warned.add(tool);
    const name = JSON.stringify(tool);
    this.options.warn(
      `calls of the tool ${name} are not recorded: ${problem}. Add to "tools" of the configuration: ` +
        `${name}: {"confidence": ["argument:confidence", "fixed:0.8"]}, or {"decision": false} if a ` +
        'call is no decision',
    );
  }

  #answer(answer: ResponseMessage): void {
    const { id, result } = answer;
    if (this.#lists.delete(id)) this.#learn(result);
    this.#endTask(this.#tasks.answered(answer));
    const call = this.#waiting.take(id);
    // The client repeats the call with what the server asks for.
    if (call === undefined || (isMembers(result) && result.resultType === 'input_required')) return;
    if (!this.#tasks.keep(call, result)) this.#end(call, answer);
  }

  #endTask(end: TaskEnd | null): void {
    if (end?.kind === 'cancelled') this.#recordWithout(end.call, 'cancelled');
    else if (end !== null) this.#end(end.call, end.answer);
  }

  #end(call: WaitingCall, { result, error }: ResponseMessage): void {
    if (error !== undefined) {
      const { code, message, data } = membersOf(error) ?? { message: error };
      const stated = { type: 'protocol_error', code, message, data };
      this.#record(call, 'protocol_error', { error: stated });
      return;
    }
    const outputs = readTexts(result);
    if (isMembers(result) && result.isError === true) {
      this.#record(call, 'tool_error', { ...outputs, error: { type: 'tool_error' } });
    } else {
      this.#record(call, 'result', outputs);
    }
  }

  /** Remembers which tools the server calls read-only. */
  #learn(result: unknown): void {
    const tools: unknown = isMembers(result) ? result.tools : undefined;
    for (const tool of Array.isArray(tools) ? tools : []) {
      if (!isMembers(tool) || typeof tool.name !== 'string' || tool.name.length > MAX_NAME)
        continue;
      const isReadOnly = membersAt(tool, 'annotations').readOnlyHint === true;
      if (this.#readOnly.size < MAX_TOOLS) this.#readOnly.set(tool.name, isReadOnly);
    }
  }

  #recordWithout(call: WaitingCall, outcome: 'cancelled' | 'no_result'): void {
    const { taskStatus } = call;
    const status = taskStatus === undefined ? {} : { task_status: taskStatus };
    this.#record(call, outcome, { error: { type: outcome, ...status } });
  }

  #record(
    { tool, inputs, stated, calledAt }: WaitingCall,
    outcome: Outcome,
    outputs: JsonMembers,
  ): void {
    const metadata = {
      ...{ outcome: OUTCOMES[outcome], mcp_outcome: outcome },
      confidence_source: stated.source,
    };
    const { confidence } = stated;
    const decision = { agent_id: this.options.agentId, action_type: tool, inputs, outputs };
    this.options.record({ ...decision, confidence, metadata }, calledAt);
  }
}
