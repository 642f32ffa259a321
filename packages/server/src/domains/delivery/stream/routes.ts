import { LedgerError } from '@decision-ledger/contract/errors';
import type { Settings } from '@decision-ledger/contract/settings';
import { success } from '@decision-ledger/contract/shared';
import {
  STREAM_PATH,
  StreamOpened,
  StreamQuery,
  StreamTicket,
} from '@decision-ledger/contract/stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { STREAM_ACCESS } from '../../../http/asyncapi.js';
import { callerOf, type Wrap } from '../../../http/envelope.js';
import type { Http } from '../../../http/types.js';
import { type Upgrade, upgradeOf } from '../../../http/upgrade.js';
import { acceptWebSocket, checkHandshake } from '../../../http/websocket.js';
import type { Stopwatch } from '../../../platform/clock.js';
import type { Scope } from '../../../platform/scope.js';
import type { StreamHub } from './hub.js';
import type { SubscriptionPlan } from './subscription-group.js';
import { issueTicket, type TicketTools } from './tickets.js';

export interface StreamRouteTools extends TicketTools {
  readonly hub: StreamHub;
  readonly stopwatch: Stopwatch;
  readonly settings: { get(scope: Scope): Promise<Settings> };
  /** A connection ended with this close code. */
  readonly onStreamEnd: (code: number) => void;
  readonly wrap: Wrap;
}

/** The routes below the prefix of the API. */
export function streamRoutes(app: Http, tools: StreamRouteTools): void {
  app.post(
    '/stream/tickets',
    {
      // A ticket is a secret and is shown once: a repeated request makes another one.
      config: { permission: 'stream', bucket: 'ingest', takesIdempotencyKey: false },
      schema: {
        tags: ['stream'],
        operationId: 'issueStreamTicket',
        summary: 'Issue a ticket that opens the stream once, within a minute',
        response: { 201: success(StreamTicket) },
      },
    },
    async (request, reply) => {
      const principal = callerOf(request);
      const ticket = await issueTicket(tools.db.ledger(principal.scope), tools, principal);
      return reply.code(201).send(tools.wrap(request, ticket));
    },
  );
}

/** The route of the stream, at the root of the service. */
export function streamEndpoint(app: Http, tools: StreamRouteTools): void {
  app.addHook('preClose', () => tools.hub.close());
  app.get(
    STREAM_PATH,
    {
      config: STREAM_ACCESS,
      schema: {
        tags: ['stream'],
        operationId: 'openStream',
        summary: 'Open the live stream (WebSocket)',
        querystring: StreamQuery,
        response: { 101: StreamOpened },
      },
    },
    async (request, reply) => {
      const { scope } = callerOf(request);
      const upgrade = requireUpgrade(request);
      const { max_connections } = (await tools.settings.get(scope)).stream;
      const reservation = tools.hub.reserve(scope.orgId, max_connections);
      try {
        const plan = await tools.hub.plan(scope, request.query);
        open(tools, request, reply, { ...plan, upgrade, release: reservation.release });
      } catch (error) {
        reservation.release();
        throw error;
      }
      return reply;
    },
  );
}

function requireUpgrade({ raw }: FastifyRequest): Upgrade {
  const upgrade = upgradeOf(raw);
  if (upgrade === null) {
    throw new LedgerError(
      'malformed_request',
      'this path is a WebSocket: send an opening handshake',
    );
  }
  checkHandshake(raw);
  return upgrade;
}

interface Opening extends SubscriptionPlan {
  readonly upgrade: Upgrade;
  readonly release: () => void;
}

function open(
  { hub, stopwatch, onStreamEnd }: StreamRouteTools,
  request: FastifyRequest,
  reply: FastifyReply,
  { upgrade, filter, start, end, release }: Opening,
): void {
  const principal = callerOf(request);
  const key = principal.session?.sessionId ?? principal.actor;
  const { log } = request;
  reply.hijack();
  upgrade.socket.once('close', release);
  if (upgrade.socket.destroyed) release();
  acceptWebSocket(request, upgrade, stopwatch, (wire) => {
    log.info({ key }, 'a stream was opened');
    const { answered, ended } = hub.subscribe({ principal, filter, start, end, wire });
    return {
      onPong: answered,
      onEnd(code) {
        ended();
        onStreamEnd(code);
        log.info({ key, code }, 'a stream has ended');
      },
    };
  });
}
