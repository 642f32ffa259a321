import { LedgerError } from '@decision-ledger/contract/errors';
import { IdParams, success } from '@decision-ledger/contract/shared';
import {
  Consistency,
  ConsistencyQuery,
  DecisionProof,
  Log,
  LogParams,
  PublicLogParams,
  PublicTileParams,
  TileParams,
} from '@decision-ledger/contract/transparency';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { type EndpointTools, read } from '../../../http/endpoints.js';
import { callerOf } from '../../../http/envelope.js';
import { type HandshakeLimiter, handshakeLimiter } from '../../../http/rate-limit/by-address.js';
import { rateLimitHeaders } from '../../../http/rate-limit/limiter.js';
import type { Http } from '../../../http/types.js';
import type { Clock } from '../../../platform/clock.js';
import type { Ledger } from '../../../platform/ledger.js';
import { readPublished } from './prove.js';
import {
  describeLog,
  findPublicLedger,
  type PublicTools,
  readConsistency,
  readDecisionProof,
  readTile,
} from './read.js';

export interface TransparencyRouteTools extends PublicTools, EndpointTools {
  readonly clock: Clock;
}

interface OpenTools extends TransparencyRouteTools {
  /** Limits requests without a key, by address. */
  readonly limiter: HandshakeLimiter;
}

const READ = { permission: 'read', bucket: 'read' } as const;
const tag = 'transparency';

const PUBLIC = {
  isPublic: true,
  errors: ['not_found', 'rate_limited', 'validation_error'],
} as const;
/** Requests without a key of one address, a minute. */
const PER_MINUTE = 600;

/** The logs of the ledger of the key, those that are public, and the proof of a decision. */
export function transparencyRoutes(app: Http, tools: TransparencyRouteTools): void {
  addLog(app, tools);
  addTree(app, tools);
  addDecisionProof(app, tools);
  addPublic(app, tools);
}

function addLog(app: Http, tools: TransparencyRouteTools): void {
  read(app, tools, {
    path: '/log/:chain',
    config: { errors: ['not_found', 'validation_error'] },
    tag,
    operationId: 'getLog',
    summary: 'Get a transparency log: origin, public key and last checkpoint',
    params: LogParams,
    data: Log,
    answer: async ({ ledger, params }) =>
      describeLog(ledger, await readPublished(ledger, params.chain)),
  });
  app.get(
    '/log/:chain/checkpoint',
    {
      config: { ...READ, errors: ['not_found', 'validation_error'] },
      schema: {
        tags: [tag],
        operationId: 'getCheckpoint',
        summary: 'Get the last checkpoint of a log, as a signed note',
        params: LogParams,
        response: { 200: Note },
      },
    },
    async (request, reply) => {
      const ledger = tools.db.ledger(callerOf(request).scope);
      const { checkpoint } = await readPublished(ledger, request.params.chain);
      return reply.type(NOTE).send(checkpoint.note);
    },
  );
}

function addTree(app: Http, tools: TransparencyRouteTools): void {
  app.get(
    '/log/:chain/tile/*',
    {
      config: { ...READ, errors: ['not_found', 'validation_error'] },
      schema: {
        tags: [tag],
        operationId: 'getTile',
        summary: 'Get a tile of a log: tree hashes or entries',
        params: TileParams,
        response: { 200: TileBytes },
      },
    },
    async (request, reply) => {
      const ledger = tools.db.ledger(callerOf(request).scope);
      const { chain, '*': rest } = request.params;
      const bytes = await readTile(ledger, chain, `tile/${rest}`, 'entries');
      return reply.type(BYTES).send(bytes);
    },
  );
  read(app, tools, {
    path: '/log/:chain/consistency',
    config: { errors: ['not_found', 'validation_error'] },
    tag,
    operationId: 'getConsistency',
    summary: 'Prove that a log extends an earlier tree',
    params: LogParams,
    query: ConsistencyQuery,
    data: Consistency,
    answer: ({ ledger, params, query }) => readConsistency(ledger, params.chain, query),
  });
}

