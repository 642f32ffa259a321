import { DryRunQuery } from '@decision-ledger/contract/dry-run';
import { LIMITS } from '@decision-ledger/contract/limits';
import {
  Link,
  LinkBody,
  LinkConfirmation,
  LinkInDetail,
  LinkPage,
  LinkQuery,
  LinkRejection,
  MadeLink,
  ReviewedLink,
} from '@decision-ledger/contract/link';
import { IdParams, success } from '@decision-ledger/contract/shared';
import { checker } from '@decision-ledger/contract/validation';
import type { CursorCodec } from '../../../http/cursor.js';
import { callerOf, type Wrap } from '../../../http/envelope.js';
import { createOnce } from '../../../http/once.js';
import { readPage } from '../../../http/paging.js';
import type { Http } from '../../../http/types.js';
import type { Database } from '../../../platform/database.js';
import type { RecordHooks } from '../hooks/index.js';
import { createLink } from './create.js';
import { describeInDetail, describeLink } from './describe.js';
import { previewLink } from './preview-link.js';
import { previewReview } from './preview-review.js';
import { linkList, readLink } from './read.js';
import { removeLink } from './remove.js';
import { reviewLink } from './review.js';

export interface LinkRouteTools {
  readonly hooks: RecordHooks;
  readonly db: Database;
  readonly cursors: CursorCodec;
  readonly idempotencyKey: Buffer;
  readonly wrap: Wrap;
}

const WRITE = { permission: 'ingest', bucket: 'ingest' } as const;
const REVIEW = { permission: 'review', bucket: 'ingest' } as const;
const READ = { permission: 'read', bucket: 'read' } as const;
const tags = ['links'];

const checkAnswer = checker(Link, 'answer');

export function linkRoutes(app: Http, tools: LinkRouteTools): void {
  addWrites(app, tools);
  addReviews(app, tools);
  addReads(app, tools);
}

function addWrites(app: Http, tools: LinkRouteTools): void {
  const { db, wrap } = tools;
  app.post(
    '/links',
    {
      config: { ...WRITE, errors: ['not_found', 'conflict', 'invalid_state'] },
      schema: {
        tags,
        operationId: 'createLink',
        summary: 'Link a decision to a financial event',
        querystring: DryRunQuery,
        body: LinkBody,
        response: { 200: success(MadeLink), 201: success(Link) },
      },
    },
    async (request, reply) => {
      if (request.query.dry_run === true) {
        const principal = callerOf(request);
        const ledger = db.ledger(principal.scope);
        const { result, effect } = await previewLink(ledger, tools.hooks, principal, request.body);
        const { link, links } = result;
        return wrap(request, {
          ...describeLink(link),
          dry_run: effect,
          event_links: links.map(describeLink),
        });
      }
      return createOnce(tools, request, reply, {
        read: checkAnswer,
        make: async (tx, principal) =>
          describeLink(await createLink(tx, tools.hooks, principal, request.body)),
      });
    },
  );
  app.delete(
    '/links/:id',
    {
      config: { ...REVIEW, errors: ['invalid_state'] },
      schema: {
        tags,
        operationId: 'deleteLink',
        summary: 'Soft-delete a link. It stops counting and stays in forensic exports',
        params: IdParams,
        response: { 200: success(Link) },
      },
    },
    async (request) => {
      const principal = callerOf(request);
      const removed = await db
        .ledger(principal.scope)
        .write((tx) => removeLink(tx, tools.hooks, principal, request.params.id));
      return wrap(request, describeLink(removed));
    },
  );
}

const REVIEWS = {
  confirm: {
    operationId: 'confirmLink',
    errors: ['conflict', 'invalid_state'],
    summary: 'Confirm a suggested link. It gets the share that no confirmed link has claimed',
    body: LinkConfirmation,
  },
  reject: {
    operationId: 'rejectLink',
    errors: ['invalid_state'],
    summary: 'Reject and soft-delete a suggested link',
    body: LinkRejection,
  },
} as const;

function addReviews(app: Http, tools: LinkRouteTools): void {
  addReview(app, tools, 'confirm');
  addReview(app, tools, 'reject');
}

function addReview(app: Http, tools: LinkRouteTools, review: keyof typeof REVIEWS): void {
  const { operationId, errors, summary, body } = REVIEWS[review];
  app.post(
    `/links/:id/${review}`,
    {
      config: { ...REVIEW, hasOptionalBody: true, errors },
      schema: {
        tags,
        operationId,
        summary,
        params: IdParams,
        querystring: DryRunQuery,
        body,
        response: { 200: success(ReviewedLink) },
      },
    },
    async (request) => {
      const principal = callerOf(request);
      const ledger = tools.db.ledger(principal.scope);
      const { params, query } = request;
      if (query.dry_run === true) {
        const { result: link, effect } = await previewReview(
          ledger,
          tools.hooks,
          principal,
          params.id,
          review,
          request.body,
        );
        return tools.wrap(request, { ...describeLink(link), dry_run: effect });
      }
      const link = await ledger.write((tx) =>
        reviewLink(tx, tools.hooks, principal, params.id, review, request.body),
      );
      return tools.wrap(request, describeLink(link));
    },
  );
}

function addReads(app: Http, { db, cursors, wrap }: LinkRouteTools): void {
  app.get(
    '/links',
    {
      config: READ,
      schema: {
        tags,
        operationId: 'listLinks',
        summary: 'List links, newest first. Suggestions: most informative first',
        querystring: LinkQuery,
        response: { 200: success(LinkPage) },
      },
    },
    async (request) => {
      const ledger = db.ledger(callerOf(request).scope);
      const page = await readPage(cursors, linkList(ledger, request.query));
      const links = page.items.map(({ link }) => describeLink(link));
      return wrap(request, { links, next_cursor: page.nextCursor });
    },
  );
  app.get(
    '/links/:id',
    {
      config: READ,
      schema: {
        tags,
        operationId: 'getLink',
        summary: 'Get a link, even if deleted, with its evidence and the other links of its event',
        params: IdParams,
        response: { 200: success(LinkInDetail) },
      },
    },
    async (request) => {
      const ledger = db.ledger(callerOf(request).scope);
      const link = describeInDetail(await readLink(ledger, request.params.id));
      const query = { financial_event_id: link.financial_event_id, limit: LIMITS.pageMax };
      const page = await readPage(cursors, linkList(ledger, query));
      const links = page.items.map((listed) => describeLink(listed.link));
      return wrap(request, {
        ...link,
        other_links: links.filter(({ id }) => id !== link.id),
        other_links_next_cursor: page.nextCursor,
      });
    },
  );
}
