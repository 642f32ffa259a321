import { ShapeError } from '@decision-ledger/proof/bundle/shape';
import {
  DECISION_TYPE,
  type DecisionEntry,
  EntryError,
  readEntry,
} from '@decision-ledger/proof/entry';
import { GateError } from '@decision-ledger/proof/gate';
import { leafHash } from '@decision-ledger/proof/hash';
import {
  PRESENTED_FIELDS,
  type Presentation,
  type PresentedField,
  readPresentation,
} from '@decision-ledger/proof/presentation/format';
import { encodeBase64 } from '@decision-ledger/proof/tlog/base64';
import type { Checkpoint } from '@decision-ledger/proof/tlog/checkpoint';
import type { Outcome } from '../report/report.js';
import { checkErasures, checkLeaf, checkValues, type Fail, openLog } from './check-records.js';
import { checkKeys, type KeyCheck, logKeyProblem } from './given.js';
import type {
  FieldState,
  PresentationFinding,
  PresentationReport,
  PresentationVerdict,
  PresentedDecision,
} from './report.js';

export interface PresentationOptions {
  /** Verifier keys of the logs (C2SP signed-note), obtained independently of the presentation. */
  readonly logKeys?: readonly string[];
}

/** What is known of a presentation without its keys. */
interface Contents {
  readonly decision: PresentedDecision | null;
  readonly fields: PresentationReport['fields'];
  readonly values: PresentationReport['values'];
  readonly tree: Checkpoint | null;
}

const NOTHING: Contents = { decision: null, fields: null, values: {}, tree: null };

/**
 * Checks a presentation: one decision, and the proof that it is in the log. Faults become findings.
 *
 * @param text of the `.dlp.json` file
 * @throws TypeError for a malformed key of the options
 * @example
 * ```ts
 * import { verifyPresentation } from '@decision-ledger/verifier/presentation/verify';
 *
 * async function isOf(text: string, logKeys: string[]) {
 *   const { verdicts } = await verifyPresentation(text, { logKeys });
 *   return verdicts.integrity.verdict === 'pass' && verdicts.authenticity.verdict === 'pass';
 * }
 * ```
 */
export async function verifyPresentation(
  text: string,
  { logKeys = [] }: PresentationOptions = {},
): Promise<PresentationReport> {
  requireKeys(logKeys);
  const findings: PresentationFinding[] = [];
  const fail: Fail = (code, message) => findings.push({ code, message });
  const presentation = read(text, fail);
  const { decision, fields, values, tree } =
    presentation === null ? NOTHING : await inspect(presentation, fail);
  const isIntact = findings.length === 0;
  return {
    format: 'decision-ledger/presentation-report/v1',
    decision,
    fields,
    values,
    log: tree && { origin: tree.origin, size: tree.size, root: encodeBase64(tree.root) },
    verdicts: {
      integrity: integrityOf(findings, decision),
      authenticity: authenticityOf(checkKeys(presentation, logKeys), isIntact),
      time: timeOf(decision),
    },
  };
}

function requireKeys(logKeys: readonly string[]): void {
  for (const key of logKeys) {
    const problem = logKeyProblem(key);
    if (problem !== null) throw new TypeError(`logKeys: ${problem}`);
  }
}

function read(text: string, fail: Fail): Presentation | null {
  try {
    return readPresentation(text);
  } catch (error) {
    if (!(error instanceof ShapeError || error instanceof GateError)) throw error;
    fail('file_shape', `This is not a presentation: ${error.message}`);
    return null;
  }
}

async function inspect(presentation: Presentation, fail: Fail): Promise<Contents> {
  const entry = readDecision(presentation, fail);
  if (entry === null) return NOTHING;
  const tree = await openLog(presentation, 'decisions', entry.ledger, fail);
  checkLeaf(presentation, entry, tree, fail);
  const values = checkValues(presentation, entry, fail);
  const erased = await checkErasures(presentation, entry, fail);
  const decision = { ...entry, hash: leafHash(presentation.entry) };
  return { decision, fields: statesOf(entry, values, erased), values, tree };
}

function readDecision({ entry }: Presentation, fail: Fail): DecisionEntry | null {
  try {
    const { _type, ...decision } = readEntry(entry);
    if (_type === DECISION_TYPE && 'decision_id' in decision) return decision;
    fail('entry_shape', 'The entry is not one of a decision.');
  } catch (error) {
    if (!(error instanceof EntryError)) throw error;
    fail('entry_shape', error.message);
  }
  return null;
}

function statesOf(
  { commitments }: DecisionEntry,
  values: PresentationReport['values'],
  erased: ReadonlySet<PresentedField>,
): { [field in PresentedField]: FieldState } {
  const stateOf = (field: PresentedField): FieldState => {
    if (commitments[field] === undefined) return 'absent';
    if (values[field] !== undefined) return 'disclosed';
    return erased.has(field) ? 'erased' : 'withheld';
  };
  const [inputs, outputs, alternatives, metadata] = PRESENTED_FIELDS;
  return {
    inputs: stateOf(inputs),
    outputs: stateOf(outputs),
    alternatives: stateOf(alternatives),
    metadata: stateOf(metadata),
  };
}

function integrityOf(
  findings: readonly PresentationFinding[],
  decision: PresentedDecision | null,
): PresentationVerdict {
  const verdict = findings.length === 0 && decision !== null ? 'pass' : 'fail';
  return { verdict, basis: 'self', findings, sentence: INTEGRITY[verdict] };
}

/** The key of a log says nothing about a presentation that contradicts itself. */
function authenticityOf({ outcome, findings }: KeyCheck, isIntact: boolean): PresentationVerdict {
  const verdict = outcome === 'pass' && !isIntact ? 'unproven' : outcome;
  const basis = verdict === 'unproven' ? 'self' : 'key';
  return { verdict, basis, findings, sentence: AUTHENTICITY[verdict] };
}

function timeOf(decision: PresentedDecision | null): PresentationVerdict {
  const at = decision === null ? '' : ` It says ${decision.created_at}.`;
  const message = `No third party attests when the decision was recorded.${at}`;
  const finding = { code: 'time_unattested', message } as const;
  return { verdict: 'unproven', basis: 'self', findings: [finding], sentence: TIME };
}

/** The meaning of each outcome, in plain English. */
type Sentences = { readonly [outcome in Outcome]: string };

const INTEGRITY: Sentences = {
  pass: 'The disclosed values are those that the decision was recorded with, and the log covers it.',
  fail: 'The presentation contradicts itself: do not rely on it.',
  unproven: 'Nothing is proven.',
};

const AUTHENTICITY: Sentences = {
  pass: 'The log is that of the given key.',
  fail: 'The log is signed with another key than the given one.',
  unproven:
    'It is not proven whose log this is. Give the verifier keys of the logs, which the organisation has to publish.',
};

const TIME =
  "Times are those of the ledger's own clock. The log proves their order, not the times.";
