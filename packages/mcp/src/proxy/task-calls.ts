import { isMembers, type JsonMembers, membersAt } from '../json.js';
import { type Call, type IdKey, idKey, type ResponseMessage } from './messages.js';
import { type WaitingCall, WaitingCalls } from './waiting-calls.js';

/** Requests about tasks that wait for their answer. */
const MAX_REQUESTS = 1000;
const MAX_ID = 1000;

const STATUSES = ['working', 'input_required', 'completed', 'failed'] as const;

/** A request about a task, as its method names it. */
interface TaskRequest {
  readonly task: IdKey;
  readonly method: string;
}

/** How the task of a call ended. */
export type TaskEnd =
  | { readonly kind: 'answer'; readonly call: WaitingCall; readonly answer: ResponseMessage }
  | { readonly kind: 'cancelled'; readonly call: WaitingCall };

/** The calls that a server answered with a task. Their results come with a later message, if the client asks. */
export class TaskCalls {
  readonly #waiting: WaitingCalls;
  readonly #requests = new Map<IdKey, TaskRequest>();

  /** @param onLost receives calls that are given up because of the limit, or at the end */
  constructor(onLost: (call: WaitingCall) => void) {
    this.#waiting = new WaitingCalls(onLost);
  }

  /** Whether nothing that the server says is about a task of a call. */
  get isEmpty(): boolean {
    return this.#waiting.isEmpty;
  }

  /** Keeps a call whose result is a task. @returns whether it is */
  keep(call: WaitingCall, result: unknown): boolean {
    const task = taskIn(result);
    if (task === null) return false;
    this.#waiting.add(task, call);
    return true;
  }

  /** A request of the client. */
  sent({ id, method, params }: Call): void {
    const task = keyOf(params);
    if (id === null || task === null || !method.startsWith('tasks/')) return;
    if (!this.#waiting.has(task)) return;
    this.#requests.set(id, { task, method });
    const [oldest] = this.#requests.keys();
    if (this.#requests.size > MAX_REQUESTS && oldest !== undefined) this.#requests.delete(oldest);
  }

  /** An answer of the server. @returns the end of a task, if it is one */
  answered(answer: ResponseMessage): TaskEnd | null {
    const request = this.#requests.get(answer.id);
    if (request === undefined) return null;
    this.#requests.delete(answer.id);
    if (request.method === 'tasks/result') return this.#end(request.task, answer);
    return isMembers(answer.result) ? this.#stated(request.task, answer.id, answer.result) : null;
  }

  /** A message of the server that a task has changed. */
  notified({ method, params }: Call): TaskEnd | null {
    const task = method === 'notifications/tasks/status' ? keyOf(params) : null;
    return task === null ? null : this.#stated(task, task, params);
  }

  loseAll(): void {
    this.#waiting.loseAll();
  }

  /** What the server says of a task: from 2026 on, with its result in the same message. */
  #stated(task: IdKey, id: IdKey, state: JsonMembers): TaskEnd | null {
    if (isMembers(state.result))
      return this.#end(task, { kind: 'answer', id, result: state.result });
    if (isMembers(state.error)) return this.#end(task, { kind: 'answer', id, error: state.error });
    const call = this.#waiting.take(task);
    if (call === undefined) return null;
    if (state.status === 'cancelled') return { kind: 'cancelled', call };
    const isKnown = STATUSES.some((status) => status === state.status);
    this.#waiting.add(task, isKnown ? { ...call, taskStatus: String(state.status) } : call);
    return null;
  }

  #end(task: IdKey, answer: ResponseMessage): TaskEnd | null {
    const call = this.#waiting.take(task);
    return call === undefined ? null : { kind: 'answer', call, answer };
  }
}

/** The task that a result names instead of the content of a tool. */
function taskIn(result: unknown): IdKey | null {
  if (!isMembers(result) || 'content' in result) return null;
  return keyOf(result.resultType === 'task' ? result : membersAt(result, 'task'));
}

function keyOf({ taskId }: JsonMembers): IdKey | null {
  return typeof taskId === 'string' && taskId.length <= MAX_ID ? idKey(taskId) : null;
}
