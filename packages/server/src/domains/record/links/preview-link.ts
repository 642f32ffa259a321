import type { LinkBody } from '@decision-ledger/contract/link';
import { lockHead } from '../../../platform/chain/head.js';
import type { Ledger } from '../../../platform/ledger.js';
import type { Actor } from '../../../platform/principal.js';
import { readDecision } from '../decisions/index.js';
import { readEvent } from '../financial-events/index.js';
import type { RecordHooks } from '../hooks/index.js';
import { createLink } from './create.js';
import { type Previewed, previewEffect } from './preview-review.js';
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
  ledger: Ledger,
  hooks: RecordHooks,
  principal: Actor,
  body: LinkBody,
): Promise<Previewed<LinkAmongOthers>> {
  return previewEffect(ledger, hooks, {
    lock: async (tx) => {
      await lockHead(tx, 'activity');
      const { seq } = await readDecision(tx, body.decision_id);
      const { event_id } = await readEvent(tx, body.financial_event_id);
      return { eventId: event_id, seqs: [seq] };
    },
    carryOut: async (tx) => {
      const link = await createLink(tx, hooks, principal, body);
      return { link, links: await selectLinksOfEvent(tx, link.event_id) };
    },
  });
}
