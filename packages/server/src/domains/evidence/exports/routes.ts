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
import { IdParams } from '@decision-ledger/contract/shared';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { create, type EndpointTools, list, read } from '../../../http/endpoints.js';
import { callerOf } from '../../../http/envelope.js';
import { byNumber, byText } from '../../../http/paging.js';
import { rateLimitHeaders } from '../../../http/rate-limit/limiter.js';
import type { Http } from '../../../http/types.js';
import { listCustody } from './custody.js';
import { describeExport, listExports, readExport } from './describe.js';
import { type DownloadLinks, type DownloadTools, openDownload } from './download.js';
import { type ExportRequestTools, requestExport } from './request.js';

export interface ExportRouteTools extends ExportRequestTools, DownloadTools, EndpointTools {
  readonly links: DownloadLinks;
  /** Public address of the service; empty if it is not known. */
  readonly publicUrl: (request: FastifyRequest) => string;
}

const permission = 'export' as const;
const tag = 'exports';
const HOUR = 3600;

/** Only for the API description: the bytes are sent without serialisation. */
const Archive = {
  description: 'The archive.',
  content: {
    'application/zip': { schema: Type.Unsafe<Readable>(Type.String({ format: 'binary' })) },
  },
};

export function exportRoutes(app: Http, tools: ExportRouteTools): void {
  addRequest(app, tools);
  addReads(app, tools);
  addDownload(app, tools);
}

function addRequest(app: Http, tools: ExportRouteTools): void {
  create(app, tools, {
    path: '/exports',
    config: { permission, takesIdempotencyKey: true, errors: ['not_found'] },
    tag,
    operationId: 'requestExport',
    summary: 'Request an export, a signed archive that can be verified offline',
    body: ExportBody,
    data: Export,
    status: 202,
    make: async (tx, { principal, reply, body }) => {
      const row = await requestExport(tx, tools, principal, body, (allowance) =>
        reply.headers(rateLimitHeaders('exports', allowance, HOUR)),
      );
      // The answer is kept for repeats of the request, longer than the filter if a field is erased.
      return describeExport({ ...row, filter: null }, null);
    },
  });
}

function addReads(app: Http, tools: ExportRouteTools): void {
  const { links, publicUrl } = tools;
  list(app, tools, {
    path: '/exports',
    config: { permission },
    tag,
    operationId: 'listExports',
    summary: 'List exports, newest first',
    query: ExportQuery,
    data: ExportPage,
    key: byText,
    fetch: ({ ledger, query }, { after, limit }) => listExports(ledger, query, after, limit),
    keyOf: ({ uuid }) => uuid,
    show: ({ items, next_cursor }) => ({ exports: items.map(({ shown }) => shown), next_cursor }),
  });
  read(app, tools, {
    path: '/exports/:id',
    config: { permission },
    tag,
    operationId: 'getExport',
    summary: 'Get an export with its progress and download link',
    params: IdParams,
    data: Export,
    answer: async ({ ledger, request, principal, params: { id } }) => {
      const row = await readExport(ledger, id);
      const path = row.status === 'complete' ? links.make(principal, id) : null;
      // Never built from the Host header, which another party may have set.
      return describeExport(row, path === null ? null : `${publicUrl(request)}${path}`);
    },
  });
  list(app, tools, {
    path: '/exports/:id/custody',
    config: { permission },
    tag,
    operationId: 'listExportCustody',
    summary: 'List the custody records of an export, newest first',
    params: IdParams,
    query: CustodyQuery,
    data: ActivityPage,
    key: byNumber,
    fetch: async ({ ledger, params: { id } }, slice) => {
      await readExport(ledger, id);
      return listCustody(ledger, id, slice);
    },
    keyOf: ({ seq }) => seq,
    show: ({ items, next_cursor }) => ({ activity: items, next_cursor }),
  });
}

function addDownload(app: Http, tools: ExportRouteTools): void {
  app.get(
    '/exports/:id/download',
    {
      // Each request of the file is recorded, so none is answered without it.
      exposeHeadRoute: false,
      config: {
        permission,
        bucket: 'read',
        signedQuery: true,
        errors: ['export_not_ready', 'gone', 'invalid_state'],
      },
      schema: {
        tags: [tag],
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
