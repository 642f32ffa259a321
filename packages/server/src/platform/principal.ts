import type { Permission } from '@decision-ledger/contract/permissions';
import type { Scope } from './scope.js';

/** The authenticated caller: its key, permissions and ledger. */
export interface Principal {
  readonly scope: Scope;
  /** Public identifier of the key, or `operator` for the command line. */
  readonly actor: string;
  readonly permissions: ReadonlySet<Permission>;
}

/** The author of a change, and the ledger. */
export type Actor = Pick<Principal, 'scope' | 'actor'>;
