import { MAX_PRESENTATION } from '@decision-ledger/proof/presentation/format';

/** Bytes that are read of a file: of one that is too large, enough for the check to refuse it. */
export const READ_BYTES = 3 * MAX_PRESENTATION + 1;

/** Whether a file is a presentation, by its name. All other files are bundles. */
export function isPresentation(name: string): boolean {
  return name.toLowerCase().endsWith('.json');
}
