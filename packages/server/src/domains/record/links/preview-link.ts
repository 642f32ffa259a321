import type { LinkBody } from '@decision-ledger/contract/link';
import { lockHead } from '../../../platform/chain/lock-head.js';
import type { Actor } from '../../../platform/principal.js';
import { readDecision } from '../decisions/index.js';
import { readEvent } from '../financial-events/index.js';
import { createLink } from './create.js';
import { type Previewed, type PreviewTools, previewEffect } from './preview-review.js';
import { type LinkRow, selectLinksOfEvent } from './store/links.js';

/** A link as it would be, and the active links of its event beside it. */
interface LinkAmongOthers {
  readonly link: LinkRow;
  readonly links: readonly LinkRow[];
}

/**
 * Makes a link and undoes it: nothing is stored, recorded or announced.
 * @throws as `createLink`
 */
export function previewLink(
  tools: PreviewTools,
  principal: Actor,
  body: LinkBody,
): Promise<Previewed<LinkAmongOthers>> {
  const { scope } = principal;
  return previewEffect(tools, scope, {
    lock: async (tx) => {
      await lockHead(tx, scope, 'activity');
      const { seq } = await readDecision(tx, scope, body.decision_id);
      const { event_id } = await readEvent(tx, scope, body.financial_event_id);
      return { eventId: event_id, seqs: [seq] };
    },
    carryOut: async (tx) => {
      const link = await createLink(tools, tx, principal, body);
      return { link, links: await selectLinksOfEvent(tx, scope, link.event_id) };
    },
  });
}
