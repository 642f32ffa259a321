import type { ErrorCode } from '@decision-ledger/contract/errors';
import type { Permission } from '@decision-ledger/contract/permissions';
import type { ElementArray } from '@decision-ledger/proof/gate-members';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify';
import type { Principal } from '../platform/principal.js';
import type { PublicAnswer } from './answer-policy.js';
import type { Preference } from './request-headers.js';

/** The HTTP server with types derived from the schemas. */
export type Http = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** Rate limits that requests count against. */
export type Bucket = 'ingest' | 'batch' | 'read' | 'webhook' | 'record';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The permission that the key must have, `any` for none in particular; a route without it is public. */
    readonly permission?: Permission | 'any';
    readonly bucket?: Bucket;
    /** Whether anybody may call the route, without a key. For the OpenAPI description. */
    readonly isPublic?: boolean;
    /** Which public answer this is, that any cache may keep; default: none, answers are private. */
    readonly publicAnswer?: PublicAnswer;
    /** Whether the key may be sent as the query parameter `key`: any key, or one with this permission alone. */
    readonly keyInQuery?: 'any' | 'narrow';
    /** Whether this is the stream handshake: limited per address, and a ticket is accepted. */
    readonly handshake?: boolean;
    /** Whether a signed URL (query parameter `signature`) is accepted instead of a key. */
    readonly signedQuery?: boolean;
    /** Whether the route reads an Idempotency-Key; default: routes that answer 201. */
    readonly takesIdempotencyKey?: boolean;
    /** Whether pages of the origins in the settings may call the route. */
    readonly isCrossOrigin?: boolean;
    /** What a request may prefer: a receipt that is signed, or members that are refused one by one. */
    readonly preference?: Preference;
    /** With the preference `handling=lenient`: the array of the body whose elements are refused one by one. */
    readonly lenientArray?: ElementArray;
    /** Whether answers have an ETag, and changes take If-Match. For the OpenAPI description. */
    readonly isTagged?: boolean;
    /** Whether a session may not be used in place of a key. For the OpenAPI description. */
    readonly refusesSessions?: boolean;
    /** Errors of this route that its other properties do not imply. For the OpenAPI description. */
    readonly errors?: readonly ErrorCode[];
    /** Whether failures are a google.rpc.Status, as in OTLP. For the OpenAPI description. */
    readonly answersStatus?: boolean;
    /** Maximum depth of the body; default: a payload and one level around it. */
    readonly bodyDepth?: number;
    /** The body may be absent, which means an empty object. */
    readonly hasOptionalBody?: boolean;
  }
  interface FastifyRequest {
    /** Set before the handler of every route that names a permission. */
    principal: Principal | null;
  }
}
