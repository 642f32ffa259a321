import {
  MAX_PRESENTATION,
  type Presentation,
  type PresentedLog,
} from '@decision-ledger/proof/presentation/format';
import { TlogError } from '@decision-ledger/proof/tlog/error';
import { type LogOrigin, readOrigin } from '@decision-ledger/proof/tlog/origin';
import { parseVerifierKey, verifierKeyText } from '@decision-ledger/proof/tlog/verifier-key';
import type { Outcome } from '../report/report.js';
import type { PresentationFinding } from './report.js';

export interface KeyCheck {
  readonly outcome: Outcome;
  readonly findings: readonly PresentationFinding[];
}

type Chain = LogOrigin['chain'];

/** What is wrong with a given verifier key; null if nothing is. */
export function logKeyProblem(text: string): string | null {
  try {
    parseVerifierKey(text.trim());
    return null;
  } catch (error) {
    if (!(error instanceof TlogError)) throw error;
    return error.message;
  }
}

/**
 * Compares the keys of the logs with those that were obtained independently.
 * @param given well-formed verifier keys
 */
export function checkKeys(presentation: Presentation | null, given: readonly string[]): KeyCheck {
  const keys = given.map((text) => verifierKeyText(parseVerifierKey(text.trim())));
  const logs: [Chain, PresentedLog | null][] = [
    ['decisions', presentation],
    ['activity', presentation?.erasures ?? null],
  ];
  const findings = logs.flatMap(([chain, log]) => (log === null ? [] : compare(chain, log, keys)));
  if (findings.some(({ code }) => code === 'key_other')) return { outcome: 'fail', findings };
  const isProven = presentation !== null && findings.length === 0;
  return { outcome: isProven ? 'pass' : 'unproven', findings };
}

/** A given key of the same chain has to be the one of the log. */
function compare(
  chain: Chain,
  { verifier_key }: PresentedLog,
  keys: readonly string[],
): PresentationFinding[] {
  const ofChain = keys.filter((key) => readOrigin(nameOf(key))?.chain === chain);
  if (ofChain.includes(verifier_key)) return [];
  if (ofChain.length > 0) {
    const message = `The log of the ${chain} has the key ${verifier_key}, which is not the given one.`;
    return [{ code: 'key_other', message }];
  }
  const message = `The log of the ${chain} has the key ${verifier_key}; compare it with the one that you know.`;
  return [{ code: 'key_unpinned', message }];
}

function nameOf(key: string): string {
  return parseVerifierKey(key).name;
}

/** Bytes that are read of a file: of one that is too large, enough for the check to refuse it. */
export const READ_BYTES = 3 * MAX_PRESENTATION + 1;

/** Whether a file is a presentation, by its name. All other files are bundles. */
export function isPresentation(name: string): boolean {
  return name.toLowerCase().endsWith('.json');
}
