import type { Permission } from '@decision-ledger/contract/permissions';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify';
import type { Principal } from '../platform/principal.js';

/** The HTTP server as routes see it: types follow from the schemas. */
export type Http = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** Allowances that requests are counted against. */
export type Bucket = 'ingest' | 'batch' | 'read' | 'webhook';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What the caller's key must be allowed to do; a route without it is open to all. */
    readonly permission?: Permission;
    readonly bucket?: Bucket;
    /** Whether the key may also be the query parameter `key`: any key, or one with no other permission. */
    readonly keyInQuery?: 'any' | 'narrow';
    /** Whether it opens the stream: counted by address, and a ticket in the query does for a key. */
    readonly handshake?: boolean;
    /** Whether a download link, known by its query parameter `signature`, does in place of a key. */
    readonly signedQuery?: boolean;
    /** Whether it reads an Idempotency-Key, as routes that answer 201 do unless they say no. */
    readonly takesIdempotencyKey?: boolean;
    /** How deep the body may nest, where it is not one level around a payload. */
    readonly bodyDepth?: number;
  }
  interface FastifyRequest {
    /** Set before the handler of every route that names a permission. */
    principal: Principal | null;
  }
}
