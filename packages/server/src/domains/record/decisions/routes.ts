import { ChainVerificationQuery, DecisionChainVerification } from '@decision-ledger/contract/chain';
import {
  DecisionBody,
  DecisionPage,
  DecisionQuery,
  DecisionReceipt,
} from '@decision-ledger/contract/decision';
import { Erasure, ErasureBody } from '@decision-ledger/contract/erasure';
import { IdParams, success } from '@decision-ledger/contract/shared';
import { checker } from '@decision-ledger/contract/validation';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  type ChainVerifier,
  describeVerification,
  IN_THREAD,
  readVerifyRequest,
} from '../../../http/chain-verification.js';
import { change, type EndpointTools, list, read } from '../../../http/endpoints.js';
import { callerOf } from '../../../http/envelope.js';
import { answerOnce } from '../../../http/once.js';
import { byPlace } from '../../../http/paging.js';
import {
  markPreference,
  markReplay,
  prefers,
  readIdempotencyMark,
  SIGNED_RECEIPT,
} from '../../../http/request-headers.js';
import type { Http } from '../../../http/types.js';
import type { Scope } from '../../../platform/principal.js';
import type { RecordHooks } from '../hooks/index.js';
import { type AppendTools, appendDecisions } from './append.js';
import { eraseFields } from './erase.js';
import { listDecisions } from './read.js';
import { markOrigin, type Recorder, recorderOf, requireAgents } from './recorder.js';
import { resolveBodies } from './resolve-bodies.js';

export interface DecisionRouteTools extends AppendTools, EndpointTools {
  readonly hooks: RecordHooks;
  readonly verifier: ChainVerifier;
  /** Called after fields of a decision were erased and committed. */
  readonly onErased: (scope: Scope) => void;
  readonly signReceipt: (scope: Scope, receipt: DecisionReceipt) => Promise<string>;
}

const RECORD = { permission: 'record', bucket: 'ingest', isCrossOrigin: true } as const;
const ERASE = { permission: 'erase', bucket: 'ingest', takesIdempotencyKey: true } as const;
const tag = 'decisions';

const checkErasure = checker(Erasure, 'answer');

export function decisionRoutes(app: Http, tools: DecisionRouteTools): void {
  addWrites(app, tools);
  addErasure(app, tools);
  addReads(app, tools);
}

function addWrites(app: Http, tools: DecisionRouteTools): void {
  app.post(
    '/decisions',
    {
      config: { ...RECORD, preference: SIGNED_RECEIPT, errors: ['too_late', 'conflict'] },
      schema: {
        tags: [tag],
        operationId: 'recordDecision',
        summary: 'Record a decision',
        body: DecisionBody,
        response: { 201: success(DecisionReceipt) },
      },
    },
    async (request, reply) => {
      const caller = callerOf(request);
      const { scope } = caller;
      const read = readDecision(request.body, recorderOf(caller, request.headers.origin));
      const [resolved] = await resolveBodies(tools.db.ledger(scope), [read], NO_PATH);
      if (resolved === undefined) throw new Error('a decision was not resolved');
      const { body, claims } = resolved;
      const mark = readIdempotencyMark(tools.idempotencyKey, request, body);
      const appended = await appendDecisions(tools, scope, {
        bodies: [body],
        claims: [claims],
        withLiability: true,
        path: NO_PATH,
        idempotency: mark,
      });
      const [receipt] = appended.receipts;
      if (receipt === undefined) throw new Error('an append answered without a receipt');
      const answer = prefers(request, SIGNED_RECEIPT)
        ? await withSignature(tools, request, reply, receipt)
        : receipt;
      markReplay(reply.code(201), appended.replayed);
      return tools.wrap(request, answer);
    },
  );
}

/**
 * The receipt with its signature, which the request prefers. The decision is recorded already: if its receipt
 * cannot be signed, the answer has none and does not say that the preference was met.
 */
async function withSignature(
  { signReceipt }: DecisionRouteTools,
  request: FastifyRequest,
  reply: FastifyReply,
  receipt: DecisionReceipt,
): Promise<DecisionReceipt> {
  try {
    const signed_receipt = await signReceipt(callerOf(request).scope, receipt);
    markPreference(reply, SIGNED_RECEIPT);
    return { ...receipt, signed_receipt };
  } catch (error) {
    request.log.error({ err: error }, 'a receipt could not be signed');
    return receipt;
  }
}

const NO_PATH = (): string => '';

function readDecision(body: DecisionBody, recorder: Recorder | null): DecisionBody {
  if (recorder === null) return body;
  requireAgents(recorder, [body], NO_PATH);
  return markOrigin(recorder, body);
}

function addErasure(app: Http, tools: DecisionRouteTools): void {
  change(app, tools, {
    method: 'POST',
    path: '/decisions/:id/erase',
    config: { ...ERASE, errors: ['conflict'] },
    tag,
    operationId: 'eraseDecisionFields',
    summary: 'Erase payload fields of a decision permanently. The chain stays valid',
    params: IdParams,
    body: ErasureBody,
    data: Erasure,
    answer: async ({ ledger, request, reply, principal, params: { id }, body }) => {
      // The same key and body for another decision is another request.
      const whole = { ...body, decision_id: id };
      const mark = readIdempotencyMark(tools.idempotencyKey, request, whole);
      const { answer, replayed } = await ledger.write((tx) =>
        answerOnce(tx, mark, {
          read: checkErasure,
          make: () => eraseFields(tx, tools.hooks, principal, id, body),
        }),
      );
      if (!replayed && answer.activity_seq !== undefined) tools.onErased(principal.scope);
      markReplay(reply, replayed);
      return answer;
    },
  });
}

function addReads(app: Http, tools: DecisionRouteTools): void {
  list(app, tools, {
    path: '/decisions',
    tag,
    operationId: 'listDecisions',
    summary: 'List decisions, newest first',
    query: DecisionQuery,
    data: DecisionPage,
    key: byPlace,
    fetch: ({ ledger, query }, slice) => listDecisions(ledger, query, slice),
    keyOf: ({ place }) => place,
    show: ({ items, next_cursor }) => ({
      decisions: items.map(({ decision }) => decision),
      next_cursor,
    }),
  });
  read(app, tools, {
    path: '/decisions/chain/verify',
    tag,
    operationId: 'verifyDecisionChain',
    summary: 'Verify the decision chain',
    query: ChainVerificationQuery,
    data: DecisionChainVerification,
    config: IN_THREAD,
    answer: async ({ ledger: { scope, clock }, query }) => {
      const verification = await tools.verifier.verify(
        scope,
        'decisions',
        readVerifyRequest(query),
      );
      return describeVerification(verification, 'decisions', clock.now());
    },
  });
}
