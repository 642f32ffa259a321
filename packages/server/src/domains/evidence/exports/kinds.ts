import type { ExportType } from '@decision-ledger/proof/bundle/format';
import { compliance } from './kinds/compliance.js';
import { forensic } from './kinds/forensic.js';
import { insurance } from './kinds/insurance.js';
import type { ClosingFile, CopiedFile, ExportKind } from './kinds/kind.js';
import { statement } from './kinds/statement.js';

/** The types of export, as proof/bundle/format.ts lists them. */
export const KINDS: { readonly [Type in ExportType]: ExportKind<Type> } = {
  forensic,
  compliance,
  insurance,
  statement,
};

/** The files of a type of export, in writing order. */
export function filesOf(type: ExportType): {
  readonly copied: readonly (readonly [name: string, file: CopiedFile])[];
  readonly closing: readonly (readonly [name: string, file: ClosingFile])[];
} {
  const files = Object.entries<CopiedFile | ClosingFile>(KINDS[type].files);
  return {
    copied: files.flatMap(([name, file]) => (file.step === 'copy' ? [[name, file]] : [])),
    closing: files.flatMap(([name, file]) => (file.step === 'close' ? [[name, file]] : [])),
  };
}
