import { PRESENTED_FIELDS } from '@decision-ledger/proof/presentation/format';
import { printable } from '../report/printable.js';
import { isTest } from './check-records.js';
import {
  PRESENTATION_VERDICTS,
  type PresentationReport,
  type PresentationVerdict,
  type PresentationVerdictName,
} from './report.js';

/**
 * A human-readable report on a presentation, ending with a line feed.
 *
 * @example
 * ```ts
 * import { presentationReportText } from '@decision-ledger/verifier/presentation/text';
 * import { verifyPresentation } from '@decision-ledger/verifier/presentation/verify';
 *
 * const report = await verifyPresentation('{}');
 * presentationReportText(report).split('\n')[0]; // => 'No readable presentation.'
 * ```
 */
export function presentationReportText(report: PresentationReport): string {
  const blocks = PRESENTATION_VERDICTS.map((name) => verdictText(name, report.verdicts[name]));
  return [...headLines(report).map(printable), '', ...blocks, ''].join('\n');
}

function headLines({ decision, fields, values, log }: PresentationReport): string[] {
  if (decision === null || fields === null) return ['No readable presentation.'];
  const { decision_id, seq, ledger, agent_id, action_type, timestamp, created_at } = decision;
  return [
    ...(isTest(log) ? ['TEST DATA: this presentation proves nothing about real decisions.'] : []),
    `${decision_id}: decision ${seq} of ledger ${ledger}`,
    `${action_type} by ${agent_id} at ${timestamp}, recorded at ${created_at}`,
    `confidence ${decision.confidence}, human in the loop: ${decision.human_in_loop ? 'yes' : 'no'}`,
    `hash ${decision.hash}`,
    ...(log === null ? [] : [`covered by ${log.origin}, ${log.size} records`]),
    ...PRESENTED_FIELDS.map((field) => {
      const value = values[field];
      return `${field}: ${fields[field]}${value === undefined ? '' : ` ${JSON.stringify(value)}`}`;
    }),
  ];
}

function verdictText(
  name: PresentationVerdictName,
  { verdict, basis, findings, sentence }: PresentationVerdict,
): string {
  const lines = [
    `${name}: ${verdict.toUpperCase()} (basis: ${basis})`,
    `  ${sentence}`,
    ...findings.map(({ code, message }) => `  - ${code}: ${message}`),
  ];
  return lines.map(printable).join('\n');
}
