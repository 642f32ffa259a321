import { type Static, Type } from 'typebox';
import { Expiry, Key } from './key.js';
import { Session } from './session.js';
import { Settings } from './settings.js';
import { Id } from './shared.js';

const whole = (description: string) => Type.Integer({ description });

/** The answer to GET /me: who calls, and what they may do. */
export const Me = Type.Object({
  organisation: Type.Object({ org_id: Id('org'), name: Type.String() }),
  ledger_id: Id('led'),
  mode: Key.properties.mode,
  permissions: Key.properties.permissions,
  key: Type.Object(
    { key_id: Id('key'), name: Type.String(), expires_at: Expiry },
    { description: 'The key of the request, or the one that opened the session.' },
  ),
  session: Type.Union([Type.Pick(Session, ['session_id', 'name', 'expires_at']), Type.Null()], {
    description: 'Null for a request with a key.',
  }),
  limits: Type.Object({
    rate_limits: Settings.properties.rate_limits,
    body_bytes: whole('The largest body.'),
    batch_body_bytes: whole('The largest body of a batch.'),
    batch_decisions: whole('The most decisions in a batch.'),
    payload_field_bytes: whole(
      'The most bytes of each of inputs, outputs, alternatives and metadata, as canonical JSON.',
    ),
    page_max: whole('The largest page of a list.'),
  }),
});
export type Me = Static<typeof Me>;
