import { formatTimestamp } from '@decision-ledger/contract/time';
import { Big } from 'big.js';
import { uuidToId } from '../../../../platform/ids.js';
import { hmac } from '../../../../platform/secrets.js';
import { readSettings } from '../../../access/settings/index.js';
import {
  type Convert,
  converter,
  readEstimateCurrency,
  storeEstimates,
} from '../../../judgement/liability/index.js';
import { type ExportRun, pinRange } from '../export-run.js';
import { activityProofsPart, checkpointPart } from '../parts/chains.js';
import { type Piece, textPart } from '../parts/part.js';
import { addDecision, type LossExperience, sumsFor } from '../rules/experience.js';
import { insuranceDocument } from '../rules/insurance.js';
import type { Section } from '../rules/readme.js';
import {
  type ExportPosition,
  type InsuredRow,
  selectInsuredDecisions,
} from '../store/decisions.js';
import { closing, type ExportKind } from './kind.js';

/** Sums for an underwriter, without personal data. */
export const insurance: ExportKind<'insurance'> = {
  pin: pinRange,
  files: {
    'insurance.json': closing((run) => textPart(() => sumUp(run))),
    'activity.proofs.json': closing(activityProofsPart),
    'decisions.checkpoint': closing((run) => checkpointPart(run, 'decisions')),
    'activity.checkpoint': closing((run) => checkpointPart(run, 'activity')),
  },
  namesApiKeys: false,
  readme,
};

/** Decisions in a page, read without their payload. */
const PAGE = 2000;
const LARGEST = 10;

/** Sums up in memory that grows only with the number of action types. */
async function sumUp(run: ExportRun): Promise<Omit<Piece, 'next'>> {
  const { ledger, snapshot, signal } = run;
  const { start, end, lastSeq } = snapshot;
  // Waits for the estimates of all decisions up to the pinned one.
  await storeEstimates(ledger, signal);
  const nameOf = decisionNames(run);
  const { base_currency: currency, exchange_rates: rates } = await readSettings(ledger);
  const convert = converter(currency, rates);
  const byType = new Map<string, LossExperience>();
  let largest: { id: string; loss: Big }[] = [];
  let records = 0;
  for (let after: ExportPosition | null = null; ; ) {
    signal.throwIfAborted();
    const page = { start, end, lastSeq, after };
    const rows: InsuredRow[] = await selectInsuredDecisions(ledger, page, PAGE);
    for (const row of rows) {
      const loss = lossOf(row, convert);
      addDecision(sumsFor(byType, row.action_type), { ...row, loss });
      if (loss !== null && new Big(loss).gt(0)) {
        largest.push({ id: row.decision_id, loss: new Big(loss) });
      }
    }
    largest = largest.sort((a, b) => b.loss.cmp(a.loss)).slice(0, LARGEST);
    records += rows.length;
    after = rows.length < PAGE ? null : (rows.at(-1) ?? null);
    if (after === null) break;
  }
  const document = insuranceDocument({
    byType,
    currency,
    largest: largest.map(({ id, loss }) => ({ decision: nameOf(id), loss })),
    hasExposure: (await readEstimateCurrency(ledger, currency)) === currency,
    about: {
      start: formatTimestamp(start),
      end: formatTimestamp(end),
      generatedAt: formatTimestamp(ledger.clock.now()),
    },
  });
  return { text: `${JSON.stringify(document, null, 2)}\n`, records };
}

/** The net loss of a decision: losses are negative in allocations, recoveries positive. */
function lossOf({ losses }: InsuredRow, convert: Convert): string | null {
  let sum = new Big(0);
  for (const [amount, currency, at] of losses) {
    const converted = convert(amount, currency, at);
    if (converted === null) return null;
    sum = sum.minus(converted);
  }
  return sum.toFixed();
}

/** Names of decisions that do not reveal their ids: HMACs under a secret of this export. */
function decisionNames({ keyring, row }: ExportRun): (decisionId: string) => string {
  const secret = hmac(keyring.kept('insurance names'), uuidToId('exp', row.export_id));
  return (decisionId) => hmac(secret, uuidToId('dec', decisionId)).toString('hex');
}

function readme(): Section[] {
  return [
    [
      'WHAT IT SHOWS',
      '',
      'insurance.json contains sums by action type: the number of decisions, how often they led to a loss,',
      'and how large the losses were. Counts below five are suppressed. Decisions are named by hashes that',
      'are made with a secret of this export only.',
      '',
      'decisions.checkpoint and activity.checkpoint fix the state of the ledger that the sums were made from.',
      'activity.proofs.json proves that the ledger recorded the keys of both and the key of this bundle.',
    ],
    [
      'WHAT IT DOES NOT PROVE',
      '',
      'The sums: the holder of this bundle cannot recalculate them. The signature shows who made them, and',
      'that they have not been changed since.',
    ],
  ];
}
