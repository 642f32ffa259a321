import type { Decision } from '@decision-ledger/contract/decision';
import type { DecisionInDetail } from '@decision-ledger/contract/decision-view';
import type { Liability } from '@decision-ledger/contract/liability';
import { LIMITS } from '@decision-ledger/contract/limits';
import { outcomeReader } from '@decision-ledger/contract/outcome';
import type { DecisionOutcome } from '@decision-ledger/contract/outcome-settings';
import type { Ledger, LedgerReader } from '../../../platform/ledger.js';
import type { PageRows, Slice } from '../../../platform/page.js';
import { readSettings } from '../../access/settings/index.js';
import { listEstimates, readLiability } from '../../judgement/liability/index.js';
import { readDecision, readNeighbours } from '../../record/decisions/index.js';
import { describeLink, type ListedLink, linkList } from '../../record/links/index.js';

/** @throws LedgerError `not_found` */
export const viewDecision = readDecision;

export const viewNeighbours = readNeighbours;

export const viewLiability = readLiability;

/** How the action of a decision ended, as the present settings read it. */
export async function viewOutcome(
  ledger: LedgerReader,
  decision: Decision,
): Promise<DecisionOutcome> {
  const { liability } = await readSettings(ledger);
  return outcomeReader(liability.outcomes)(decision);
}

/** The links of a decision that are not deleted, with the cursors of GET /links. */
export function viewLinks(ledger: LedgerReader, decisionId: string) {
  return linkList(ledger, { decision_id: decisionId, limit: LIMITS.pageMax });
}

export interface LinkPage {
  readonly items: readonly ListedLink[];
  readonly next_cursor: string | null;
}

export function describeDetail(
  decision: Decision,
  about: Pick<DecisionInDetail, 'previous' | 'next' | 'outcome'>,
  liability: Liability | null,
  { items, next_cursor }: LinkPage,
): DecisionInDetail {
  const links = items.map(({ link }) => describeLink(link));
  return { ...decision, ...about, liability, links, links_next_cursor: next_cursor };
}

/**
 * The estimates of a decision by revision, newest first.
 * @throws LedgerError `not_found`
 */
export async function viewEstimates(
  ledger: Ledger,
  decisionId: string,
  slice: Slice<number>,
): Promise<PageRows<Liability>> {
  const { seq } = await readDecision(ledger, decisionId);
  return listEstimates(ledger, seq, slice);
}
