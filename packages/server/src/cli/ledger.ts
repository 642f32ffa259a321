import { type Mode, PERMISSIONS } from '@decision-ledger/contract/permissions';
import { type LedgerRow, selectLedgers } from '../domains/organisations/index.js';
import type { Database } from '../platform/database.js';
import { uuidToId } from '../platform/ids.js';
import type { Principal } from '../platform/principal.js';
import { CommandError } from './output.js';

export interface LedgerChoice {
  /** Name or id; may be left out while there is one organisation only. */
  readonly org?: string;
  readonly mode: Mode;
}

/** The operator at the command line, acting on one ledger. */
export async function chooseLedger(db: Database, choice: LedgerChoice): Promise<Principal> {
  const ledgers = (await selectLedgers(db)).filter(({ mode }) => mode === choice.mode);
  const [found, ...others] = ledgers.filter(
    (ledger) => choice.org === undefined || isNamed(ledger, choice.org),
  );
  if (found === undefined) {
    const hint = ledgers.length === 0 ? 'make one with `org create NAME`' : names(ledgers);
    throw new CommandError(`no such organisation: ${hint}`);
  }
  if (others.length > 0) throw new CommandError(`say which with --org: ${names(ledgers)}`);
  return {
    scope: { orgId: found.org_id, ledgerId: found.ledger_id, mode: found.mode },
    actor: 'operator',
    permissions: new Set(PERMISSIONS),
  };
}

export function isNamed(ledger: LedgerRow, org: string): boolean {
  return ledger.name === org || uuidToId('org', ledger.org_id) === org;
}

function names(ledgers: readonly LedgerRow[]): string {
  return ledgers.map(({ name, org_id }) => `${name} (${uuidToId('org', org_id)})`).join(', ');
}
