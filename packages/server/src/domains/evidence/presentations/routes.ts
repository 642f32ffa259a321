import { DecisionPresentation, PresentationBody } from '@decision-ledger/contract/decision-view';
import { IdParams, success } from '@decision-ledger/contract/shared';
import { callerOf, type Wrap } from '../../../http/envelope.js';
import type { Http } from '../../../http/types.js';
import { type PresentTools, presentDecision } from './present.js';

export interface PresentationRouteTools extends PresentTools {
  readonly wrap: Wrap;
}

export function presentationRoutes(app: Http, tools: PresentationRouteTools): void {
  app.post(
    '/decisions/:id/presentation',
    {
      config: { permission: 'export', bucket: 'read', errors: ['conflict'] },
      schema: {
        tags: ['transparency'],
        operationId: 'presentDecision',
        summary:
          'Create a presentation of a decision with selected fields. Returns 202 until a checkpoint covers it',
        params: IdParams,
        body: PresentationBody,
        response: { 200: success(DecisionPresentation), 202: success(DecisionPresentation) },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const { fields } = request.body;
      const principal = callerOf(request);
      const ledger = tools.db.ledger(principal.scope);
      const made = await presentDecision(ledger, principal, id, fields);
      return reply.code(made.status === 'covered' ? 200 : 202).send(tools.wrap(request, made));
    },
  );
}
