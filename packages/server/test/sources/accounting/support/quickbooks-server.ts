import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const QUERY =
  /^select \* from (\w+)(?: where (?:Metadata\.LastUpdatedTime >= '([^']+)'|(Active in \(true, false\))))?(?: orderby Id)?(?: startposition (\d+) maxresults (\d+))?$/;
/** Entities of the accounting API that this server has. */
const ENTITIES = new Set([
  ...[
    'Account',
    'Bill',
    'BillPayment',
    'CreditMemo',
    'Deposit',
    'Invoice',
    'JournalEntry',
    'Payment',
  ],
  ...['Preferences', 'Purchase', 'RefundReceipt', 'SalesReceipt', 'Transfer', 'VendorCredit'],
]);
/** The data model that is served, whatever older one is asked for. */
const MINOR_VERSION = 75;

export const CLIENT = { id: 'client-1', secret: 'client-secret-1' };
export const REALM = '4620816365000000001';

interface Stored {
  readonly entity: string;
  readonly id: string;
  readonly fields: Record<string, unknown>;
  readonly isDeleted: boolean;
  readonly updated: number;
}

interface State {
  refreshToken: string;
  /** Expiry of each access token, in ms. */
  readonly access: Map<string, number>;
  issued: number;
  accessLifetimeSeconds: number;
  /** The changes in a full change data capture answer. */
  full: 'oldest' | 'newest';
}

/** Replaces an answer once: a status and a body, or the whole answer cut in half. */
export type Fault = { status: number; body: string } | 'cut' | 'hang up';
type Operation = 'token' | 'cdc' | 'query';