function addDecisionProof(app: Http, { db, wrap }: TransparencyRouteTools): void {
  app.get(
    '/decisions/:id/proof',
    {
      config: READ,
      schema: {
        tags: [tag],
        operationId: 'getDecisionProof',
        summary: 'Prove that a decision is in the log. Returns 202 until a checkpoint covers it',
        params: IdParams,
        response: { 200: success(DecisionProof), 202: success(DecisionProof) },
      },
    },
    async (request, reply) => {
      const ledger = db.ledger(callerOf(request).scope);
      const proof = await readDecisionProof(ledger, request.params.id);
      return reply.code(proof.status === 'covered' ? 200 : 202).send(wrap(request, proof));
    },
  );
}

/**
 * The tree of a log without a key, where the setting `transparency.public` allows it. The path names the
 * ledger, so that it is the address of a log in the sense of C2SP tlog-tiles.
 */
function addPublic(app: Http, tools: TransparencyRouteTools): void {
  const limited = { ...tools, limiter: handshakeLimiter(tools.clock) };
  addPublicCheckpoint(app, limited);
  addPublicTile(app, limited);
  addPublicConsistency(app, limited);
}

function addPublicCheckpoint(app: Http, tools: OpenTools): void {
  app.get(
    '/logs/:ledger/:chain/checkpoint',
    {
      config: { ...PUBLIC, publicAnswer: 'checkpoint' },
      schema: {
        tags: [tag],
        operationId: 'getPublicCheckpoint',
        summary: 'Get the last checkpoint of a public log, as a signed note',
        params: PublicLogParams,
        response: { 200: Note },
      },
    },
    async (request, reply) => {
      const { chain } = request.params;
      const ledger = await openPublic(tools, request.params.ledger, request, reply);
      const { checkpoint } = await readPublished(ledger, chain);
      return reply.type(NOTE).send(checkpoint.note);
    },
  );
}

function addPublicTile(app: Http, tools: OpenTools): void {
  app.get(
    '/logs/:ledger/:chain/tile/*',
    {
      config: { ...PUBLIC, publicAnswer: 'tile' },
      schema: {
        tags: [tag],
        operationId: 'getPublicTile',
        summary: 'Get a tile of the tree hashes of a public log',
        params: PublicTileParams,
        response: { 200: TileBytes },
      },
    },
    async (request, reply) => {
      const { chain, '*': rest } = request.params;
      const ledger = await openPublic(tools, request.params.ledger, request, reply);
      const bytes = await readTile(ledger, chain, `tile/${rest}`, 'tree');
      return reply.type(BYTES).send(bytes);
    },
  );
}

function addPublicConsistency(app: Http, tools: OpenTools): void {
  app.get(
    '/logs/:ledger/:chain/consistency',
    {
      config: PUBLIC,
      schema: {
        tags: [tag],
        operationId: 'getPublicConsistency',
        summary: 'Prove that a public log extends an earlier tree',
        params: PublicLogParams,
        querystring: ConsistencyQuery,
        response: { 200: success(Consistency) },
      },
    },
    async (request, reply) => {
      const { chain } = request.params;
      const ledger = await openPublic(tools, request.params.ledger, request, reply);
      return tools.wrap(request, await readConsistency(ledger, chain, request.query));
    },
  );
}

/** @throws LedgerError `not_found`, `rate_limited` */
async function openPublic(
  tools: OpenTools,
  id: string,
  { ip }: FastifyRequest,
  reply: FastifyReply,
): Promise<Ledger> {
  const decision = tools.limiter.take('public logs', ip, PER_MINUTE);
  void reply.headers(rateLimitHeaders('public', decision, 60));
  if (decision.allowed) return findPublicLedger(tools, id);
  throw new LedgerError(
    'rate_limited',
    `more than ${PER_MINUTE} requests a minute from this address`,
  );
}

/** Only for the API description: the text is sent without serialisation. */
const Note = {
  description: 'The signed note.',
  content: { 'text/plain': { schema: Type.Unsafe<string>(Type.String()) } },
};

/** Only for the API description: the bytes are sent without serialisation. */
const TileBytes = {
  description:
    'The hashes of the tile, 32 bytes each; or its entries, each after its length in 2 bytes.',
  content: {
    'application/octet-stream': {
      schema: Type.Unsafe<Buffer>(Type.String({ format: 'binary' })),
    },
  },
};

const NOTE = 'text/plain; charset=utf-8';
const BYTES = 'application/octet-stream';
