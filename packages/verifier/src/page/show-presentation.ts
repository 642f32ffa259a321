import { PRESENTED_FIELDS } from '@decision-ledger/proof/presentation/format';
import { isTest } from '../presentation/mode.js';
import {
  PRESENTATION_VERDICTS,
  type PresentationReport,
  type PresentationVerdict,
  type PresentationVerdictName,
} from '../presentation/report.js';
import { shown } from './elements.js';

/** The elements of a report on a presentation; printed, they are a page for the file of a case. */
export function showPresentation(report: PresentationReport): HTMLElement[] {
  const { log, verdicts } = report;
  return [
    ...(isTest(log)
      ? [shown('p', 'TEST DATA: this presentation proves nothing about real decisions.', 'test')]
      : []),
    ...showDecision(report),
    ...PRESENTATION_VERDICTS.map((name) => showVerdict(name, verdicts[name])),
  ];
}

function showDecision({ decision, fields, values, log }: PresentationReport): HTMLElement[] {
  if (decision === null || fields === null) return [];
  const facts: [string, string][] = [
    ['Decision', `${decision.decision_id}, number ${decision.seq} of ledger ${decision.ledger}`],
    ['Agent', decision.agent_id],
    ['Type of action', decision.action_type],
    ['Confidence', String(decision.confidence)],
    ['Human in the loop', decision.human_in_loop ? 'yes' : 'no'],
    ['Made at', decision.timestamp],
    ['Recorded at', decision.created_at],
    ['Hash', decision.hash],
    ['Log', log === null ? 'unreadable' : `${log.origin}, ${log.size} records`],
    ...PRESENTED_FIELDS.map((field): [string, string] => {
      const value = values[field];
      return [field, value === undefined ? fields[field] : JSON.stringify(value, null, 2)];
    }),
  ];
  const list = document.createElement('dl');
  for (const [name, fact] of facts) list.append(shown('dt', name), shown('dd', fact));
  return [list];
}

function showVerdict(
  name: PresentationVerdictName,
  { verdict, basis, findings, sentence }: PresentationVerdict,
): HTMLElement {
  const section = shown('section', '', verdict);
  section.dataset.verdict = name;
  section.dataset.outcome = verdict;
  const heading = shown('h2', `${name}: `);
  heading.append(shown('span', verdict, 'outcome'), ` (basis: ${basis})`);
  section.append(heading, shown('p', sentence, 'sentence'));
  const list = document.createElement('ul');
  for (const { code, message } of findings) {
    const item = shown('li', `${code}: ${message}`);
    item.dataset.code = code;
    list.append(item);
  }
  if (findings.length > 0) section.append(list);
  return section;
}
