import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { freePort } from '../../support/free-port.js';
import { signatureProblem } from './sigv4.js';

/**
 * The fault of a request: an answer with this status, a cut connection, a cut answer, or no answer.
 */
export type Fault = number | 'cut' | 'cut-in-answer' | 'hang' | undefined;

export interface S3Server {
  readonly url: string;
  readonly keyId: string;
  readonly secret: string;
  /** Keys of the readable objects. */
  keys(): string[];
  /** Uploads that were neither completed nor aborted. */
  readonly uploads: ReadonlyMap<string, unknown>;
  /** Each request as method and query, with the size of its body. */
  readonly log: { readonly call: string; readonly bytes: number; readonly token: string }[];
  /** The maximum number of parts that were uploaded at the same time. */
  readonly mostPartsAtOnce: () => number;
  /** Called for each request after it has been read. */
  fault: (call: string) => Fault;
  /** Ends every connection and accepts no more; stored objects stay. */
  die(): Promise<void>;
  /** Accepts requests again, on the same port. */
  rise(): Promise<void>;
}

interface Stored {
  readonly bytes: Buffer;
  readonly at: Date;
}

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

const EMPTY: Reply = { status: 200, headers: {}, body: Buffer.alloc(0) };

/** Small, so that few files make several pages. */
const PAGE = 2;

/** A bucket in memory with the part of S3 that the service uses. It checks each signature. */
export async function startS3Server(bucket: string): Promise<S3Server> {
  const keyId = 'AKIDEXAMPLE';
  const secret = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY';
  const objects = new Map<string, Stored>();
  const uploads = new Map<string, { key: string; parts: Map<number, Buffer> }>();
  const log: { call: string; bytes: number; token: string }[] = [];
  let partsNow = 0;
  let mostParts = 0;

  const http: Server = createServer((request, response) => {
    const isPart = /partNumber=/.test(request.url ?? '');
    if (isPart) partsNow += 1;
    mostParts = Math.max(mostParts, partsNow);
    const done = () => {
      if (isPart) partsNow -= 1;
    };
    response.once('close', done);
    handle(request, response).catch(() => request.socket.destroy());
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const body = Buffer.concat(chunks);
    const { method = '', url: target = '', headers } = request;
    const url = new URL(target, 'http://localhost');
    const call = `${method} ${[...url.searchParams.keys()].sort().join(' ')}`.trim();
    log.push({ call, bytes: body.length, token: String(headers['x-amz-security-token'] ?? '') });
    const fault = server.fault(call);
    const [, named, ...rest] = url.pathname.split('/').map(decodeURIComponent);
    const key = rest.join('/');
    const problem = signatureProblem({ method, target, headers, body }, { [keyId]: secret });
    if (fault === 'hang') return;
    if (fault === 'cut') request.socket.destroy();
    else if (typeof fault === 'number') send(response, failed(fault, 'InternalError'));
    else if (problem !== null) send(response, failed(403, problem));
    else if (named !== bucket) send(response, failed(404, 'NoSuchBucket'));
    else if (fault === undefined) send(response, operate(method, url.searchParams, key, body));
    else {
      const bytes = objects.get(key)?.bytes ?? Buffer.alloc(0);
      response.writeHead(200, { 'content-length': String(bytes.length) });
      response.write(bytes.subarray(0, 1000), () => request.socket.destroy());
    }
  }

  function operate(method: string, query: URLSearchParams, key: string, body: Buffer): Reply {
    const uploadId = query.get('uploadId');
    if (uploadId !== null) return continueUpload(method, uploadId, query, body);
    if (method === 'POST') {
      const id = `upload-${log.length}`;
      uploads.set(id, { key, parts: new Map() });
      return xml(
        `<InitiateMultipartUploadResult>${tag('UploadId', id)}</InitiateMultipartUploadResult>`,
      );
    }
    if (method === 'PUT') {
      objects.set(key, { bytes: body, at: new Date() });
      return { ...EMPTY, headers: { etag: `"${md5(body)}"` } };
    }
    if (method === 'DELETE') {
      objects.delete(key);
      return { ...EMPTY, status: 204 };
    }
    if (query.has('list-type')) return xml(page(query));
    const object = objects.get(key);
    return object === undefined ? failed(404, 'NoSuchKey') : { ...EMPTY, body: object.bytes };
  }

  function continueUpload(
    method: string,
    uploadId: string,
    query: URLSearchParams,
    body: Buffer,
  ): Reply {
    const upload = uploads.get(uploadId);
    if (upload === undefined) return failed(404, 'NoSuchUpload');
    if (method === 'PUT') {
      upload.parts.set(Number(query.get('partNumber')), body);
      return { ...EMPTY, headers: { etag: `"${md5(body)}"` } };
    }
    uploads.delete(uploadId);
    if (method === 'DELETE') return { ...EMPTY, status: 204 };
    const parts = [...upload.parts].sort(([a], [b]) => a - b).map(([, bytes]) => bytes);
    objects.set(upload.key, { bytes: Buffer.concat(parts), at: new Date() });
    return xml(
      `<CompleteMultipartUploadResult>${tag('Key', upload.key)}</CompleteMultipartUploadResult>`,
    );
  }

  function page(query: URLSearchParams): string {
    const after = query.get('continuation-token') ?? '';
    const found = [...objects]
      .filter(([key]) => key.startsWith(query.get('prefix') ?? '') && key > after)
      .sort(([a], [b]) => (a < b ? -1 : 1));
    const items = found
      .slice(0, PAGE)
      .map(([key, { bytes, at }]) =>
        tag(
          'Contents',
          tag('Key', key) +
            tag('LastModified', at.toISOString()) +
            tag('Size', String(bytes.length)),
        ),
      );
    const last = found[PAGE - 1]?.[0] ?? '';
    const more = found.length > PAGE;
    const next = more ? `<NextContinuationToken>${last}</NextContinuationToken>` : '';
    return `<ListBucketResult><IsTruncated>${more}</IsTruncated>${next}${items.join('')}</ListBucketResult>`;
  }

  await listen(http, await freePort());
  const port = portOf(http.address());
  const server: S3Server = {
    ...{ url: `http://127.0.0.1:${port}`, keyId, secret, uploads, log },
    keys: () => [...objects.keys()].sort(),
    mostPartsAtOnce: () => mostParts,
    fault: () => undefined,
    die: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
    rise: () => listen(http, port),
  };
  return server;
}

function listen(http: Server, port: number): Promise<void> {
  return new Promise((resolve) => http.listen(port, '127.0.0.1', resolve));
}

function portOf(address: AddressInfo | string | null): number {
  if (typeof address === 'object' && address !== null) return address.port;
  throw new Error('the server listens on no port');
}

function send(response: ServerResponse, { status, headers, body }: Reply): void {
  response.writeHead(status, { ...headers, 'content-length': String(body.length) }).end(body);
}

function xml(text: string, status = 200): Reply {
  return { status, headers: { 'content-type': 'application/xml' }, body: Buffer.from(text) };
}

function tag(name: string, text: string): string {
  return `<${name}>${text}</${name}>`;
}

function failed(status: number, code: string): Reply {
  return xml(`<Error>${tag('Code', code)}${tag('Message', code)}</Error>`, status);
}

function md5(bytes: Buffer): string {
  return createHash('md5').update(bytes).digest('hex');
}
