import type { ExportType } from '@decision-ledger/contract/export';
import type { ClosingContext, PartContext } from './context.js';
import { activityPart } from './parts/activity.js';
import { complianceParts } from './parts/compliance.js';
import { decisionsPart } from './parts/decisions.js';
import { entriesPart } from './parts/entries.js';
import { eventsPart } from './parts/events.js';
import { genesisPart } from './parts/genesis.js';
import { insuranceParts } from './parts/insurance.js';
import { linksPart } from './parts/links.js';
import type { Part } from './parts/part.js';
import type { PartsInput } from './parts/parts-input.js';
import { textPart } from './parts/text-part.js';

/** What a kind of export is made of, beside what every bundle has. */
interface ExportKind {
  /** Files that are copied from the ledger first. */
  copied(context: PartContext): Part[];
  /** Files that need to know where the copying ended, and what the verification found. */
  closing(context: ClosingContext): Part[];
  /** Whether payloads are in it, so that an erasure withdraws it. */
  readonly holdsPayloads: boolean;
}

export const KINDS: Readonly<Record<ExportType, ExportKind>> = {
  forensic: {
    copied: (context) => [
      decisionsPart(context),
      entriesPart(context),
      eventsPart(context),
      linksPart(context),
    ],
    closing: (context) => [activityPart(context), verificationPart(context)],
    holdsPayloads: true,
  },
  compliance: {
    copied: (context) => [genesisPart(context)],
    closing: (context) => [...complianceParts(inputOf(context)), verificationPart(context)],
    holdsPayloads: true,
  },
  insurance: {
    copied: () => [],
    closing: (context) => insuranceParts(inputOf(context)),
    holdsPayloads: false,
  },
};

function verificationPart({ report }: ClosingContext): Part {
  const text = `${JSON.stringify(report.document, null, 2)}\n`;
  return textPart('chain_verification.json', text);
}

function inputOf({ pins, report, ...rest }: ClosingContext): PartsInput {
  return { ...rest, range: pins, lastSeq: pins.lastSeq, verification: report.document };
}
