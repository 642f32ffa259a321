import type { Permission } from '@decision-ledger/contract/permissions';
import type { Scope } from './scope.js';

/** Who asks: the key, what it may do, and whose ledger it opens. */
export interface Principal {
  readonly scope: Scope;
  /** Public identifier of the key, or `operator` for the command line. */
  readonly actor: string;
  readonly permissions: ReadonlySet<Permission>;
}

/** Who makes a change, and in whose ledger. */
export type Actor = Pick<Principal, 'scope' | 'actor'>;
