import { type TSchema, Type } from 'typebox';
import { Timestamp } from './shared.js';

export const Meta = Type.Object({
  request_id: Type.String(),
  timestamp: Timestamp,
});

/** The body of every successful response. */
export const success = <Data extends TSchema>(data: Data) => Type.Object({ data, meta: Meta });

/** The body of every failed response. */
export const Failure = Type.Object({
  error: Type.Object({
    code: Type.String(),
    message: Type.String(),
    details: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  }),
});
