import type {
  GivenAnswer,
  GivenAnswerPage,
  GivenAnswerQuery,
  Review,
  ReviewAnswer,
  ReviewBody,
  ReviewPage,
  ReviewQuery,
} from '../api/review.js';
import { type Api, segment } from '../api.js';
import type { CallOptions } from '../http.js';
import { type PagedList, pagedList } from '../paging.js';

/** Events whose cause a person should review. */
export class Reviews {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** The most useful first. */
  list(query: ReviewQuery = {}, options: CallOptions = {}): PagedList<ReviewPage, Review> {
    return pagedList<ReviewPage, 'reviews'>(this.#api, '/reviews', 'reviews', query, options);
  }

  /** The answers that people gave today, or in a range, newest first. */
  answers(
    query: GivenAnswerQuery = {},
    options: CallOptions = {},
  ): PagedList<GivenAnswerPage, GivenAnswer> {
    const path = '/reviews/answers';
    return pagedList<GivenAnswerPage, 'answers'>(this.#api, path, 'answers', query, options);
  }

  /** Answers the review of an event. */
  answer(id: string, body: ReviewBody, options: CallOptions = {}): Promise<ReviewAnswer> {
    return this.#api.post(`/reviews/${segment(id)}`, body, options);
  }

  /** What an answer would do to the money and the exposure. Changes nothing. */
  previewAnswer(id: string, body: ReviewBody, options: CallOptions = {}): Promise<ReviewAnswer> {
    return this.#api.post(`/reviews/${segment(id)}?dry_run=true`, body, options);
  }

  /** Withdraws the answer to the review of an event. */
  withdraw(id: string, options: CallOptions = {}): Promise<ReviewAnswer> {
    return this.#api.delete(`/reviews/${segment(id)}`, options);
  }
}
