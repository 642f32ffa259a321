import type { ExportType } from '@decision-ledger/proof/bundle/format';
import type { Inspection } from '../checks/inspect.js';
import type { Findings } from './findings.js';
import type { Outcome, VerdictName } from './report.js';

const TEST_DATA = 'TEST DATA: ';

type Sentence = (outcome: Outcome, bundle: Inspection | null, hasPrevious: boolean) => string;

/** What passing integrity means for each type of bundle. */
const INTACT: { readonly [Type in ExportType]: (bundle: Inspection) => string } = {
  forensic: (bundle) =>
    `Every file is as it was signed, and every decision, event and link is what the two chains say. Estimates of liability are no part of the chains and are not checked.${outdated(bundle)}${unproven(bundle)}`,
  compliance: (bundle) =>
    `Every file is as it was signed, and every record of article12.json is what its hash says. That absent values were erased is the word of whoever signed, and so is all of article12.csv and completeness.json. ${origin(bundle)}`,
  insurance: () =>
    'Every file is as it was signed. What is in the files, and whether they are of live or of test data, is the word of whoever signed them.',
};

const SENTENCES: { readonly [name in VerdictName]: Sentence } = {
  integrity: (outcome, bundle) => {
    return outcome === 'fail' || bundle === null
      ? 'The bundle is not what was signed, or does not fit together.'
      : INTACT[bundle.manifest.export_type](bundle);
  },
  completeness: (outcome, bundle, hasPrevious) => {
    const joined = hasPrevious ? ', and goes on from the earlier bundle' : '';
    if (outcome === 'fail') return 'Something is missing, or is there that should not be.';
    if (outcome === 'unproven') return 'It is not proven that nothing is missing.';
    return `Nothing is missing between the ends of the run${joined}. What came after its end is never proven by a bundle.${withheld(bundle)}`;
  },
  authenticity: (outcome, bundle) => {
    const key = bundle?.signer.key?.fingerprint;
    if (outcome === 'pass')
      return `The manifest of the bundle is signed by the key that was given, ${key}.`;
    if (outcome === 'fail') return 'The bundle is not signed by the key that it should be.';
    return key === undefined
      ? 'It is not known who signed the bundle.'
      : `The manifest of the bundle is signed by the key ${key}; compare it with what the organisation published.`;
  },
  time: (outcome) => {
    const clock = "Times are those of the ledger's own clock; no third party attested them.";
    if (outcome === 'fail') return `The times contradict each other. ${clock}`;
    if (outcome === 'unproven') return `Nothing is said about times. ${clock}`;
    return `The times are in themselves consistent. ${clock}`;
  },
};

/** What a verdict means, in plain English. It says first that data are test data. */
export function sentenceOf(
  name: VerdictName,
  outcome: Outcome,
  bundle: Inspection | null,
  hasPrevious: boolean,
): string {
  const isTest = bundle?.manifest.mode === 'test';
  return (isTest ? TEST_DATA : '') + SENTENCES[name](outcome, bundle, hasPrevious);
}

/** No verdict on files that are not as signed can pass. */
export function outcomeOf(
  name: VerdictName,
  findings: Findings,
  bundle: Inspection | null,
): Outcome {
  const { outcome } = findings.of(name);
  if (outcome !== 'pass' || name === 'integrity' || name === 'authenticity') return outcome;
  return hasSignedFiles(findings, bundle) ? outcome : 'unproven';
}

/** Whether the integrity has no other fault than that the archive was packed again. */
export function hasSignedFiles(findings: Findings, bundle: Inspection | null): boolean {
  const { findings: broken, outcome } = findings.of('integrity');
  const isRepacked = broken.every(({ code }) => code === 'archive_rewritten');
  return outcome !== 'fail' || (bundle?.isAsSigned === true && isRepacked);
}

/** What proves the organisation and the mode of records without a chain of activity. */
function origin({ isModeProven, manifest }: Inspection): string {
  return isModeProven
    ? `The genesis of the chain, which the first record goes on from, says that they are ${manifest.mode} data of this organisation.`
    : 'The first decision of the chain is not in the bundle: of which organisation the records are, and whether they are live or test data, is the word of whoever signed.';
}

function withheld(bundle: Inspection | null): string {
  const count = bundle?.activity?.withheld ?? 0;
  return count === 0
    ? ''
    : ` The data of ${count} ${count === 1 ? 'change' : 'changes'} of events or links are withheld, as belonging to other ranges: that they do is the word of whoever signed.`;
}

function outdated(bundle: Inspection): string {
  const count = bundle.activity?.outdated ?? 0;
  if (count === 0) return '';
  const are =
    count === 1
      ? '1 event or link is shown as it was'
      : `${count} events or links are shown as they were`;
  return ` ${are} before a later change in the chain: that the change came while the bundle was made is the word of whoever signed.`;
}

function unproven(bundle: Inspection): string {
  const count = bundle.activity?.unproven ?? 0;
  if (count === 0) return '';
  const links = count === 1 ? '1 link was' : `${count} links were`;
  return ` ${links} carried over from events of other ranges: who made and reviewed such a link, its notes and its score are the word of whoever signed.`;
}
