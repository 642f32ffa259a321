import { type TSchema, Type } from 'typebox';
import { LIMITS } from './limits.js';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** A JSON object with any members. */
export const JsonObject = Type.Unsafe<{ [key: string]: Json }>(
  Type.Object({}, { additionalProperties: true }),
);

/** A short name that is indexed: 1 to 200 characters. */
export const Name = (description: string) =>
  Type.String({ minLength: 1, maxLength: 200, description });

/** The name of a person: 1 to 200 characters, without control characters, not only spaces. */
export const PersonName = (description: string) =>
  Type.String({
    minLength: 1,
    maxLength: 200,
    pattern: '^(?=.*\\S)[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]+$',
    description,
    'x-problem': 'must be a name of 1 to 200 characters on one line',
  });

/**
 * A table keyed by action type. The pattern also matches line breaks, which `.` would not: values
 * under such names would otherwise go unchecked.
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
    'x-names': 'must have a name of 1 to 200 characters',
    ...options,
  });

/** A time in responses. */
export const Timestamp = Type.String({
  format: 'date-time',
  description: 'RFC 3339 date-time. Answers are UTC with milliseconds.',
});

/** A time in requests. */
export const Moment = (description: string) =>
  Type.String({
    format: 'date-time',
    description: `${description} RFC 3339, from year 0001 to 9999 in UTC, without leap seconds.`,
    'x-problem': 'must be an RFC 3339 date-time such as 2026-04-16T09:30:00.000Z',
  });

/** A calendar day. */
export const Day = (description: string) =>
  Type.String({
    format: 'date',
    description: `${description} As YYYY-MM-DD.`,
    'x-problem': 'must be a day that exists, as YYYY-MM-DD',
  });

/** A currency code that may no longer be in use. */
export const CURRENCY_PATTERN = '^[A-Z]{3}$';
export const CURRENCY_PROBLEM = 'must be an ISO 4217 code in use, such as USD';

export const Hash = Type.String({
  pattern: '^[0-9a-f]{64}$',
  description: 'SHA-256 in lower-case hexadecimal.',
  'x-problem': 'must be 64 lower-case hexadecimal digits',
});

const Limit = Type.Integer({
  minimum: 1,
  maximum: LIMITS.pageMax,
  description: `Page size. Default: ${LIMITS.pageDefault}.`,
});

const Cursor = Type.String({
  minLength: 1,
  maxLength: 2000,
  description:
    'The next_cursor of the page before, unchanged, with the same filters. Any other is refused with ' +
    '400 malformed_request.',
});

export const RangeBound = Type.Union(
  [Type.String({ format: 'date' }), Type.String({ format: 'date-time' })],
  {
    description:
      'A date or an RFC 3339 date-time. An end date includes that whole day. The start must not be ' +
      'after the end.',
    'x-problem': 'must be a date such as 2026-04-16 or an RFC 3339 date-time',
  },
);

/** Query parameters of every paged list. */
export const PageParameters = { cursor: Type.Optional(Cursor), limit: Type.Optional(Limit) };

/** Query parameters of lists that can be limited to a time range. */
export const RangeParameters = { start: Type.Optional(RangeBound), end: Type.Optional(RangeBound) };

export const NextCursor = Type.Union([Type.String(), Type.Null()], {
  description: 'Null on the last page.',
});

/** @param prefix of the identifier, such as `dec` */
export const Id = (prefix: string, description?: string) =>
  Type.String({
    pattern: `^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`,
    'x-problem': `must be an id that starts with ${prefix}_ followed by 26 characters`,
    ...(description !== undefined && { description }),
  });

/** Path parameters `{id}`. Any text is accepted, because an unknown id is answered with 404. */
export const IdParams = Type.Object({ id: Type.String() });

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
