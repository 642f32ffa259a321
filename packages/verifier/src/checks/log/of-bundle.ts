import type { LogFile } from '@decision-ledger/proof/bundle/format';
import type { RecordsManifest } from '@decision-ledger/proof/bundle/manifest';
import { type ContentInput, checkHashAlone, type Step } from '../contents.js';
import { LogCheck } from './check.js';

/** The check of the transparency logs of a bundle; null for a bundle without them. */
export function logCheck(
  manifest: RecordsManifest,
  { files, findings, kept }: ContentInput,
): LogCheck | null {
  const { logs: keys } = manifest;
  return keys === null ? null : new LogCheck({ manifest, keys, files, findings, kept });
}

/** A bundle of the first format has none of these files, so their steps are not called. */
export function logSteps(log: LogCheck | null): { readonly [Name in LogFile]: Step } {
  return (
    log?.steps ?? {
      'decisions.checkpoint': checkHashAlone,
      'activity.checkpoint': checkHashAlone,
      'decisions.range.json': checkHashAlone,
    }
  );
}
