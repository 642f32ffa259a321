import { BUNDLES, type ExportType } from '@decision-ledger/proof/bundle/format';
import type { Selection } from '@decision-ledger/proof/bundle/selection';
import { lossText } from '../checks/accepted-loss.js';
import type { Inspection } from '../checks/inspect.js';
import type { FindingCode } from './codes.js';
import type { Findings } from './findings.js';
import type { Basis, Outcome, VerdictName } from './report.js';

const TEST_DATA = 'TEST DATA: ';

type Sentence = (state: State, bundle: Inspection | null, hasPrevious: boolean) => string;

/** `consistent`: unproven, but only for what no bundle proves alone. */
type State = Outcome | 'consistent';

/** Doubts that a bundle without any fault leaves. */
const LIMITS: ReadonlySet<string> = new Set([
  'edges_unproven',
  'lateness_unbounded',
  'data_withheld',
  'log_unwitnessed',
  'checkpoint_uncovered',
  'activity_hidden',
  'inheritance_unproven',
  'selection_stated',
  'time_unattested',
] satisfies FindingCode[]);

/** The meaning of intact for each type of bundle. */
const INTACT: { readonly [Type in ExportType]: (bundle: Inspection) => string } = {
  forensic: (bundle) =>
    `Every file is as it was signed, and every decision, event and link matches the two chains. Liability estimates are not part of the chains and are not checked.${outdated(bundle)}${unproven(bundle)}`,
  compliance: () =>
    'Every file is as it was signed, every record of article12.json matches its entry in the chain, and every absent value has a record of its erasure. Only the signer attests the contents of article12.csv and completeness.json.',
  statement: () =>
    'Every file is as it was signed, each figure is the sum of its rows, and every row matches the two chains. Only the signer attests exchange rates, the estimates of single decisions, the percentiles of the exposure and the interval of the expected net.',
  insurance: ({ log }) =>
    `Every file is as it was signed, and the logs of the ledger record the keys that signed it. The sums were made when the log of decisions had ${log.size} records; only the signer attests them.`,
};

const SENTENCES: { readonly [name in VerdictName]: Sentence } = {
  integrity: (outcome, bundle) => {
    return outcome === 'fail' || bundle === null
      ? 'The bundle is not what was signed, or contradicts itself.'
      : INTACT[bundle.manifest.export_type](bundle);
  },
  completeness: (outcome, bundle, hasPrevious) => {
    const joined = hasPrevious ? ', and it continues the earlier bundle' : '';
    if (outcome === 'fail')
      return 'Something is missing, or something is there that should not be.';
    const losses = bundle?.activity?.losses.map(lossText).join('') ?? '';
    if (outcome === 'unproven' || bundle === null)
      return `It is not proven that nothing is missing.${losses}`;
    const rest = `A bundle never proves what came after its end.${withheld(bundle)}${losses}`;
    return `Nothing is missing between the ends of the run${joined}. ${coverage(bundle)} ${rest}`;
  },
  selection: (outcome, bundle) => selected(outcome, bundle?.manifest.selection ?? null, bundle),
  authenticity: (outcome, bundle) => {
    const key = bundle?.signer.key?.fingerprint;
    if (outcome === 'pass') return `The manifest of the bundle is signed by the given key, ${key}.`;
    if (outcome === 'fail') return 'The bundle is not signed by the expected key.';
    return key === undefined
      ? 'It is not known who signed the bundle.'
      : `The manifest of the bundle is signed by the key ${key}; compare it with the fingerprint that the organisation published.`;
  },
  time: (outcome) => {
    const clock = "Times are those of the ledger's own clock; no third party attested them.";
    if (outcome === 'fail') return `The times contradict each other. ${clock}`;
    if (outcome === 'unproven') return `The bundle proves nothing about times. ${clock}`;
    return `The order of the times does not contradict itself. ${clock}`;
  },
};

/** The meaning of a verdict in plain English, preceded by a note about test data. */
export function sentenceOf(
  name: VerdictName,
  findings: Findings,
  bundle: Inspection | null,
  hasPrevious: boolean,
): string {
  const isTest = bundle?.manifest.mode === 'test';
  const state = stateOf(name, findings, bundle);
  return (isTest ? TEST_DATA : '') + SENTENCES[name](state, bundle, hasPrevious);
}

function stateOf(name: VerdictName, findings: Findings, bundle: Inspection | null): State {
  const outcome = outcomeOf(name, findings, bundle);
  const { findings: doubts } = findings.of(name);
  const isConsistent =
    outcome === 'unproven' && doubts.length > 0 && doubts.every(({ code }) => LIMITS.has(code));
  return isConsistent ? 'consistent' : outcome;
}

