import { isHuman } from './opposite.js';
import { confirmedStrength, shareLeft } from './rules/share-left.js';
import type { LinkRow } from './store/links.js';

/**
 * The share of an event that a new cause takes: the wanted one, or all that links of people leave.
 * @throws LedgerError `conflict` if too little is left
 */
export function openShare(links: readonly LinkRow[], wanted: number | undefined): number {
  return confirmedStrength(shareLeft(links.filter(isHuman)), wanted);
}
