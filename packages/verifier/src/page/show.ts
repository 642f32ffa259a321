import { PRESENTED_FIELDS } from '@decision-ledger/proof/presentation/format';
import { isTest } from '../presentation/check-records.js';
import {
  PRESENTATION_VERDICTS,
  type PresentationReport,
  type PresentationVerdict,
  type PresentationVerdictName,
} from '../presentation/report.js';
import { printable, selectionText } from '../report/printable.js';
import {
  type BundleSummary,
  type Finding,
  type Report,
  type Verdict,
  type VerdictName,
  verdictsIn,
} from '../report/report.js';

/** Maximum findings shown per verdict. */
const SHOWN = 20;

/** The elements of a report. */
export function showReport(report: Report): HTMLElement[] {
  const { bundle } = report;
  const isTest = bundle?.mode === 'test';
  return [
    ...(isTest
      ? [shown('p', 'TEST DATA: this bundle proves nothing about real decisions.', 'test')]
      : []),
    ...(bundle === null ? [] : [showSummary(bundle)]),
    ...verdictsIn(report).map(([name, verdict]) => showVerdict(name, verdict)),
  ];
}

function showSummary(bundle: BundleSummary): HTMLElement {
  const list = document.createElement('dl');
  const facts = {
    Export: `${bundle.export_id} (${bundle.export_type}, ${bundle.mode})`,
    Organisation: bundle.organisation,
    Ledger: bundle.ledger,
    Range: `from ${bundle.range.start} to before ${bundle.range.end}`,
    ...(bundle.selection !== undefined && { Shows: selectionText(bundle.selection) }),
    'Created at': bundle.created_at,
    'Fingerprint of its key': bundle.key_fingerprint ?? 'unreadable',
  };
  for (const [name, fact] of Object.entries(facts))
    list.append(shown('dt', name), shown('dd', fact));
  return list;
}

function showVerdict(
  name: VerdictName,
  { verdict, basis, findings, omitted, sentence }: Verdict,
): HTMLElement {
  const section = shown('section', '', verdict);
  section.dataset.verdict = name;
  section.dataset.outcome = verdict;
  section.dataset.basis = basis;
  const heading = shown('h2', `${name}: `);
  heading.append(shown('span', verdict, 'outcome'));
  section.append(heading, shown('p', sentence, 'sentence'), shown('p', `Basis: ${basis}`, 'basis'));
  if (findings.length > 0) section.append(showFindings(findings));
  const more = Math.max(0, findings.length - SHOWN) + omitted;
  if (more > 0) section.append(shown('p', `and ${more} more`));
  return section;
}

function showFindings(findings: readonly Finding[]): HTMLElement {
  const list = document.createElement('ul');
  for (const { code, file, seq, id, message } of findings.slice(0, SHOWN)) {
    const place = [file, seq === undefined ? undefined : `seq ${seq}`, id];
    const where = place.filter((part) => part !== undefined).join(' ');
    const item = shown('li', `${code}${where === '' ? '' : ` (${where})`}: ${message}`);
    item.dataset.code = code;
    list.append(item);
  }
  return list;
}

/** The elements of a report on a presentation; printed, they are a page for the file of a case. */
export function showPresentation(report: PresentationReport): HTMLElement[] {
  const { log, verdicts } = report;
  return [
    ...(isTest(log)
      ? [shown('p', 'TEST DATA: this presentation proves nothing about real decisions.', 'test')]
      : []),
    ...showDecision(report),
    ...PRESENTATION_VERDICTS.map((name) => showPresentationVerdict(name, verdicts[name])),
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

function showPresentationVerdict(
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

/** @throws TypeError if verify.html has no such element */
export function element<T extends HTMLElement>(id: string, kind: new () => T): T {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new TypeError(`The page has no ${id}.`);
  return found;
}

/** A new element with a text that is not parsed as markup. */
export function shown(tag: string, text: string, className = ''): HTMLElement {
  const made = document.createElement(tag);
  made.textContent = printable(text);
  if (className !== '') made.className = className;
  return made;
}
