import { success } from '@decision-ledger/contract/envelope';
import { SigningKeyList } from '@decision-ledger/contract/signing-key';
import { principalOf, type Wrap } from '../../http/envelope.js';
import type { Http } from '../../http/types.js';
import type { Database } from '../../platform/database.js';
import { listSigningKeys } from './list.js';

export interface SigningKeyRouteTools {
  readonly db: Database;
  readonly wrap: Wrap;
}

export function signingKeyRoutes(app: Http, { db, wrap }: SigningKeyRouteTools): void {
  app.get(
    '/signing-keys',
    {
      config: { permission: 'read', bucket: 'read' },
      schema: {
        tags: ['exports'],
        summary: 'The public keys that exports are signed with, former ones included',
        response: { 200: success(SigningKeyList) },
      },
    },
    async (request) => {
      const { scope } = principalOf(request);
      return wrap(request, { signing_keys: await listSigningKeys(db, scope) });
    },
  );
}
