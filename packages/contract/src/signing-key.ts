import { type Static, Type } from 'typebox';
import { Hash, NextCursor, PageParameters, Timestamp } from './shared.js';

/** The public key of a pair that signs exports. */
export const SigningKey = Type.Object({
  fingerprint: Type.String({
    ...Hash,
    description: 'SHA-256 of the SubjectPublicKeyInfo in DER, in lower-case hexadecimal.',
  }),
  algorithm: Type.String(),
  public_key: Type.String({ description: 'PEM.' }),
  created_at: Timestamp,
  retired_at: Type.Union([Timestamp, Type.Null()], {
    description: 'Null for the current key.',
  }),
});
export type SigningKey = Static<typeof SigningKey>;

export const SigningKeyPage = Type.Object({
  signing_keys: Type.Array(SigningKey, {
    description: 'Newest first; empty before the first export.',
  }),
  next_cursor: NextCursor,
});

export const SigningKeyQuery = Type.Object(PageParameters, { additionalProperties: false });
