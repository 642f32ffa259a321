import { engineClientConfig } from '@decision-ledger/embedded/connection';
import type { ClientConfig } from 'pg';

/** The address of the database, in a form that can be passed to another thread. */
export type DatabaseAddress =
  | { readonly kind: 'embedded'; readonly socketPath: string }
  | {
      readonly kind: 'postgres';
      readonly url: string;
      readonly ownerUrl: string;
      /** Public names of this process's master keys, which its connections announce. */
      readonly keyIds: readonly string[];
    };

/** Driver options for a connection as the service's role. */
export function serviceClient(address: DatabaseAddress): ClientConfig {
  return address.kind === 'embedded'
    ? engineClientConfig(address.socketPath, 'ledger_app')
    : {
        connectionString: address.url,
        application_name: ['decision-ledger', ...address.keyIds].join(' '),
      };
}

/** Driver options for a connection as the owner of the schema. */
export function ownerClient(address: DatabaseAddress): ClientConfig {
  return address.kind === 'embedded'
    ? engineClientConfig(address.socketPath, 'postgres')
    : { connectionString: address.ownerUrl, application_name: 'decision-ledger migrate' };
}
