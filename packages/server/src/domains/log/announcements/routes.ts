import { LastVerifications } from '@decision-ledger/contract/chain';
import { success } from '@decision-ledger/contract/shared';
import { callerOf, type Wrap } from '../../../http/envelope.js';
import type { Http } from '../../../http/types.js';
import type { Database } from '../../../platform/database.js';
import { readLastVerifications } from './last-verifications.js';

export interface VerificationRouteTools {
  readonly db: Database;
  readonly wrap: Wrap;
}

export function verificationRoutes(app: Http, { db, wrap }: VerificationRouteTools): void {
  app.get(
    '/verification',
    {
      config: { permission: 'read', bucket: 'read' },
      schema: {
        tags: ['activity'],
        operationId: 'getLastVerification',
        summary: 'Get the last full verification of each chain',
        response: { 200: success(LastVerifications) },
      },
    },
    async (request) =>
      wrap(request, await readLastVerifications(db.ledger(callerOf(request).scope))),
  );
}
