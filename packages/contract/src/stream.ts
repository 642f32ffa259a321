import { type Static, type TSchema, Type } from 'typebox';
import { MODES } from './permissions.js';
import { Name, Timestamp } from './shared.js';
import { SELECTABLE_TYPES, STREAM_TYPES, type StreamType } from './stream-events.js';

/** Path of the stream, from the root of the service. */
export const STREAM_PATH = '/ws/v1/stream';

/** Close codes (RFC 6455, 7.4); 4000 and above are those of the service. */
export const CLOSE_CODES = {
  goingAway: 1001,
  unsupportedData: 1003,
  policyViolation: 1008,
  internalError: 1011,
  keyEnded: 4001,
  slowConsumer: 4008,
  wentBack: 4009,
} as const;

/** One text frame of the stream. */
export const streamEvent = <Data extends TSchema>(type: StreamType, data: Data) =>
  Type.Object({
    id: Type.String({ description: 'A position: what to give as `after` to go on behind it.' }),
    type: Type.Literal(type),
    mode: Type.Enum([...MODES]),
    time: Timestamp,
    seq: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
      description: 'Its place in its own log; null for a heartbeat.',
    }),
    data,
  });

/** A frame of any type, with unchecked data. */
export const StreamEvent = Type.Object({
  ...Type.Omit(streamEvent('heartbeat', Type.Unknown()), ['type']).properties,
  type: Type.Enum([...STREAM_TYPES]),
});
export type StreamEvent = Static<typeof StreamEvent>;

const NAMES = SELECTABLE_TYPES.map((type) => type.replace('.', String.raw`\.`)).join('|');

/** The query of the handshake. */
export const StreamQuery = Type.Object(
  {
    types: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1000,
        pattern: `^(?:${NAMES})(?:,(?:${NAMES}))*$`,
        description: 'Only events of these types, with commas between; heartbeats always come.',
        'x-problem': `must be a list, with commas between, of ${SELECTABLE_TYPES.join(', ')}`,
      }),
    ),
    agent_id: Type.Optional(
      Name('Only events about decisions of this agent; those about no decision are left out.'),
    ),
    after: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 500,
        description: 'The id of the last event received: go on behind it.',
      }),
    ),
    key: Type.Optional(Type.String({ description: 'The key, where no header can be sent.' })),
    ticket: Type.Optional(Type.String({ description: 'A ticket in place of a key.' })),
  },
  { additionalProperties: false },
);
export type StreamQuery = Static<typeof StreamQuery>;

/** The answer to a handshake: events follow, as /asyncapi.json describes them. */
export const StreamOpened = Type.Null({ description: 'The connection is a WebSocket now.' });

/** The answer to POST /stream/tickets. */
export const StreamTicket = Type.Object({
  ticket: Type.String({ description: 'Opens the stream once, as the query parameter `ticket`.' }),
  expires_at: Timestamp,
});
export type StreamTicket = Static<typeof StreamTicket>;
