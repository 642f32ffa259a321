import type { ExportType } from '@decision-ledger/contract/export';
import type { ClosingContext, PartContext } from './context.js';
import { activityPart } from './parts/activity.js';
import { decisionsPart } from './parts/decisions.js';
import { entriesPart } from './parts/entries.js';
import { eventsPart } from './parts/events.js';
import { linksPart } from './parts/links.js';
import type { Part } from './parts/part.js';
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
    closing: (context) => [
      activityPart(context),
      textPart('chain_verification.json', context.report.text),
    ],
    holdsPayloads: true,
  },
  compliance: { copied: () => [], closing: () => [], holdsPayloads: true },
  insurance: { copied: () => [], closing: () => [], holdsPayloads: false },
};
