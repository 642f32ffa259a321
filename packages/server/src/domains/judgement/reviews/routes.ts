import { DryRunQuery } from '@decision-ledger/contract/dry-run';
import {
  GivenAnswerPage,
  GivenAnswerQuery,
  ReviewAnswer,
  ReviewBody,
  ReviewPage,
  ReviewQuery,
} from '@decision-ledger/contract/review';
import { IdParams, success } from '@decision-ledger/contract/shared';
import { readRange } from '@decision-ledger/contract/time';
import type { CursorCodec } from '../../../http/cursor.js';
import { callerOf, type Wrap } from '../../../http/envelope.js';
import { readPage } from '../../../http/paging.js';
import type { Http } from '../../../http/types.js';
import type { Database } from '../../../platform/database.js';
import type { RecordHooks } from '../../record/hooks/index.js';
import { answerReview, withdrawAnswer } from './answer.js';
import { listGivenAnswers, sumDecisions } from './given-answers.js';
import { listReviews, summariseReviews } from './list.js';
import { previewAnswer } from './preview-answer.js';

export interface ReviewRouteTools {
  readonly hooks: RecordHooks;
  readonly db: Database;
  readonly cursors: CursorCodec;
  readonly wrap: Wrap;
}

const REVIEW = { permission: 'review', bucket: 'ingest' } as const;
const READ = { permission: 'read', bucket: 'read' } as const;
const tags = ['reviews'];

export function reviewRoutes(app: Http, tools: ReviewRouteTools): void {
  const { db, cursors, wrap } = tools;
  app.get(
    '/reviews',
    {
      config: READ,
      schema: {
        tags,
        operationId: 'listReviews',
        summary: 'List events to review: audits first, then the most informative ones',
        querystring: ReviewQuery,
        response: { 200: success(ReviewPage) },
      },
    },
    async (request) => {
      const { scope } = callerOf(request);
      const ledger = db.ledger(scope);
      const page = await readPage(cursors, {
        list: 'reviews',
        scope,
        query: request.query,
        fetch: (after, limit) => listReviews(ledger, request.query, after, limit),
        position: ({ position }) => [String(position.place), position.eventId],
      });
      const reviews = page.items.map(({ review }) => review);
      const open = await summariseReviews(ledger);
      return wrap(request, { reviews, open, next_cursor: page.nextCursor });
    },
  );
  addGivenAnswers(app, tools);
  addAnswers(app, tools);
}

function addGivenAnswers(app: Http, { db, cursors, wrap }: ReviewRouteTools): void {
  app.get(
    '/reviews/answers',
    {
      config: READ,
      schema: {
        tags,
        operationId: 'listGivenAnswers',
        summary: 'List review answers, newest first, with totals',
        querystring: GivenAnswerQuery,
        response: { 200: success(GivenAnswerPage) },
      },
    },
    async (request) => {
      const principal = callerOf(request);
      const ledger = db.ledger(principal.scope);
      const { start = startOfDay(ledger.clock.now()), end } = readRange(
        request.query.start,
        request.query.end,
      );
      const { own = false } = request.query;
      const page = await readPage(cursors, {
        list: 'answers',
        scope: principal.scope,
        query: request.query,
        fetch: (after, limit) =>
          listGivenAnswers(
            ledger,
            principal,
            { start, end, isOwn: own },
            after === null ? null : Number(after[0]),
            limit,
          ),
        position: ({ seq }) => [String(seq)],
      });
      return wrap(request, {
        answers: page.items.map(({ answer }) => answer),
        decided: await sumDecisions(ledger, principal, { start, end }),
        open: await summariseReviews(ledger),
        next_cursor: page.nextCursor,
      });
    },
  );
}

const DAY_MS = 86_400_000;

function startOfDay(time: number): number {
  return time - (time % DAY_MS);
}

function addAnswers(app: Http, tools: ReviewRouteTools): void {
  const { db, wrap } = tools;
  app.post(
    '/reviews/:id',
    {
      config: { ...REVIEW, errors: ['conflict', 'invalid_state'] },
      schema: {
        tags,
        operationId: 'answerReview',
        summary: 'Answer a review: name the cause of an event, none, or skip it',
        params: IdParams,
        querystring: DryRunQuery,
        body: ReviewBody,
        response: { 200: success(ReviewAnswer) },
      },
    },
    async (request) => {
      const principal = callerOf(request);
      const ledger = tools.db.ledger(principal.scope);
      const { params, query, body } = request;
      if (query.dry_run === true) {
        return wrap(request, await previewAnswer(ledger, tools.hooks, principal, params.id, body));
      }
      const answer = await ledger.write((tx) =>
        answerReview(tx, tools.hooks, principal, params.id, body),
      );
      return wrap(request, answer);
    },
  );
  app.delete(
    '/reviews/:id',
    {
      config: { ...REVIEW, errors: ['invalid_state'] },
      schema: {
        tags,
        operationId: 'withdrawReview',
        summary: 'Withdraw the answer "none" or "skip" of a review',
        params: IdParams,
        response: { 200: success(ReviewAnswer) },
      },
    },
    async (request) => {
      const principal = callerOf(request);
      const answer = await db
        .ledger(principal.scope)
        .write((tx) => withdrawAnswer(tx, principal, request.params.id));
      return wrap(request, answer);
    },
  );
}
