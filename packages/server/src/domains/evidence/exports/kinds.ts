import { type ExportType, listedFiles } from '@decision-ledger/proof/bundle/format';
import type { ExportRun } from './export-run.js';
import { compliance } from './kinds/compliance.js';
import { forensic } from './kinds/forensic.js';
import { insurance } from './kinds/insurance.js';
import type { ClosingFile, CopiedFile, ExportKind } from './kinds/kind.js';
import { statement } from './kinds/statement.js';

/** The types of export, as proof/bundle/format.ts lists them. */
export const EXPORT_KINDS: { readonly [Type in ExportType]: ExportKind<Type> } = {
  forensic,
  compliance,
  insurance,
  statement,
};

/** The files of an export, in writing order. */
export function filesOf({ row, selection }: Pick<ExportRun, 'row' | 'selection'>): {
  readonly copied: readonly (readonly [name: string, file: CopiedFile])[];
  readonly closing: readonly (readonly [name: string, file: ClosingFile])[];
} {
  const { export_type } = row;
  const listed: readonly string[] = listedFiles({ export_type, selection });
  const files = Object.entries<CopiedFile | ClosingFile>(EXPORT_KINDS[export_type].files).filter(
    ([name]) => listed.includes(name),
  );
  return {
    copied: files.flatMap(([name, file]) => (file.step === 'copy' ? [[name, file]] : [])),
    closing: files.flatMap(([name, file]) => (file.step === 'close' ? [[name, file]] : [])),
  };
}
