import { idToUuid } from '../../../platform/ids.js';
import type { Principal } from '../../../platform/principal.js';
import type { Visible } from './store/sessions.js';

/**
 * The sessions that a caller sees and may revoke: with `admin` those of the ledger; otherwise a key those
 * that it opened, and a session itself.
 */
export function visibleTo({ permissions, session, actor }: Principal): Visible {
  if (permissions.has('admin')) return null;
  if (session !== undefined) return { sessionId: idToUuid('ses', session.sessionId) ?? '' };
  return { keyId: idToUuid('key', actor) ?? '' };
}
