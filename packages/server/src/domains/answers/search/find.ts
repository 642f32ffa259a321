import type { SearchHit } from '@decision-ledger/contract/search';
import { filterTexts } from '@decision-ledger/proof/bundle/selection';
import { idToUuid, uuidToId } from '../../../platform/ids.js';
import type { LedgerReader } from '../../../platform/ledger.js';
import type { PageRows, Place, Slice } from '../../../platform/page.js';
import { identifierToken } from '../../judgement/attribution/index.js';
import { metadataTerm } from '../../record/decisions/index.js';
import { amountsIn, describeHit, type SearchCandidate, searchMatches } from './rules/hit.js';
import { type Sought, selectMetadataKeys, selectSearchCandidates } from './store/candidates.js';

/** A record that was looked at; null if it does not match. */
export interface Examined {
  readonly hit: SearchHit | null;
  readonly place: Place;
}

/** Records that one page looks at. */
const EXAMINED = 200;

/**
 * Finds decisions and financial events by their id, external id or a value of their metadata, and events by their
 * amount or the words of their texts, newest first. A page looks at a bounded number of records, so it can have fewer matches than the limit, or
 * none, although others follow.
 */
export async function findRecords(
  ledger: LedgerReader,
  text: string,
  { after, limit }: Slice<Place>,
): Promise<PageRows<Examined>> {
  const sought = await seek(ledger, text);
  const next = { after, limit: EXAMINED + 1 };
  const candidates = await selectSearchCandidates(ledger, sought, next);
  const rows: Examined[] = [];
  let matches = 0;
  for (const candidate of candidates.slice(0, EXAMINED)) {
    const examined = examine(candidate, sought);
    rows.push(examined);
    if (examined.hit !== null) matches += 1;
    if (matches === limit) break;
  }
  return { rows, hasMore: rows.length < candidates.length };
}

async function seek(ledger: LedgerReader, text: string): Promise<Sought> {
  const values = filterTexts(text);
  const keys = await selectMetadataKeys(ledger);
  return {
    text,
    uuid: idToUuid('dec', text) ?? idToUuid('evt', text),
    values,
    terms: keys.flatMap((key) => values.map((value) => metadataTerm(ledger.ledgerId, key, value))),
    token: identifierToken(ledger.ledgerId, text),
    amounts: amountsIn(text),
  };
}

function examine(candidate: SearchCandidate, sought: Sought): Examined {
  const matched = searchMatches(candidate, sought);
  const { kind, id, timestamp } = candidate;
  const publicId = uuidToId(kind === 'decision' ? 'dec' : 'evt', id);
  const hit = matched.length === 0 ? null : describeHit(candidate, publicId, matched);
  return { hit, place: { at: timestamp, id } };
}
