import { success } from '@decision-ledger/contract/shared';
import { checker } from '@decision-ledger/contract/validation';
import type { JsonValue } from '@decision-ledger/proof/gate';
import type { FastifyContextConfig, FastifyReply, FastifyRequest, FastifySchema } from 'fastify';
import type { Static, TSchema } from 'typebox';
import type { Database } from '../platform/database.js';
import type { Ledger, LedgerWriter } from '../platform/ledger.js';
import type { PageRows, Slice, SortKey } from '../platform/page.js';
import type { Principal } from '../platform/principal.js';
import type { Reads } from '../platform/replica.js';
import { callerOf, type Wrap } from './envelope.js';
import { createOnce } from './once.js';
import { type CursorCodec, type Page, readPage } from './paging.js';
import { printTable, type TableFormat, withTable } from './table.js';
import type { Http } from './types.js';

/** What the endpoints of all domains need. */
export interface EndpointTools {
  readonly db: Database;
  /** Where endpoints that read do so. */
  readonly reads: Reads;
  readonly cursors: CursorCodec;
  /** The key of the HMAC over Idempotency-Keys. */
  readonly idempotencyKey: Buffer;
  readonly wrap: Wrap;
}

/** The schemas of the parts of a request. */
interface Schemas<P extends TSchema, Q extends TSchema, B extends TSchema> {
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
}

/** The parts of a request, as their schemas describe them. */
interface Parts<P extends TSchema, Q extends TSchema, B extends TSchema> {
  readonly params: Static<P>;
  readonly query: Static<Q>;
  readonly body: Static<B>;
}

/** An authenticated request whose parts are checked. */
export interface Call<P extends TSchema, Q extends TSchema, B extends TSchema>
  extends Parts<P, Q, B> {
  readonly request: FastifyRequest & { readonly body: JsonValue };
  readonly reply: FastifyReply;
  readonly principal: Principal;
  /** The ledger of the caller. */
  readonly ledger: Ledger;
}

/** What an endpoint says of itself. */
interface Description<D extends TSchema> {
  readonly path: string;
  readonly tag: string;
  readonly operationId: string;
  readonly summary: string;
  /** The data of the answer. */
  readonly data: D;
}

interface Reading<P extends TSchema, Q extends TSchema, D extends TSchema>
  extends Schemas<P, Q, TSchema>,
    Description<D> {
  /** What differs from `READ`. */
  readonly config?: FastifyContextConfig;
  /** How the answer is written for `format=csv`. */
  readonly table?: TableFormat<Static<D>>;
}

/** Adds an endpoint that reads. */
export function read<D extends TSchema, P extends TSchema = TSchema, Q extends TSchema = TSchema>(
  app: Http,
  tools: EndpointTools,
  endpoint: Reading<P, Q, D> & {
    readonly answer: (call: Call<P, Q, TSchema>) => Static<D> | Promise<Static<D>>;
  },
): void {
  const { config, data, table, answer } = endpoint;
  add(app, tools, {
    ...endpoint,
    method: 'GET',
    config: { ...READ, ...config },
    response: { 200: table === undefined ? success(data) : withTable(data) },
    handle: async (call) => {
      const read = await tools.reads.run(call.ledger, async (ledger) =>
        answer({ ...call, ledger }),
      );
      const printed = table === undefined ? null : await printTable(call, read, table);
      return printed ?? tools.wrap(call.request, read);
    },
  });
}

const READ = { permission: 'read', bucket: 'read' } as const;

interface Listing<
  P extends TSchema,
  Q extends TSchema,
  D extends TSchema,
  Found extends PageRows<unknown>,
  Key,
> extends Reading<P, Q, D> {
  readonly query: Q;
  readonly key: SortKey<Key>;
  readonly fetch: (call: Call<P, Q, TSchema>, slice: Slice<Key>) => Promise<Found>;
  readonly keyOf: (row: Found['rows'][number]) => Key;
  /** The data of a page. */
  readonly show: (page: Page<Found>, call: Call<P, Q, TSchema>) => Static<D> | Promise<Static<D>>;
}

/** Adds an endpoint that answers with a page of a list. Its cursors are valid for the same path and filters. */
export function list<
  Q extends TSchema,
  D extends TSchema,
  Found extends PageRows<unknown>,
  Key,
  P extends TSchema = TSchema,
