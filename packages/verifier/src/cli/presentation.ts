import { READ_BYTES } from '../presentation/file.js';
import type { PresentationReport } from '../presentation/report.js';
import { presentationReportText } from '../presentation/text.js';
import { verifyPresentation } from '../presentation/verify.js';
import { printableJson } from '../report/printable.js';
import { type Arguments, UsageError } from './arguments.js';
import { openFile } from './file-source.js';
import { print } from './output.js';

const FAILED = 1;
const UNPROVEN = 3;

/** @returns the exit code */
export async function verifyPresentationFile(path: string, asked: Arguments): Promise<number> {
  refuseOptions(asked);
  const text = await readText(path);
  const report = await verifyPresentation(text, { logKeys: asked.logKeys });
  await print(asked.isJson ? `${printableJson(report)}\n` : presentationReportText(report));
  return exitCode(report);
}

function refuseOptions({ previous, keyFingerprint }: Arguments): void {
  if (previous !== null) throw new UsageError('--previous is for bundles, not for presentations');
  if (keyFingerprint !== null) {
    throw new UsageError('--key-fingerprint is for bundles; give a presentation --log-key');
  }
}

async function readText(path: string): Promise<string> {
  const file = await openFile(path);
  try {
    const bytes = await file.read(0, Math.min(file.size, READ_BYTES));
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) throw new Error(`${path} is not UTF-8 text`);
    throw error;
  } finally {
    await file.close();
  }
}

function exitCode({ verdicts: { integrity, authenticity } }: PresentationReport): number {
  if (integrity.verdict === 'fail' || authenticity.verdict === 'fail') return FAILED;
  return authenticity.verdict === 'unproven' ? UNPROVEN : 0;
}
