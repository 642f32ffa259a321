import { type TProperties, Type } from 'typebox';
import { CLOSED, Word } from '../setting-fields.js';

/** Defaults of every accounting connection. */
export const ACCOUNTING_DEFAULTS = { poll_seconds: 300 };

const ConnectionId = Type.String({
  ...Word,
  description: 'Name of the connection, unique in the settings.',
});

const PollSeconds = Type.Integer({
  minimum: 10,
  maximum: 86_400,
  default: ACCOUNTING_DEFAULTS.poll_seconds,
  description: 'Seconds between two polls.',
});

interface ConnectionFields<Kind extends string, Fields extends TProperties> {
  readonly kind: Kind;
  /** The settings of this kind alone. */
  readonly fields: Fields;
  /** Fields made by `secret`. A secret kept by its mask stays with the addresses in `urls`. */
  readonly secrets: readonly (keyof Fields & string)[];
  /** Fields made by `url`, in the order in which errors name them. */
  readonly urls: readonly (keyof Fields & string)[];
}

/** Describes a kind of accounting connection as the settings hold it. */
export function describeConnection<const Kind extends string, Fields extends TProperties>({
  kind,
  fields,
  secrets,
  urls,
}: ConnectionFields<Kind, Fields>) {
  const schema = Type.Object(
    { id: ConnectionId, kind: Type.Literal(kind), ...fields, poll_seconds: PollSeconds },
    CLOSED,
  );
  return { kind, schema, secrets, urls };
}