/** What a verdict rests on, besides the bundle itself. */
export function basisOf(
  name: VerdictName,
  findings: Findings,
  bundle: Inspection | null,
  isPinned: boolean,
): Basis {
  if (name === 'completeness' && bundle?.log.isWitnessed === true) return 'witnessed';
  return isPinned && findings.of('authenticity').outcome === 'pass' ? 'key' : 'self';
}

/** If files are not as signed, no verdict can pass. */
export function outcomeOf(
  name: VerdictName,
  findings: Findings,
  bundle: Inspection | null,
): Outcome {
  const { outcome } = findings.of(name);
  if (outcome !== 'pass' || name === 'integrity' || name === 'authenticity') return outcome;
  return hasSignedFiles(findings, bundle) ? outcome : 'unproven';
}

/** Whether the only fault of the integrity is that the archive was repacked. */
export function hasSignedFiles(findings: Findings, bundle: Inspection | null): boolean {
  const { findings: broken, outcome } = findings.of('integrity');
  const isRepacked = broken.every(({ code }) => code === 'archive_rewritten');
  return outcome !== 'fail' || (bundle?.isAsSigned === true && isRepacked);
}

/** What a filter chose, and who says so. */
function selected(state: State, selection: Selection | null, bundle: Inspection | null): string {
  if (state === 'fail' || selection === null) {
    return 'The bundle does not show what its filter chooses, or shows something else.';
  }
  const { withheld, in_range, erased } = selection;
  const count = bundle?.manifest.decisions?.count ?? 0;
  const shown = `${count} decisions are disclosed, and each matches the filter.`;
  if (state === 'unproven') return `It is not known what the filter chose.`;
  if (state === 'pass') return `${shown} Nothing is withheld.`;
  const unknown =
    erased === 0
      ? ''
      : ` The metadata of ${erased} of these were erased, so nobody can say whether they match.`;
  return `${shown} ${in_range - count} of ${in_range} decisions of the range are withheld; that they do not match the filter is the operator's statement. ${withheld} hashes stand in the run for them and for decisions outside of the range; whether one is of the range is the operator's statement, too.${unknown} Events and links that are not of the disclosed decisions are withheld as well.`;
}

/** What proves that the run holds the whole range. */
function coverage({ log, manifest }: Inspection): string {
  const by = log.until ?? log.signedAt ?? 'then';
  const what = whatOf(manifest.range.basis === 'decided', manifest.selection);
  return log.isWitnessed
    ? `A checkpoint that you kept fixes the run: it holds ${what} by ${by}, as far as it shows both ends.`
    : `The log of decisions, which has ${log.size} records, fixes the run, and only its own key attests that everybody saw this log.`;
}

function whatOf(isDecided: boolean, selection: Selection | null): string {
  if (selection !== null) return 'each decision of the range, shown or as a hash, as recorded';
  return isDecided
    ? 'each decision dated in the range, as recorded'
    : 'what was recorded in the range';
}

function withheld(bundle: Inspection | null): string {
  if (coversOf(bundle) === 'decisions') return '';
  const { withheld: count = 0, outside = 0 } = bundle?.activity ?? {};
  const proven =
    outside === 0
      ? ''
      : ` The data of ${changes(outside)} are withheld; their times prove that they are of other ranges.`;
  return count === 0
    ? proven
    : `${proven} The data of ${changes(count)} are withheld because they belong to other ${others(bundle)}, which only the signer attests.`;
}

const changes = (count: number) =>
  `${count} ${count === 1 ? 'change' : 'changes'} of events or links`;

/** Where the records are that a bundle does not show. */
function others(bundle: Inspection | null): string {
  return coversOf(bundle) === 'agent' ? 'ranges or agents' : 'ranges';
}

function coversOf(bundle: Inspection | null) {
  return bundle && BUNDLES[bundle.manifest.export_type].covers;
}

function outdated(bundle: Inspection): string {
  const count = bundle.activity?.outdated ?? 0;
  if (count === 0) return '';
  const are =
    count === 1
      ? '1 event or link is shown as it was'
      : `${count} events or links are shown as they were`;
  return ` ${are} before a later change in the chain. Only the signer attests that the change was made during the export.`;
}

function unproven(bundle: Inspection): string {
  const count = bundle.activity?.unproven ?? 0;
  if (count === 0) return '';
  const links = count === 1 ? '1 link was' : `${count} links were`;
  return ` ${links} carried over from events of other ranges: only the signer attests who created and reviewed such a link, its notes and its score.`;
}
