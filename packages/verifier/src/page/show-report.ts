import {
  type BundleSummary,
  type Finding,
  type Report,
  type Verdict,
  type VerdictName,
  verdictsIn,
} from '../report/report.js';
import { selectionText } from '../report/selection-text.js';
import { shown } from './elements.js';

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
