import type { Readable } from 'node:stream';
import { ActivityPage } from '@decision-ledger/contract/chain';
import {
  CustodyQuery,
  DownloadQuery,
  Export,
  ExportBody,
  ExportPage,
  ExportQuery,
} from '@decision-ledger/contract/export';
import { IdParams, success } from '@decision-ledger/contract/shared';
import { checker } from '@decision-ledger/contract/validation';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { CursorCodec } from '../../../http/cursor.js';
import { callerOf, type Wrap } from '../../../http/envelope.js';
import { createOnce } from '../../../http/once.js';
import { readPage } from '../../../http/paging.js';
import { rateLimitHeaders } from '../../../http/rate-limit/headers.js';
import type { Http } from '../../../http/types.js';
import { listCustody } from './custody.js';
import { describeExport, listExports, readExport } from './describe.js';
import { type DownloadLinks, type DownloadTools, openDownload } from './download.js';
import { type ExportRequestTools, requestExport } from './request.js';

export interface ExportRouteTools extends ExportRequestTools, DownloadTools {
  readonly cursors: CursorCodec;
  readonly idempotencyKey: Buffer;
  readonly links: DownloadLinks;
  /** Public address of the service; empty if it is not known. */
  readonly publicUrl: (request: FastifyRequest) => string;
  readonly wrap: Wrap;
}

const permission = 'export' as const;
const READ = { permission, bucket: 'read' } as const;
const tags = ['exports'];
const HOUR = 3600;

/** Only for the API description: the bytes are sent without serialisation. */
const Archive = {
  description: 'The archive.',
  content: {
    'application/zip': { schema: Type.Unsafe<Readable>(Type.String({ format: 'binary' })) },
  },
};

const checkAnswer = checker(Export, 'answer');

export function exportRoutes(app: Http, tools: ExportRouteTools): void {
  addRequest(app, tools);
  addReads(app, tools);
  addCustody(app, tools);
  addDownload(app, tools);
}

function addRequest(app: Http, tools: ExportRouteTools): void {
  app.post(
    '/exports',
    {
      config: { permission, takesIdempotencyKey: true, errors: ['not_found'] },
      schema: {
        tags,
        operationId: 'requestExport',
        summary: 'Request an export, a signed archive that can be verified offline',
        body: ExportBody,
        response: { 202: success(Export) },
      },
    },
    (request, reply) =>
      createOnce(tools, request, reply, {
        status: 202,
        read: checkAnswer,
        make: async (tx, principal) => {
          const row = await requestExport(tx, tools, principal, request.body, (allowance) =>
            reply.headers(rateLimitHeaders('exports', allowance, HOUR)),
          );
          // The answer is kept for repeats of the request, longer than the filter if a field is erased.
          return describeExport({ ...row, filter: null }, null);
        },
      }),
  );
}

function addReads(app: Http, { db, cursors, links, publicUrl, wrap }: ExportRouteTools): void {
  app.get(
    '/exports',
    {
      config: READ,
      schema: {
        tags,
        operationId: 'listExports',
        summary: 'List exports, newest first',
        querystring: ExportQuery,
        response: { 200: success(ExportPage) },
      },
    },
    async (request) => {
      const { scope } = callerOf(request);
      const ledger = db.ledger(scope);
      const page = await readPage(cursors, {
        list: 'exports',
        scope,
        query: request.query,
        fetch: (after, limit) => listExports(ledger, request.query, after?.[0] ?? null, limit),
        position: ({ uuid }) => [uuid],
      });
      const exports = page.items.map(({ shown }) => shown);
      return wrap(request, { exports, next_cursor: page.nextCursor });
    },
  );
  app.get(
    '/exports/:id',
    {
      config: READ,
      schema: {
        tags,
        operationId: 'getExport',
        summary: 'Get an export with its progress and download link',
        params: IdParams,
        response: { 200: success(Export) },
      },
    },
    async (request) => {
      const principal = callerOf(request);
      const row = await readExport(db.ledger(principal.scope), request.params.id);
      const path = row.status === 'complete' ? links.make(principal, request.params.id) : null;
      // Never built from the Host header, which another party may have set.
      const url = path === null ? null : `${publicUrl(request)}${path}`;
      return wrap(request, describeExport(row, url));
    },
  );
}

function addCustody(app: Http, { db, cursors, wrap }: ExportRouteTools): void {
  app.get(
    '/exports/:id/custody',
    {
      config: READ,
      schema: {
        tags,
        operationId: 'listExportCustody',
        summary: 'List who requested, made and downloaded an export, newest first',
        params: IdParams,
        querystring: CustodyQuery,
        response: { 200: success(ActivityPage) },
      },
    },
    async (request) => {
      const { scope } = callerOf(request);
      const ledger = db.ledger(scope);
      const { id } = request.params;
      await readExport(ledger, id);
      const page = await readPage(cursors, {
        list: `custody ${id}`,
        scope,
        query: request.query,
        fetch: (after, limit) =>
          listCustody(ledger, id, after === null ? null : Number(after[0]), limit),
        position: ({ seq }) => [String(seq)],
      });
      return wrap(request, { activity: [...page.items], next_cursor: page.nextCursor });
    },
  );
}

function addDownload(app: Http, tools: ExportRouteTools): void {
  app.get(
    '/exports/:id/download',
    {
      // Each request of the file is recorded, so none is answered without it.
      exposeHeadRoute: false,
      config: { ...READ, signedQuery: true, errors: ['export_not_ready', 'gone', 'invalid_state'] },
      schema: {
        tags,
        operationId: 'downloadExport',
        summary: 'Download an export, with a key or a pre-signed link',
        params: IdParams,
        querystring: DownloadQuery,
        response: { 200: Archive },
      },
    },
    async (request, reply) => {
      const { scope, actor } = callerOf(request);
      const through = request.query.signature === undefined ? 'credential' : 'link';
      const { fileName, bytes, sha256, stream } = await openDownload(
        tools.db.ledger(scope),
        tools,
        request.params.id,
        { actor, through },
      );
      const digest = Buffer.from(sha256, 'hex').toString('base64');
      return reply
        .headers({
          'content-type': 'application/zip',
          'content-length': bytes,
          'content-disposition': `attachment; filename="${fileName}"`,
          // RFC 9530.
          'repr-digest': `sha-256=:${digest}:`,
        })
        .send(stream);
    },
  );
}
