import { type JsonMembers, membersAt, membersOf, readJson } from '../json.js';
import type { Tool } from './tool.js';

/** The longest message of a client, in bytes: a decision with all its fields, and more. */
export const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;

/** The version whose requests each state their version, without a handshake. */
export const MODERN = '2026-07-28';
/** The versions with a handshake, the newest first. */
export const WITH_HANDSHAKE = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;

/** Where a request states its version. */
export const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
const SERVER_KEY = 'io.modelcontextprotocol/serverInfo';
const CAPABILITIES = { tools: {} };

export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
const INVALID_PARAMS = -32602;
export const HEADER_MISMATCH = -32020;
export const UNSUPPORTED_VERSION = -32022;

/** Calls of tools at once. */
const MAX_CALLS = 20;

type Id = string | number | null;
type Reply = { readonly result: object } | { readonly error: ProtocolError };

export interface ProtocolError {
  readonly code: number;
  readonly message: string;
  readonly data?: object;
}

/** An answer to a request, or to what cannot be read. */
export type JsonRpcResponse = { readonly jsonrpc: '2.0'; readonly id: Id } & Reply;

/** What a transport has against a request; null if nothing. */
export type RequestCheck = (method: string, params: JsonMembers) => ProtocolError | null;

export interface ProtocolOptions {
  readonly info: { readonly name: string; readonly version: string };
  readonly tools: readonly Tool[];
  /** The message of an error, for the model. */
  explain(error: unknown): string;
}

/** Answers the messages of one client, in the versions of the protocol with and without a handshake. */
export class Protocol {
  readonly #tools: ReadonlyMap<string, Tool>;
  readonly #calls = new Map<Id, AbortController>();

  constructor(private readonly options: ProtocolOptions) {
    this.#tools = new Map(options.tools.map((tool) => [tool.name, tool]));
  }

  /** @returns the answer, or null if none is due */
  async answer(text: string, check: RequestCheck = () => null): Promise<JsonRpcResponse | null> {
    const read = readJson(text);
    if (read === undefined) return answer(null, failure(PARSE_ERROR, 'the message is no JSON'));
    const message = membersOf(read);
    if (message === null || typeof message.method !== 'string') {
      const isAnswer = message !== null && ('result' in message || 'error' in message);
      return isAnswer ? null : answer(null, failure(INVALID_REQUEST, 'this is no request'));
    }
    const { id, method } = message;
    const params = membersOf(message.params) ?? {};
    if (typeof id !== 'string' && typeof id !== 'number') {
      if (method === 'notifications/cancelled') this.#cancel(params.requestId);
      return null;
    }
    const problem = check(method, params);
    if (problem !== null) return answer(id, { error: problem });
    const reply = await this.#reply(id, method, params);
    // A call that its client cancelled gets no answer.
    return reply === null ? null : answer(id, reply);
  }

  refuseLong(): JsonRpcResponse {
    return answer(null, failure(INVALID_REQUEST, 'the message is too long'));
  }

  cancelAll(): void {
    for (const call of this.#calls.values()) call.abort();
  }

  #cancel(id: unknown): void {
    if (typeof id === 'string' || typeof id === 'number') this.#calls.get(id)?.abort();
  }

  async #reply(id: Id, method: string, params: JsonMembers): Promise<Reply | null> {
    const version = membersAt(params, '_meta')[VERSION_KEY];
    if (version !== undefined && version !== MODERN) {
      const data = { supported: [MODERN], requested: String(version) };
      return failure(UNSUPPORTED_VERSION, 'this version of the protocol is not supported', data);
    }
    const reply = await this.#dispatch(id, method, params);
    if (reply === null || version === undefined || 'error' in reply) return reply;
    const _meta = { [SERVER_KEY]: this.options.info };
    return { result: { ...reply.result, resultType: 'complete', _meta } };
  }

  async #dispatch(id: Id, method: string, params: JsonMembers): Promise<Reply | null> {
    const cache = { ttlMs: 0, cacheScope: 'private' };
    switch (method) {
      case 'initialize':
        return { result: this.#initialize(params) };
      case 'server/discover':
        return { result: { supportedVersions: [MODERN], capabilities: CAPABILITIES, ...cache } };
      case 'ping':
        return { result: {} };
      case 'tools/list': {
        const tools = this.options.tools.map(({ run: _run, ...tool }) => tool);
        return { result: { tools, ...cache } };
      }
      case 'tools/call':
        return this.#call(id, params);
      default:
        return failure(METHOD_NOT_FOUND, 'there is no such method');
    }
  }

  #initialize({ protocolVersion }: JsonMembers): object {
    const asked = WITH_HANDSHAKE.find((version) => version === protocolVersion);
    return {
      protocolVersion: asked ?? WITH_HANDSHAKE[0],
      capabilities: CAPABILITIES,
      serverInfo: this.options.info,
    };
  }

  async #call(id: Id, params: JsonMembers): Promise<Reply | null> {
    const tool = typeof params.name === 'string' ? this.#tools.get(params.name) : undefined;
    if (tool === undefined) return failure(INVALID_PARAMS, 'there is no such tool');
    if (this.#calls.has(id)) return failure(INVALID_REQUEST, 'this id is in use');
    if (this.#calls.size >= MAX_CALLS) return failure(INVALID_REQUEST, 'too many calls at once');
    const control = new AbortController();
    this.#calls.set(id, control);
    try {
      const input = membersOf(params.arguments) ?? params.arguments ?? {};
      const content = await tool.run(input, control.signal);
      return { result: { content } };
    } catch (error) {
      if (control.signal.aborted) return null;
      // The model sees the error of a tool, and can correct its arguments.
      const content = [{ type: 'text', text: this.options.explain(error) }];
      return { result: { content, isError: true } };
    } finally {
      this.#calls.delete(id);
    }
  }
}

function failure(code: number, message: string, data?: object): Reply {
  return { error: { code, message, ...(data !== undefined && { data }) } };
}

function answer(id: Id, reply: Reply): JsonRpcResponse {
  return { jsonrpc: '2.0', id, ...reply };
}
