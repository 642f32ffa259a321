import { engineClientConfig } from '@decision-ledger/embedded/connection';
import type { ClientConfig } from 'pg';

/** Where the database is, in a form that can be handed to another thread. */
export type DatabaseAddress =
  | { readonly kind: 'embedded'; readonly socketPath: string }
  | {
      readonly kind: 'postgres';
      readonly url: string;
      readonly ownerUrl: string;
      /** Public names of the master keys that this process has: connections tell them. */
      readonly keyIds: readonly string[];
    };

/** What the driver needs to reach the database as the service. */
export function serviceClient(address: DatabaseAddress): ClientConfig {
  return address.kind === 'embedded'
    ? engineClientConfig(address.socketPath, 'ledger_app')
    : {
        connectionString: address.url,
        application_name: ['decision-ledger', ...address.keyIds].join(' '),
      };
}

/** What the driver needs to reach the database as the owner of its schema. */
export function ownerClient(address: DatabaseAddress): ClientConfig {
  return address.kind === 'embedded'
    ? engineClientConfig(address.socketPath, 'postgres')
    : { connectionString: address.ownerUrl, application_name: 'decision-ledger migrate' };
}
