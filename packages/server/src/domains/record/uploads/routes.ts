import type { Readable } from 'node:stream';
import { IdParams } from '@decision-ledger/contract/shared';
import {
  AppendQuery,
  Upload,
  UploadBody,
  UploadedFieldParams,
} from '@decision-ledger/contract/upload';
import type { FastifyRequest, FastifySchema, FastifySchemaCompiler } from 'fastify';
import { Type } from 'typebox';
import { readBytes } from '../../../http/body-gate.js';
import { change, create, type EndpointTools, read } from '../../../http/endpoints.js';
import { callerOf } from '../../../http/envelope.js';
import type { Http } from '../../../http/types.js';
import { type AppendTools, appendChunk } from './append.js';
import { type CreateTools, createUpload } from './create.js';
import { describeUpload, readUpload } from './describe.js';
import { openUpload } from './read.js';

export interface UploadRouteTools extends CreateTools, AppendTools, EndpointTools {}

const tag = 'decisions';
const INGEST = { permission: 'ingest', bucket: 'ingest' } as const;
const CHUNK = 'application/octet-stream';

/** Bytes, which JSON Schema does not describe. */
const Bytes = Type.Unsafe<Readable>(Type.String({ format: 'binary' }));

/** A description: the bytes are for the handler to check. */
const ChunkBody = Type.Unsafe<Buffer>({ content: { [CHUNK]: { schema: Bytes } } });

export function uploadRoutes(app: Http, tools: UploadRouteTools): void {
  create(app, tools, {
    path: '/uploads',
    config: { ...INGEST, errors: ['payload_too_large'] },
    tag,
    operationId: 'createUpload',
    summary: 'Create an upload, for a field of a decision that is too large for a request',
    body: UploadBody,
    data: Upload,
    make: (tx, { body }) => createUpload(tx, tools, body),
  });
  read(app, tools, {
    path: '/uploads/:id',
    config: INGEST,
    tag,
    operationId: 'getUpload',
    summary: 'Get an upload, with the offset at which its next chunk begins',
    params: IdParams,
    data: Upload,
    answer: async ({ ledger, params: { id } }) => describeUpload(await readUpload(ledger, id)),
  });
  addChunks(app, tools);
  addUploadedFields(app, tools);
}

function addChunks(app: Http, tools: UploadRouteTools): void {
  app.register((own: Http, _options, done) => {
    own.removeAllContentTypeParsers();
    own.addContentTypeParser(CHUNK, readBytes);
    own.setValidatorCompiler((part) =>
      part.httpPart === 'body' ? (value: unknown) => ({ value }) : compilerOf(app)(part),
    );
    change(own, tools, {
      method: 'PATCH',
      path: '/uploads/:id',
      config: { ...INGEST, errors: ['conflict'], isExpensive: true },
      tag,
      operationId: 'appendToUpload',
      summary: 'Append the next chunk of an upload. Its digest is checked with the last one',
      params: IdParams,
      query: AppendQuery,
      body: ChunkBody,
      data: Upload,
      answer: ({ ledger, request, params: { id }, query: { offset } }) =>
        appendChunk(ledger, tools, id, { offset, bytes: bytesIn(request) }),
    });
    done();
  });
}

function compilerOf({ validatorCompiler }: Http): FastifySchemaCompiler<FastifySchema> {
  if (validatorCompiler === undefined) throw new Error('requests are not checked');
  return validatorCompiler;
}

function bytesIn({ body }: FastifyRequest): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
}

function addUploadedFields(app: Http, tools: UploadRouteTools): void {
  app.get(
    '/decisions/:id/uploads/:field',
    {
      config: { permission: 'read', bucket: 'read' },
      schema: {
        tags: [tag],
        operationId: 'downloadUpload',
        summary: 'Download what a field of a decision stands for, or a range of its bytes',
        params: UploadedFieldParams,
        response: {
          200: { description: 'All bytes.', content: { [CHUNK]: { schema: Bytes } } },
          206: { description: 'The range of bytes.', content: { [CHUNK]: { schema: Bytes } } },
        },
      },
    },
    async (request, reply) => {
      const { id, field } = request.params;
      const { stream, span, size, sha256, isPart } = await openUpload(
        tools.db.ledger(callerOf(request).scope),
        tools.keyring,
        { decisionId: id, field, range: request.headers.range },
      );
      const digest = Buffer.from(sha256, 'hex').toString('base64');
      return reply
        .code(isPart ? 206 : 200)
        .headers({
          // Never the media type that was sent: a browser would open what a stranger uploaded.
          'content-type': CHUNK,
          'content-length': span.end - span.start,
          'content-disposition': `attachment; filename="${id}-${field}"`,
          'accept-ranges': 'bytes',
          // RFC 9530: of all bytes, whatever the range.
          'repr-digest': `sha-256=:${digest}:`,
          ...(isPart && { 'content-range': `bytes ${span.start}-${span.end - 1}/${size}` }),
        })
        .send(stream);
    },
  );
}
