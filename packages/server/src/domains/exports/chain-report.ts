import { formatTimestamp } from '@decision-ledger/contract/time';
import { describeBrokenLink } from '../../platform/chain/broken-link.js';
import type { ChainName } from '../../platform/chain/head.js';
import type { Verification, VerifyRequest } from '../../platform/chain/verify.js';
import type { Queryable } from '../../platform/database.js';
import type { Scope } from '../../platform/scope.js';
import type { Pins } from './pins.js';
import type { ChainVerification } from './rules/completeness.js';
import type { Run } from './rules/manifest.js';
import { selectChainEnds } from './store/select-chain-ends.js';

/** Walks a chain somewhere off the loop of this process. */
export type VerifyChain = (
  scope: Scope,
  chain: ChainName,
  request: VerifyRequest,
) => Promise<Verification>;

/** Both chains, as they were found when the export was made. */
export interface ChainReport {
  readonly decisions: Run;
  readonly activity: Run;
  readonly erasedFields: number;
  /** What chain_verification.json says. */
  readonly document: ChainVerification;
}

/** Verifies the run of an export, and the chain of activity up to where it was copied. */
export async function verifyRun(
  verify: VerifyChain,
  db: Queryable,
  scope: Scope,
  pins: Pins,
  activity: { readonly seq: number; readonly now: number },
): Promise<ChainReport> {
  const { start, end, firstSeq, lastSeq } = pins;
  const decisions = await runOf(db, scope, 'decisions', firstSeq, lastSeq);
  const changes = await runOf(db, scope, 'activity', 1, activity.seq);
  const anchor = null;
  const range = { start, end };
  const all = { start: undefined, end: undefined };
  const ofRun = await verify(scope, 'decisions', { range, anchor, lastSeq });
  const ofChanges = await verify(scope, 'activity', { range: all, anchor, lastSeq: activity.seq });
  const report = {
    ...describe(ofRun, decisions, 'decisions'),
    is_valid: ofRun.finding === null && ofChanges.finding === null,
    erased_fields: ofRun.erasedFields,
    verification_timestamp: formatTimestamp(activity.now),
    activity: describe(ofChanges, changes, 'activity'),
  };
  return { decisions, activity: changes, erasedFields: ofRun.erasedFields, document: report };
}

function describe(
  { finding, recordsChecked }: Verification,
  { first, last }: Run,
  chain: ChainName,
) {
  return {
    is_valid: finding === null,
    records_checked: recordsChecked,
    first_broken_link: describeBrokenLink(finding, chain),
    start: first,
    end: last === null ? null : { seq: last.seq, hash: last.hash },
  };
}

async function runOf(
  db: Queryable,
  scope: Scope,
  chain: ChainName,
  first: number,
  last: number,
): Promise<Run> {
  const ends = last < first ? [] : await selectChainEnds(db, scope, chain, [first, last]);
  return { first: ends.at(0) ?? null, last: ends.at(-1) ?? null };
}
