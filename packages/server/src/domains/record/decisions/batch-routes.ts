import {
  type BatchDecision,
  type BatchedReceipt,
  DecisionBatchBody,
  DecisionBatchReceipt,
  type RefusedDecision,
} from '@decision-ledger/contract/decision';
import { LIMITS } from '@decision-ledger/contract/limits';
import { success } from '@decision-ledger/contract/shared';
import { MAX_DEPTH } from '@decision-ledger/proof/gate';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { EndpointTools } from '../../../http/endpoints.js';
import { callerOf } from '../../../http/envelope.js';
import { withoutKeys } from '../../../http/errors.js';
import {
  LENIENT,
  markOf,
  markPreference,
  markReplay,
  prefers,
  readIdempotencyMark,
} from '../../../http/request-headers.js';
import type { Http } from '../../../http/types.js';
import type { MemberMark } from '../../../platform/idempotency.js';
import { type AppendTools, appendDecisions } from './append.js';
import { readLeniently, resolveLeniently } from './lenient-batch.js';
import type { Appended } from './plan-group.js';
import { markOrigin, type Recorder, recorderOf, requireAgents } from './recorder.js';
import { describeRefusal, nothingRecorded } from './refusals.js';
import { resolveBodies } from './resolve-bodies.js';

export interface BatchRouteTools extends AppendTools, EndpointTools {}

export function batchRoutes(app: Http, tools: BatchRouteTools): void {
  app.post(
    '/decisions/batch',
    {
      config: {
        permission: 'record',
        bucket: 'batch',
        isCrossOrigin: true,
        bodyDepth: MAX_DEPTH + 3,
        errors: ['too_late', 'conflict'],
        preference: LENIENT,
        lenientArray: {
          name: 'decisions',
          most: LIMITS.batchDecisions,
          maxDepth: MAX_DEPTH + 1,
        },
      },
      bodyLimit: LIMITS.batchBodyBytes,
      // A lenient batch is checked decision by decision.
      attachValidation: true,
      schema: {
        tags: ['decisions'],
        operationId: 'recordDecisions',
        summary: 'Record up to 100 decisions in order, all or nothing, or leniently',
        body: DecisionBatchBody,
        response: { 201: success(DecisionBatchReceipt) },
      },
    },
    async (request, reply) => {
      const isLenient = prefers(request, LENIENT);
      if (!isLenient && request.validationError !== undefined) throw request.validationError;
      const { appended, refused } = isLenient
        ? await recordLeniently(tools, request, reply)
        : { appended: await recordAll(tools, request), refused: null };
      const decisions = describeReplays(appended);
      markReplay(reply.code(201), appended.replayed);
      return tools.wrap(request, refused === null ? { decisions } : { decisions, refused });
    },
  );
}

type BatchRequest = FastifyRequest<{ Body: DecisionBatchBody }>;

async function recordAll(tools: BatchRouteTools, request: BatchRequest): Promise<Appended> {
  const { scope } = callerOf(request);
  const recorder = recorderOf(callerOf(request), request.headers.origin);
  const read = readAll(request.body.decisions, recorder);
  const resolved = await resolveBodies(tools.db.ledger(scope), read, pathOf);
  const decisions = resolved.map(({ body }) => body);
  const memberMark = memberMarks(tools.idempotencyKey, decisions);
  return await appendDecisions(tools, scope, {
    bodies: decisions,
    claims: resolved.map(({ claims }) => claims),
    withLiability: false,
    path: pathOf,
    idempotency: readIdempotencyMark(tools.idempotencyKey, request, request.body),
    ...(memberMark !== undefined && { memberMark }),
  });
}

function readAll(
  decisions: readonly BatchDecision[],
  recorder: Recorder | null,
): readonly BatchDecision[] {
  if (recorder === null) return decisions;
  requireAgents(recorder, decisions, pathOf);
  return decisions.map((decision) => markOrigin(recorder, decision));
}

/** @throws LedgerError that of the first decision if all are refused */
async function recordLeniently(
  tools: BatchRouteTools,
  request: BatchRequest,
  reply: FastifyReply,
): Promise<{ readonly appended: Appended; readonly refused: RefusedDecision[] }> {
  markPreference(reply, LENIENT);
  const { scope } = callerOf(request);
  const read = readLeniently(
    request.body,
    request.refusedElements,
    recorderOf(callerOf(request), request.headers.origin),
  );
  const { bodies, claims, places, refused } = await resolveLeniently(
    tools.db.ledger(scope),
    read,
    pathOf,
  );
  const memberMark = memberMarks(tools.idempotencyKey, bodies);
  const appended = await appendDecisions(tools, scope, {
    bodies,
    claims,
    withLiability: false,
    path: pathOf,
    // The same body is another request where all or none are recorded.
    idempotency: readIdempotencyMark(tools.idempotencyKey, request, {
      ...request.body,
      prefer: LENIENT,
    }),
    ...(memberMark !== undefined && { memberMark }),
    lenient: { places, refused },
  });
  const all = appended.refused ?? [];
  if (appended.receipts.length === 0) throw nothingRecorded(all);
  return { appended, refused: all.map((one) => withoutKeys(describeRefusal(one))) };
}

const pathOf = (index: number): string => `decisions[${index}].`;

/** A decision with a key is the same request alone, with that key in the header, and in a batch. */
const SINGLE = 'POST /api/v1/decisions';

function memberMarks(key: Buffer, decisions: readonly BatchDecision[]) {
  if (decisions.every(({ idempotency_key: text }) => text === undefined)) return undefined;
  return (index: number, canonical: () => string): MemberMark | null => {
    const text = decisions[index]?.idempotency_key;
    return text === undefined ? null : { ...markOf(key, text, SINGLE, canonical()), text };
  };
}

function describeReplays({ receipts, replayed, replays }: Appended): BatchedReceipt[] {
  const earlier = new Set(replays);
  return receipts.map((receipt, index) => ({
    ...receipt,
    replayed: replayed || earlier.has(index),
  }));
}
