import type { ContentFile, ExportType } from '@decision-ledger/proof/bundle/format';
import type { BundleFacts } from '@decision-ledger/proof/bundle/manifest';
import type { ExportRun, Pin, VerifiedRun } from '../export-run.js';
import type { BundlePart } from '../parts/part.js';
import type { Section } from '../rules/readme.js';

/** A file copied from the ledger before the chains are verified. */
export interface CopiedFile {
  readonly step: 'copy';
  make(run: ExportRun): BundlePart;
}

/** A file that needs the end of the chain of activity or the result of the verification. */
export interface ClosingFile {
  readonly step: 'close';
  make(run: VerifiedRun): BundlePart;
}

export const copied = (make: CopiedFile['make']): CopiedFile => ({ step: 'copy', make });
export const closing = (make: ClosingFile['make']): ClosingFile => ({ step: 'close', make });

/** How a type of export is made, in addition to the common files of all bundles. */
export interface ExportKind<Type extends ExportType = ExportType> {
  /** Fixes what the export shows, once, before any file is written. */
  readonly pin: Pin;
  readonly files: { readonly [Name in ContentFile<Type>]: CopiedFile | ClosingFile };
  /** Whether keys.json names the API keys, which are the actors of the chain of activity. */
  readonly namesApiKeys: boolean;
  /** The sections of README.txt about what the bundle proves and does not prove. */
  readme(facts: BundleFacts): Section[];
}
