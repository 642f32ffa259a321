import { type Static, Type } from 'typebox';
import { ACCOUNTING_KINDS } from './accounting/kinds.js';
import { Timestamp } from './shared.js';

/** An accounting connection of the settings, and how its last poll went. */
export const ConnectionState = Type.Object({
  id: Type.String(),
  kind: Type.Enum(ACCOUNTING_KINDS),
  polled_at: Type.Union([Timestamp, Type.Null()], { description: 'Null before the first poll.' }),
  problem: Type.Union([Type.String(), Type.Null()], {
    description: 'Why the last poll failed, or what it could not import; null if it succeeded.',
  }),
  is_poll_pending: Type.Boolean({
    description: 'Whether a poll is queued, running, or waiting for a retry.',
  }),
});
export type ConnectionState = Static<typeof ConnectionState>;

/** The answer to GET /accounting/connections. */
export const ConnectionStates = Type.Object({ connections: Type.Array(ConnectionState) });
