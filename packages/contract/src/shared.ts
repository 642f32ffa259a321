import { type TSchema, Type } from 'typebox';
import { LIMITS } from './limits.js';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** A JSON object whose members are the caller's own affair. */
export const JsonObject = Type.Unsafe<{ [key: string]: Json }>(
  Type.Object({}, { additionalProperties: true }),
);

/** A short name that is indexed: 1 to 200 characters. */
export const Name = (description: string) =>
  Type.String({ minLength: 1, maxLength: 200, description });

/**
 * A table of what holds for single action types. Its keys are names: `.` in the pattern would leave
 * out those with a line break, and what stands under them unchecked.
 */
export const byActionType = <Value extends TSchema>(
  value: Value,
  options: {
    readonly default: object;
    readonly maxProperties: number;
    readonly description: string;
  },
) =>
  Type.Record(Type.String({ pattern: String.raw`^[\s\S]{1,200}$` }), value, {
    additionalProperties: false,
    ...options,
  });

export const Timestamp = Type.String({
  description: 'RFC 3339 date-time. Answers are UTC with milliseconds.',
});

export const Hash = Type.String({
  pattern: '^[0-9a-f]{64}$',
  description: 'SHA-256 in lower-case hexadecimal.',
});

const Limit = Type.Integer({
  minimum: 1,
  maximum: LIMITS.pageMax,
  description: `Page size, ${LIMITS.pageDefault} unless told.`,
});

const Cursor = Type.String({
  minLength: 1,
  maxLength: 2000,
  description: 'The next_cursor of the page before, unchanged, with the same filters.',
});

export const RangeBound = Type.String({
  description: 'A date or an RFC 3339 date-time. An end date includes that whole day.',
});

/** What pages through a list, whatever it lists. */
export const PageParameters = { cursor: Type.Optional(Cursor), limit: Type.Optional(Limit) };

/** What narrows a list to a range of time. */
export const RangeParameters = { start: Type.Optional(RangeBound), end: Type.Optional(RangeBound) };

export const NextCursor = Type.Union([Type.String(), Type.Null()], {
  description: 'Null on the last page.',
});

/** @param prefix of the identifier, such as `dec` */
export const Id = (prefix: string) =>
  Type.String({ pattern: `^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$` });

/** Path parameters `{id}`. Any text is taken: what does not exist is answered with 404. */
export const IdParams = Type.Object({ id: Type.String() });
