import { formatTimestamp } from '@decision-ledger/contract/time';
import type { ChainRun } from '@decision-ledger/proof/bundle/manifest';
import type { ChainResult, ChainStatement } from '@decision-ledger/proof/bundle/statement';
import type { ChainName } from '../../../platform/chain/head.js';
import { describeBrokenLink, type Verification } from '../../../platform/chain/verify.js';
import { findingText } from '../reconciliation/index.js';
import type { ExportRun } from './export-run.js';
import { type ActivityEnd, selectChainEnds } from './store/chains.js';

/** Verifies the run of decisions, and the chain of activity up to its end in the bundle. */
export async function verifyExportChains(
  run: ExportRun,
  { seq: activitySeq, now }: ActivityEnd,
): Promise<ChainStatement> {
  const { ledger, snapshot, verify } = run;
  const { firstSeq, lastSeq } = snapshot;
  const decisions = await endsOf(run, 'decisions', firstSeq, lastSeq);
  const activity = await endsOf(run, 'activity', 1, activitySeq);
  const anchor = null;
  const all = { start: undefined, end: undefined };
  const bounds = { first: firstSeq, last: lastSeq };
  const ofRun = await verify(ledger.scope, 'decisions', { range: all, anchor, run: bounds });
  const ofActivity = await verify(ledger.scope, 'activity', {
    range: all,
    anchor,
    lastSeq: activitySeq,
  });
  return {
    ...resultOf(ofRun, decisions, 'decisions'),
    is_valid: ofRun.finding === null && ofActivity.finding === null,
    erased_fields: ofRun.erasedFields,
    verification_timestamp: formatTimestamp(now),
    activity: resultOf(ofActivity, activity, 'activity'),
  };
}

function resultOf(
  { finding, recordsChecked }: Verification,
  { first, last }: ChainRun,
  chain: ChainName,
): ChainResult {
  return {
    is_valid: finding === null,
    records_checked: recordsChecked,
    first_broken_link: describeBrokenLink(finding, chain),
    start: first,
    end: last === null ? null : { seq: last.seq, hash: last.hash },
  };
}

async function endsOf(
  { ledger }: ExportRun,
  chain: ChainName,
  first: number,
  last: number,
): Promise<ChainRun> {
  const ends = last < first ? [] : await selectChainEnds(ledger, chain, [first, last]);
  return { first: ends.at(0) ?? null, last: ends.at(-1) ?? null };
}

/** The tables differ from the activity chain; the message names the first difference and the remedy. */
export class ReconciliationError extends Error {
  override readonly name = 'ReconciliationError';
}

/**
 * Refuses to sign what the activity chain does not bear out. A bundle of a broken chain says so itself.
 * @throws ReconciliationError
 */
export async function requireReconciled({ ledger, reconcile }: ExportRun): Promise<void> {
  const { findings, findings_count } = await reconcile(ledger.scope);
  const [first] = findings;
  if (first === undefined) return;
  const more = findings_count > 1 ? `, and ${findings_count - 1} more` : '';
  throw differsFromChain(findingText(first) + more);
}

/** @param difference between the tables and the activity chain */
export function differsFromChain(difference: string): ReconciliationError {
  return new ReconciliationError(
    `the tables differ from the activity chain (${difference}): run \`decision-ledger verify\`, restore ` +
      'the tables from a backup, and request the export again',
  );
}