/** A local server for the used part of Intuit's OAuth 2 and accounting API, version 3. */
export async function startQuickBooks(clock: { now(): number }) {
  const books = new Map<string, Stored>();
  const requests: { operation: Operation; url: URL; authorization: string }[] = [];
  const faults = new Map<Operation, Fault[]>();
  const state: State = {
    refreshToken: 'refresh-0',
    access: new Map(),
    issued: 0,
    accessLifetimeSeconds: 3600,
    full: 'oldest',
  };

  const server = createServer((request, response) => {
    void handle(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', base);
    let body = '';
    for await (const chunk of request) body += chunk;
    const { authorization = '' } = request.headers;
    const operation = operationOf(url);
    if (operation === null) return send(response, 404, 'no such path');
    requests.push({ operation, url, authorization });
    const fault = faults.get(operation)?.shift();
    if (fault === 'hang up') return void request.socket.destroy();
    if (typeof fault === 'object') return send(response, fault.status, fault.body);
    const [status, text] =
      operation === 'token' ? token(authorization, body) : read(operation, url, authorization);
    send(response, status, fault === 'cut' ? text.slice(0, text.length / 2) : text);
  }

  function operationOf(url: URL): Operation | null {
    if (url.pathname === '/oauth2/v1/tokens/bearer') return 'token';
    if (url.pathname === `/v3/company/${REALM}/cdc`) return 'cdc';
    return url.pathname === `/v3/company/${REALM}/query` ? 'query' : null;
  }

  function token(authorization: string, body: string): [number, string] {
    const basic = Buffer.from(`${CLIENT.id}:${CLIENT.secret}`).toString('base64');
    if (authorization !== `Basic ${basic}`) return [401, '{"error":"invalid_client"}'];
    const form = new URLSearchParams(body);
    if (form.get('grant_type') !== 'refresh_token') return [400, '{"error":"invalid_request"}'];
    if (form.get('refresh_token') !== state.refreshToken) {
      return [
        400,
        '{"error":"invalid_grant","error_description":"Incorrect or invalid refresh token"}',
      ];
    }
    state.issued += 1;
    state.refreshToken = `refresh-${state.issued}`;
    const access = `access-${state.issued}`;
    state.access.set(access, clock.now() + state.accessLifetimeSeconds * 1000);
    return [
      200,
      JSON.stringify({
        token_type: 'bearer',
        access_token: access,
        expires_in: state.accessLifetimeSeconds,
        refresh_token: state.refreshToken,
        x_refresh_token_expires_in: 8_726_400,
      }),
    ];
  }

  function read(operation: Operation, url: URL, authorization: string): [number, string] {
    const expiry = state.access.get(authorization.replace(/^Bearer /, '')) ?? 0;
    if (expiry <= clock.now()) {
      return [401, faultText('message=AuthenticationFailed; errorCode=003200; statusCode=401')];
    }
    if (Number(url.searchParams.get('minorversion')) !== MINOR_VERSION) {
      return [400, faultText('the objects of this version are not those of the tests')];
    }
    return operation === 'cdc' ? changes(url.searchParams) : query(url.searchParams);
  }

  function changes(parameters: URLSearchParams): [number, string] {
    const since = Date.parse(parameters.get('changedSince') ?? '');
    if (!(since >= clock.now() - 30 * DAY_MS)) {
      return [400, faultText('changedSince is more than 30 days in the past')];
    }
    const entities = (parameters.get('entities') ?? '').split(',');
    const unknown = entities.find((entity) => !ENTITIES.has(entity));
    if (unknown !== undefined) return [400, faultText(`unsupported entity ${unknown}`)];
    const changed = [...books.values()]
      .filter(({ entity, updated }) => entities.includes(entity) && updated >= since)
      .sort((a, b) => a.updated - b.updated);
    const most = 1000;
    const told = state.full === 'oldest' ? changed.slice(0, most) : changed.slice(-most);
    const parts = entities.map((entity) => {
      const objects = told.filter((stored) => stored.entity === entity);
      if (objects.length === 0) return {};
      return { [entity]: objects.map(show), startPosition: 1, maxResults: objects.length };
    });
    return ok({ CDCResponse: [{ QueryResponse: parts }] });
  }

  function query(parameters: URLSearchParams): [number, string] {
    const match = QUERY.exec(parameters.get('query') ?? '');
    if (match === null) return [400, faultText('QueryParserError: Encountered something')];
    const [, entity = '', since, all, start = '1', most = '100'] = match;
    if (!ENTITIES.has(entity)) return [400, faultText(`QueryValidationError: entity ${entity}`)];
    if (Number(start) < 1) {
      return [400, faultText('QueryValidationError: value 0 is too small. Min allowed value is 1')];
    }
    if (Number(most) > 1000) return [400, faultText('QueryValidationError: maxresults')];
    if (entity === 'Preferences') {
      const HomeCurrency = { value: 'CAD' };
      return ok({ QueryResponse: { Preferences: [{ CurrencyPrefs: { HomeCurrency }, Id: '1' }] } });
    }
    const found = [...books.values()]
      .filter((stored) => stored.entity === entity && !stored.isDeleted)
      // An inactive object of a list is found if it is asked for.
      .filter(({ fields }) => fields.Active !== false || all !== undefined)
      .filter(({ updated }) => since === undefined || updated >= Date.parse(since))
      .sort((a, b) => Number(a.id) - Number(b.id))
      .slice(Number(start) - 1, Number(start) - 1 + Number(most));
    const part = { startPosition: Number(start), maxResults: found.length };
    return ok({
      QueryResponse: found.length === 0 ? {} : { [String(entity)]: found.map(show), ...part },
    });
  }

  function ok(answer: object): [number, string] {
    const text = JSON.stringify({ ...answer, time: pacific(clock.now(), true) });
    // A text that begins with # stands for a JSON number of exactly these characters.
    return [200, text.replace(/"#([^"]*)"/g, '$1')];
  }

  const put = (entity: string, id: number | string, fields: Record<string, unknown>) => {
    const key = `${entity}/${id}`;
    books.set(key, { entity, id: `${id}`, fields, isDeleted: false, updated: clock.now() });
  };
  return {
    urls: { api_url: base, token_url: `${base}/oauth2/v1/tokens/bearer` },
    state,
    requests,
    put,
    remove: (entity: string, id: number | string) => {
      const key = `${entity}/${id}`;
      const old = books.get(key);
      if (old === undefined) throw new Error(`there is no ${key}`);
      books.set(key, { ...old, isDeleted: true, updated: clock.now() });
    },
    failOnce: (operation: Operation, ...list: Fault[]) => faults.set(operation, list),
    stop: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}

export type QuickBooks = Awaited<ReturnType<typeof startQuickBooks>>;

function show({ id, fields, isDeleted, updated }: Stored) {
  const MetaData = { LastUpdatedTime: pacific(updated, false) };
  if (isDeleted) return { domain: 'QBO', status: 'Deleted', Id: id, MetaData };
  return { ...fields, domain: 'QBO', sparse: false, Id: id, SyncToken: '0', MetaData };
}

/**
 * Times as Intuit writes them: with the offset of its head office, and changes in whole seconds.
 */
function pacific(ms: number, withMs: boolean): string {
  const local = new Date(ms - 8 * HOUR_MS).toISOString();
  return local.replace(withMs ? /Z$/ : /\.\d{3}Z$/, '-08:00');
}

function faultText(detail: string): string {
  const fault = { Message: 'A fault', Detail: detail, code: '4000' };
  return JSON.stringify({ Fault: { Error: [fault], type: 'ValidationFault' } });
}

function send(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(body);
}
