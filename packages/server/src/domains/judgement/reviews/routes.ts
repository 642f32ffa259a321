import { DryRunQuery } from '@decision-ledger/contract/dry-run';
import { Explanation, ExplanationQuery } from '@decision-ledger/contract/explanation';
import {
  GivenAnswerPage,
  GivenAnswerQuery,
  ReviewAnswer,
  ReviewBody,
  ReviewPage,
  ReviewQuery,
} from '@decision-ledger/contract/review';
import { IdParams } from '@decision-ledger/contract/shared';
import { readRange } from '@decision-ledger/contract/time';
import { change, type EndpointTools, list, read } from '../../../http/endpoints.js';
import { byNumber, byPlace } from '../../../http/paging.js';
import type { Http } from '../../../http/types.js';
import type { RecordHooks } from '../../record/hooks/index.js';
import { answerReview, previewAnswer, withdrawAnswer } from './answer.js';
import { readExplanation } from './explain.js';
import { listGivenAnswers, listReviews, sumDecisions, summariseReviews } from './list.js';

export interface ReviewRouteTools extends EndpointTools {
  readonly hooks: RecordHooks;
}

const REVIEW = { permission: 'review', bucket: 'ingest' } as const;
const tag = 'reviews';

export function reviewRoutes(app: Http, tools: ReviewRouteTools): void {
  addLists(app, tools);
  addAnswers(app, tools);
}

function addLists(app: Http, tools: ReviewRouteTools): void {
  list(app, tools, {
    path: '/reviews',
    tag,
    operationId: 'listReviews',
    summary: 'List the events to review: audits first, then the most informative',
    query: ReviewQuery,
    data: ReviewPage,
    key: byPlace,
    fetch: ({ ledger, query }, slice) => listReviews(ledger, query, slice),
    keyOf: ({ place }) => place,
    show: async ({ items, next_cursor }, { ledger }) => ({
      reviews: items.map(({ review }) => review),
      open: await summariseReviews(ledger),
      next_cursor,
    }),
  });
  list(app, tools, {
    path: '/reviews/answers',
    tag,
    operationId: 'listGivenAnswers',
    summary: 'List review answers, newest first, with totals',
    query: GivenAnswerQuery,
    data: GivenAnswerPage,
    key: byNumber,
    fetch: async ({ ledger, principal, query }, slice) => {
      const today = startOfDay(ledger.clock.now());
      const { start = today, end } = readRange(query.start, query.end);
      const asked = { start, end, isOwn: query.own ?? false };
      return {
        ...(await listGivenAnswers(ledger, principal, asked, slice)),
        range: { start, end },
      };
    },
    keyOf: ({ seq }) => seq,
    show: async ({ items, next_cursor, found: { range } }, { ledger, principal }) => ({
      answers: items.map(({ answer }) => answer),
      decided: await sumDecisions(ledger, principal, range),
      open: await summariseReviews(ledger),
      next_cursor,
    }),
  });
  read(app, tools, {
    path: '/financial-events/:id/explanation',
    tag,
    operationId: 'explainCause',
    summary: 'Say in one sentence what a financial event and a decision have in common',
    params: IdParams,
    query: ExplanationQuery,
    data: Explanation,
    answer: ({ ledger, params, query }) => readExplanation(ledger, params.id, query.decision_id),
  });
}

const DAY_MS = 86_400_000;

function startOfDay(time: number): number {
  return time - (time % DAY_MS);
}

function addAnswers(app: Http, tools: ReviewRouteTools): void {
  change(app, tools, {
    method: 'POST',
    path: '/reviews/:id',
    config: { ...REVIEW, errors: ['conflict', 'invalid_state'] },
    tag,
    operationId: 'answerReview',
    summary: 'Answer a review: choose the cause, "none" or "skip"',
    params: IdParams,
    query: DryRunQuery,
    body: ReviewBody,
    data: ReviewAnswer,
    answer: ({ ledger, principal, params: { id }, query, body }) =>
      query.dry_run === true
        ? previewAnswer(ledger, tools.hooks, principal, id, body)
        : ledger.write((tx) => answerReview(tx, tools.hooks, principal, id, body)),
  });
  change(app, tools, {
    method: 'DELETE',
    path: '/reviews/:id',
    config: { ...REVIEW, errors: ['invalid_state'] },
    tag,
    operationId: 'withdrawReview',
    summary: 'Withdraw a "none" or "skip" answer to a review',
    params: IdParams,
    data: ReviewAnswer,
    answer: ({ ledger, principal, params }) =>
      ledger.write((tx) => withdrawAnswer(tx, tools.hooks, principal, params.id)),
  });
}
