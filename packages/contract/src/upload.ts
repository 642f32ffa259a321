import { type Static, Type } from 'typebox';
import { LIMITS } from './limits.js';
import { Hash, Id, Timestamp } from './shared.js';

/** The fields of a decision that an upload may stand for. */
export const UPLOADABLE_FIELDS = ['inputs', 'outputs'] as const;
export type UploadableField = (typeof UPLOADABLE_FIELDS)[number];

const Size = Type.Integer({
  minimum: 1,
  maximum: LIMITS.uploadBytes,
  description: 'All bytes that will be sent.',
});

const MediaType = Type.String({
  maxLength: 200,
  pattern: '^[a-z0-9!#$&^_.+-]+/[a-z0-9!#$&^_.+-]+$',
  'x-problem': 'must be a media type without parameters, in lower case, such as application/json',
});

/** The body of POST /uploads. */
export const UploadBody = Type.Object(
  { size: Size, sha256: Hash, media_type: MediaType },
  { additionalProperties: false },
);
export type UploadBody = Static<typeof UploadBody>;

/** An upload that waits for its bytes or for its decision. */
export const Upload = Type.Object({
  upload_id: Id('upl'),
  size: Size,
  sha256: Hash,
  media_type: MediaType,
  offset: Type.Integer({
    minimum: 0,
    description: 'How many bytes have arrived: where the next chunk begins.',
  }),
  chunk_bytes: Type.Integer({
    minimum: 1,
    description: 'Every chunk but the last has exactly so many bytes.',
  }),
  is_complete: Type.Boolean({
    description: 'Whether all bytes have arrived and have the digest: a decision may name it.',
  }),
  expires_at: Type.Union([Timestamp, Type.Null()], {
    description: 'When it is deleted unless a decision takes it before. Null: a decision has.',
  }),
});
export type Upload = Static<typeof Upload>;

/** The query of PATCH /uploads/{id}. */
export const AppendQuery = Type.Object(
  { offset: Type.Integer({ minimum: 0, description: 'Where the chunk begins.' }) },
  { additionalProperties: false },
);
export type AppendQuery = Static<typeof AppendQuery>;

/** Path parameters of GET /decisions/{id}/uploads/{field}. */
export const UploadedFieldParams = Type.Object({
  id: Type.String(),
  field: Type.Enum([...UPLOADABLE_FIELDS]),
});
