import type { ChainRun, RecordsManifest } from '@decision-ledger/proof/bundle/manifest';
import { readJson } from '@decision-ledger/proof/bundle/shape';
import { type ParsedResult, parseStatement } from '@decision-ledger/proof/bundle/statement';
import { reason } from '../archive/open.js';
import type { Findings } from '../report/findings.js';
import type { Files } from './files.js';
import { isSamePoint, isSameStart } from './points.js';

const STATEMENT = 'chain_verification.json';

/** Checks that the service found both chains valid, for the runs in the manifest. */
export async function checkStatement(
  files: Files,
  manifest: RecordsManifest,
  findings: Findings,
): Promise<void> {
  const text = await files.text(STATEMENT);
  if (text === null) return;
  try {
    const { decisions, activity } = parseStatement(readJson(text));
    const differences = [
      ...differencesOf('the decisions', decisions, manifest.decisions),
      ...differencesOf('the activity', activity, manifest.activity),
    ];
    for (const difference of differences) {
      const message = `${STATEMENT} ${difference}.`;
      findings.fail('integrity', { code: 'statement_differs', file: STATEMENT, message });
    }
  } catch (error) {
    const message = `${STATEMENT} does not have the required form: ${reason(error)}.`;
    findings.fail('integrity', { code: 'statement_shape', file: STATEMENT, message });
  }
}

function* differencesOf(
  what: string,
  { is_valid, hasBrokenLink, start, end, records_checked }: ParsedResult,
  { first, last }: ChainRun,
): Generator<string> {
  if (!is_valid || hasBrokenLink) {
    yield `says that the chain of ${what} was broken when the bundle was created`;
  }
  if (!isSameStart(start, first) || !isSamePoint(end, last)) {
    yield `names other ends of ${what} than the manifest`;
  }
  const records = start === null || end === null ? 0 : end.seq - start.seq + 1;
  if (records_checked !== records) {
    yield `does not count ${records} records of ${what}`;
  }
}
