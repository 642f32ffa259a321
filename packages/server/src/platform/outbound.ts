/** One HTTP request to a server outside. */
export interface OutboundRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly allowPrivateAddresses: boolean;
  /** ms for the whole exchange. */
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
}

export interface OutboundAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Answers with whatever status the server gave; throws when there was no whole answer. */
export type Outbound = (request: OutboundRequest) => Promise<OutboundAnswer>;
