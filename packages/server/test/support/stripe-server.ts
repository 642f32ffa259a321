import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Payload } from './stripe-events.js';

/** A restricted key of the account. */
export const API_KEY = 'rk_live_51QxK2eLkdIwHu7ix';

/** An account with Stripe: what it holds, in any order. */
export interface Account {
  readonly transactions: Payload[];
  readonly payouts: Payload[];
  /** Charges, refunds, disputes and payouts, which transactions name. */
  readonly objects: Map<string, Payload>;
  /** The ids of the transactions of each payout that Stripe made itself, with its own. */
  readonly contents: Map<string, readonly string[]>;
}

export const emptyAccount = (): Account => ({
  ...{ transactions: [], payouts: [], objects: new Map(), contents: new Map() },
});

/** What happens to a request instead of its answer. `slow`: the answer begins and does not end. */
type Fault =
  | { readonly status: number; readonly code?: string; readonly message?: string }
  | 'cut'
  | 'hang up'
  | 'slow';

export interface StripeServer {
  readonly url: string;
  readonly requests: { readonly url: URL; readonly headers: IncomingMessage['headers'] }[];
  /** The largest page that is answered, whatever is asked for. */
  largestPage: number;
  failNext(...faults: Fault[]): void;
  stop(): Promise<unknown>;
}

/** A server of the read part of Stripe's API that the service uses, on a socket of its own. */
export async function startStripe(account: Account, key = API_KEY): Promise<StripeServer> {
  const requests: StripeServer['requests'] = [];
  const faults: Fault[] = [];
  const state = { largestPage: 100 };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://stripe');
    requests.push({ url, headers: request.headers });
    const fault = faults.shift();
    if (fault === 'hang up') return void request.socket.destroy();
    const [status, body] =
      typeof fault === 'object'
        ? refused(fault)
        : answerTo(request, url, account, { ...state, key });
    const text = JSON.stringify(body);
    if (fault === 'slow') return void response.writeHead(status).write(text.slice(0, 10));
    send(response, status, fault === 'cut' ? text.slice(0, text.length / 2) : text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    get largestPage() {
      return state.largestPage;
    },
    set largestPage(most) {
      state.largestPage = most;
    },
    failNext: (...list) => void faults.push(...list),
    stop: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}

type Answer = readonly [status: number, body: object];

function answerTo(
  { method, headers }: IncomingMessage,
  url: URL,
  account: Account,
  { key, largestPage }: { readonly key: string; readonly largestPage: number },
): Answer {
  if (headers.authorization !== `Bearer ${key}`) {
    const message = `Invalid API Key provided: ${headers.authorization}`;
    return refused({ status: 401, message });
  }
  if (method !== 'GET') return refused({ status: 403, code: 'more_permissions_required' });
  const parameters = url.searchParams;
  if (url.pathname === '/v1/payouts') return page(url, within(account.payouts, url), largestPage);
  if (url.pathname === '/v1/balance_transactions') {
    const payout = parameters.get('payout');
    const of = payout === null ? null : new Set(account.contents.get(payout) ?? []);
    const listed = within(account.transactions, url).filter(
      ({ id }) => of === null || of.has(String(id)),
    );
    return page(url, listed.map(expanded(account, url)), largestPage);
  }
  const object = account.objects.get(url.pathname.split('/').at(-1) ?? '');
  if (url.pathname.startsWith('/v1/charges/') && object !== undefined) return [200, object];
  return refused({ status: 404, code: 'resource_missing' });
}

/** The newest first; of one second, the later one. */
function within(list: readonly Payload[], url: URL): Payload[] {
  const from = Number(url.searchParams.get('created[gte]') ?? 0);
  return list
    .map((item, at) => ({ item, at }))
    .filter(({ item }) => Number(item.created) >= from)
    .sort((a, b) => Number(b.item.created) - Number(a.item.created) || b.at - a.at)
    .map(({ item }) => item);
}

const expanded = (account: Account, url: URL) => (item: Payload) =>
  url.searchParams.getAll('expand[]').includes('data.source')
    ? { ...item, source: account.objects.get(String(item.source)) ?? item.source ?? null }
    : item;

function page(url: URL, all: readonly Payload[], largestPage: number): Answer {
  const parameters = url.searchParams;
  const limit = Math.min(Number(parameters.get('limit') ?? 10), largestPage);
  const after = parameters.get('starting_after');
  const place = after === null ? 0 : all.findIndex(({ id }) => id === after) + 1;
  if (after !== null && place === 0) return refused({ status: 400, code: 'resource_missing' });
  const data = all.slice(place, place + limit);
  const has_more = place + data.length < all.length;
  return [200, { object: 'list', url: url.pathname, has_more, data }];
}

function refused({ status, code, message = 'refused' }: Exclude<Fault, string>): Answer {
  return [status, { error: { ...(code !== undefined && { code }), message, type: 'api_error' } }];
}

function send(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(body);
}

export const connection = (server: StripeServer, fields: object = {}) => ({
  ...{ id: 'balance', kind: 'stripe', api_key: API_KEY, api_url: server.url },
  ...fields,
});
