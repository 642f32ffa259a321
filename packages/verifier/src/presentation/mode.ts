import { readOrigin } from '@decision-ledger/proof/tlog/origin';
import type { PresentationReport } from './report.js';

/** Whether a presentation is of test data: the origin of its log says so. */
export function isTest(log: PresentationReport['log']): boolean {
  return log !== null && readOrigin(log.origin)?.mode === 'test';
}
