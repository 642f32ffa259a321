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
import { change, type EndpointTools, list, read } from '../../../http/endpoints.js';
import { callerOf } from '../../../http/envelope.js';
import { createOnce } from '../../../http/once.js';
import { byPlace, readPage } from '../../../http/paging.js';
import type { Http } from '../../../http/types.js';
import type { RecordHooks } from '../hooks/index.js';
import { createLink } from './create.js';
import { previewLink, previewReview } from './preview.js';
import { describeInDetail, describeLink, linkList, listLinks, readLink } from './read.js';
import { removeLink } from './remove.js';
import { reviewLink } from './review.js';

export interface LinkRouteTools extends EndpointTools {
  readonly hooks: RecordHooks;
}

const WRITE = { permission: 'ingest', bucket: 'ingest' } as const;
const REVIEW = { permission: 'review', bucket: 'ingest' } as const;
const tag = 'links';

const checkAnswer = checker(Link, 'answer');

export function linkRoutes(app: Http, tools: LinkRouteTools): void {
  addCreation(app, tools);
  addRemoval(app, tools);
  addReview(app, tools, 'confirm');
  addReview(app, tools, 'reject');
  addReads(app, tools);
}

function addCreation(app: Http, tools: LinkRouteTools): void {
  const { db, wrap, hooks } = tools;
  app.post(
    '/links',
    {
      config: { ...WRITE, errors: ['not_found', 'conflict', 'invalid_state'] },
      schema: {
        tags: [tag],
        operationId: 'createLink',
        summary: 'Link a decision to a financial event',
        querystring: DryRunQuery,
        body: LinkBody,
        response: { 200: success(MadeLink), 201: success(Link) },
      },
    },
    async (request, reply) => {
      const { query, body } = request;
      if (query.dry_run === true) {
        const principal = callerOf(request);
        const ledger = db.ledger(principal.scope);
        const { result, links, effect } = await previewLink(ledger, hooks, principal, body);
        const event_links = links.map(describeLink);
        return wrap(request, { ...describeLink(result), dry_run: effect, event_links });
      }
      return createOnce(
        tools,
        { request, reply },
        {
          status: 201,
          read: checkAnswer,
          make: async (tx, principal) => describeLink(await createLink(tx, hooks, principal, body)),
        },
      );
    },
  );
}

function addRemoval(app: Http, tools: LinkRouteTools): void {
  change(app, tools, {
    method: 'DELETE',
    path: '/links/:id',
    config: { ...REVIEW, errors: ['invalid_state'] },
    tag,
    operationId: 'deleteLink',
    summary: 'Soft-delete a link. It no longer counts but is kept in forensic exports',
    params: IdParams,
    data: Link,
    answer: async ({ ledger, principal, params }) =>
      describeLink(await ledger.write((tx) => removeLink(tx, tools.hooks, principal, params.id))),
  });
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

function addReview(app: Http, tools: LinkRouteTools, review: keyof typeof REVIEWS): void {
  const { operationId, errors, summary, body } = REVIEWS[review];
  const { hooks } = tools;
  change(app, tools, {
    method: 'POST',
    path: `/links/:id/${review}`,
    config: { ...REVIEW, hasOptionalBody: true, errors },
    tag,
    operationId,
    summary,
    params: IdParams,
    query: DryRunQuery,
    body,
    data: ReviewedLink,
    answer: async ({ ledger, principal, params: { id }, query, body }) => {
      if (query.dry_run === true) {
        const preview = await previewReview(ledger, hooks, principal, id, review, body);
        return { ...describeLink(preview.result), dry_run: preview.effect };
      }
      return describeLink(
        await ledger.write((tx) => reviewLink(tx, hooks, principal, id, review, body)),
      );
    },
  });
}

function addReads(app: Http, tools: LinkRouteTools): void {
  list(app, tools, {
    path: '/links',
    tag,
    operationId: 'listLinks',
    summary: 'List links, newest first. Suggestions: most informative first',
    query: LinkQuery,
    data: LinkPage,
    key: byPlace,
    fetch: ({ ledger, query }, slice) => listLinks(ledger, query, slice),
    keyOf: ({ place }) => place,
    show: ({ items, next_cursor }) => ({
      links: items.map(({ link }) => describeLink(link)),
      next_cursor,
    }),
  });
  read(app, tools, {
    path: '/links/:id',
    tag,
    operationId: 'getLink',
    summary: 'Get a link, even if deleted, with its evidence and the other links of its event',
    params: IdParams,
    data: LinkInDetail,
    answer: async ({ ledger, params }) => {
      const link = describeInDetail(await readLink(ledger, params.id));
      const query = { financial_event_id: link.financial_event_id, limit: LIMITS.pageMax };
      const page = await readPage(tools.cursors, { ...linkList(ledger, query), key: byPlace });
      const links = page.items.map((listed) => describeLink(listed.link));
      return {
        ...link,
        other_links: links.filter(({ id }) => id !== link.id),
        other_links_next_cursor: page.next_cursor,
      };
    },
  });
}
