import type { Session } from '@decision-ledger/contract/session';
import { uuidToId } from '../../../platform/ids.js';
import type { LedgerReader } from '../../../platform/ledger.js';
import { mapPage, type PageRows } from '../../../platform/page.js';
import type { Principal } from '../../../platform/principal.js';
import { describeSession } from './rules/session.js';
import { selectSessions } from './store/sessions.js';
import { visibleTo } from './visible.js';

export interface ListedSession {
  readonly uuid: string;
  readonly session: Session;
}

/** The sessions that the caller sees, newest first. */
export async function listSessions(
  ledger: LedgerReader,
  principal: Principal,
  before: string | null,
  limit: number,
): Promise<PageRows<ListedSession>> {
  const page = await selectSessions(ledger, visibleTo(principal), before, limit);
  return mapPage(page, (row) => {
    const ids = {
      session_id: uuidToId('ses', row.session_id),
      key_id: uuidToId('key', row.key_id),
    };
    return { uuid: row.session_id, session: describeSession(ids, ledger.scope.mode, row) };
  });
}