>(app: Http, tools: EndpointTools, endpoint: Listing<P, Q, D, Found, Key>): void {
  const { path, key, fetch, keyOf, show } = endpoint;
  read(app, tools, {
    ...endpoint,
    answer: async (call) => {
      const page = await readPage(tools.cursors, {
        list: [path.slice(1), ...Object.values(Object(call.params))].join(' '),
        scope: call.principal.scope,
        query: call.query,
        key,
        fetch: (slice) => fetch(call, slice),
        keyOf,
      });
      return show(page, call);
    },
  });
}

interface Changing<P extends TSchema, Q extends TSchema, B extends TSchema, D extends TSchema>
  extends Schemas<P, Q, B>,
    Description<D> {
  readonly config: FastifyContextConfig;
}

/** Adds an endpoint that changes something. */
export function change<
  D extends TSchema,
  P extends TSchema = TSchema,
  Q extends TSchema = TSchema,
  B extends TSchema = TSchema,
>(
  app: Http,
  { db, wrap }: Pick<EndpointTools, 'db' | 'wrap'>,
  endpoint: Changing<P, Q, B, D> & {
    readonly method: 'DELETE' | 'PATCH' | 'POST';
    /** Default: 200. */
    readonly status?: 201 | 202;
    readonly answer: (call: Call<P, Q, B>) => Promise<Static<D>>;
  },
): void {
  const { data, status = 200, answer } = endpoint;
  add(
    app,
    { db },
    {
      ...endpoint,
      response: { [status]: success(data) },
      handle: async (call) => {
        const changed = await answer(call);
        void call.reply.code(status);
        return wrap(call.request, changed);
      },
    },
  );
}

/** Adds an endpoint that creates something, at most once for an Idempotency-Key. */
export function create<
  B extends TSchema,
  D extends TSchema,
  P extends TSchema = TSchema,
  Q extends TSchema = TSchema,
>(
  app: Http,
  tools: EndpointTools,
  endpoint: Changing<P, Q, B, D> & {
    readonly body: B;
    /** 202 if it is created later; default: 201. */
    readonly status?: 202;
    readonly make: (tx: LedgerWriter, call: Call<P, Q, B>) => Promise<Static<D> & JsonValue>;
  },
): void {
  const { data, status = 201, make } = endpoint;
  const readStored = checker(data, 'answer');
  add(app, tools, {
    ...endpoint,
    method: 'POST',
    response: { [status]: success(data) },
    handle: (call) =>
      createOnce(tools, call, { status, read: readStored, make: (tx) => make(tx, call) }),
  });
}

interface Endpoint<P extends TSchema, Q extends TSchema, B extends TSchema>
  extends Schemas<P, Q, B>,
    Omit<Description<TSchema>, 'data'> {
  readonly method: 'DELETE' | 'GET' | 'PATCH' | 'POST';
  readonly config: FastifyContextConfig;
  readonly response: Readonly<Record<number, unknown>>;
  readonly handle: (call: Call<P, Q, B>) => Promise<unknown>;
}

function add<P extends TSchema, Q extends TSchema, B extends TSchema>(
  app: Http,
  { db }: Pick<EndpointTools, 'db'>,
  endpoint: Endpoint<P, Q, B>,
): void {
  const { method, path: url, config, tag, operationId, summary, response, handle } = endpoint;
  const { params, query: querystring, body } = endpoint;
  const schema: FastifySchema = {
    tags: [tag],
    operationId,
    summary,
    ...(params !== undefined && { params }),
    ...(querystring !== undefined && { querystring }),
    ...(body !== undefined && { body }),
    response,
  };
  app.route({
    method,
    url,
    config,
    schema,
    handler: async (request, reply) => {
      if (!isChecked(request, endpoint)) throw new Error(`${url} has not checked its requests`);
      const principal = callerOf(request);
      const { params, query, body } = request;
      const ledger = db.ledger(principal.scope);
      return handle({ request, reply, principal, ledger, params, query, body });
    },
  });
}

/** Whether the framework has checked a request against these schemas, so that its parts have their types. */
function isChecked<P extends TSchema, Q extends TSchema, B extends TSchema>(
  request: FastifyRequest,
  { params, query, body }: Schemas<P, Q, B>,
): request is FastifyRequest & Parts<P, Q, B> & { readonly body: JsonValue } {
  const { schema } = request.routeOptions;
  return schema?.params === params && schema?.querystring === query && schema?.body === body;
}
