import { LastVerifications } from '@decision-ledger/contract/chain';
import { type EndpointTools, read } from '../../../http/endpoints.js';
import type { Http } from '../../../http/types.js';
import { readLastVerifications } from './announcements.js';

export function verificationRoutes(app: Http, tools: EndpointTools): void {
  read(app, tools, {
    path: '/verification',
    tag: 'activity',
    operationId: 'getLastVerification',
    summary: 'Get the last full verification of each chain',
    data: LastVerifications,
    answer: ({ ledger }) => readLastVerifications(ledger),
  });
}
