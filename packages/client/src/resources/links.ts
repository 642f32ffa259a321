import type {
  Link,
  LinkBody,
  LinkConfirmation,
  LinkInDetail,
  LinkPage,
  LinkQuery,
  LinkRejection,
  MadeLink,
  ReviewedLink,
} from '../api/link.js';
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
import { type Api, type CreateOptions, segment } from '../api.js';
import type { CallOptions } from '../http.js';
import { type PagedList, pagedList } from '../paging.js';

/** Links between decisions and financial events. */
export class Links {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** Creates a link. */
  create(body: LinkBody, options: CreateOptions = {}): Promise<Link> {
    return this.#api.create('/links', body, options);
  }

  /** What a link would do to the money, the exposure and the other links of its event. Changes nothing. */
  previewCreate(body: LinkBody, options: CallOptions = {}): Promise<MadeLink> {
    return this.#api.post('/links?dry_run=true', body, options);
  }

  /** Newest first. */
  list(query: LinkQuery = {}, options: CallOptions = {}): PagedList<LinkPage, Link> {
    return pagedList<LinkPage, 'links'>(this.#api, '/links', 'links', query, options);
  }

  /** A link with the evidence for it. */
  get(id: string, options: CallOptions = {}): Promise<LinkInDetail> {
    return this.#api.get(`/links/${segment(id)}`, {}, options);
  }

  /** Confirms a suggestion. */
  confirm(id: string, body: LinkConfirmation = {}, options: CallOptions = {}): Promise<Link> {
    return this.#api.post(`/links/${segment(id)}/confirm`, body, options);
  }

  /** Rejects a suggestion. */
  reject(id: string, body: LinkRejection = {}, options: CallOptions = {}): Promise<Link> {
    return this.#api.post(`/links/${segment(id)}/reject`, body, options);
  }

  /** What a confirmation would do to the money and the exposure. Changes nothing. */
  previewConfirm(
    id: string,
    body: LinkConfirmation = {},
    options: CallOptions = {},
  ): Promise<ReviewedLink> {
    return this.#api.post(`/links/${segment(id)}/confirm?dry_run=true`, body, options);
  }

  /** What a rejection would do to the money and the exposure. Changes nothing. */
  previewReject(id: string, options: CallOptions = {}): Promise<ReviewedLink> {
    return this.#api.post(`/links/${segment(id)}/reject?dry_run=true`, {}, options);
  }

  /** Deletes a link softly: it stays in evidence. */
  delete(id: string, options: CallOptions = {}): Promise<Link> {
    return this.#api.delete(`/links/${segment(id)}`, options);
  }
}

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
