import { copyFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { isPresentation, READ_BYTES } from '../presentation/given.js';
import type { PresentationReport } from '../presentation/report.js';
import { presentationReportText } from '../presentation/text.js';
import { verifyPresentation } from '../presentation/verify.js';
import { printableJson } from '../report/printable.js';
import { type VerdictName, verdictsIn } from '../report/report.js';
import { reportText } from '../report/text.js';
import { type Report, type VerifyOptions, verifyBundle } from '../verify.js';
import { type Arguments, readArguments, USAGE, UsageError } from './arguments.js';
import { type FileSource, openFile, print, printError, progressBar } from './io.js';

const PAGE = fileURLToPath(new URL('../verify.html', import.meta.url));

/** @returns the exit code */
export async function main(args: readonly string[]): Promise<number> {
  try {
    const asked = readArguments(args);
    if (asked.isHelp) {
      await print(USAGE);
      return 0;
    }
    if (asked.writePage !== null) await writePage(asked.writePage);
    if (asked.bundle === null) return 0;
    return isPresentation(asked.bundle)
      ? await verifyPresentationFile(asked.bundle, asked)
      : await verify(asked.bundle, asked);
  } catch (error) {
    if (error instanceof UsageError) {
      await printError(`decision-ledger-verify: ${error.message}\n\n${USAGE}`);
    } else {
      const message = error instanceof Error ? error.message : String(error);
      await printError(`decision-ledger-verify: ${message}\n`);
    }
    return 2;
  }
}

async function writePage(path: string): Promise<void> {
  await copyFile(PAGE, path);
  await printError(`Wrote ${path}: open it in a browser.\n`);
}

async function verify(path: string, asked: Arguments): Promise<number> {
  const open: FileSource[] = [];
  const bar = progressBar('Checking');
  try {
    const bundle = await openFile(path);
    open.push(bundle);
    const previous = asked.previous === null ? undefined : await openFile(asked.previous);
    if (previous !== undefined) open.push(previous);
    const options: VerifyOptions = {
      ...(asked.keyFingerprint !== null && { keyFingerprint: asked.keyFingerprint }),
      ...(previous !== undefined && { previous }),
      ...(await keptOf(asked)),
      onProgress: (done, total) => bar.update(done, total),
    };
    const report = await verifyBundle(bundle, options).finally(() => bar.stop());
    await print(asked.isJson ? `${printableJson(report)}\n` : reportText(report));
    return exitCodeOf(report, asked.proven);
  } finally {
    for (const file of open) await file.close();
  }
}

async function keptOf({ checkpoint, consistency }: Arguments): Promise<VerifyOptions> {
  return {
    ...(checkpoint !== null && { checkpoint: await readText(checkpoint) }),
    ...(consistency !== null && { consistency: await readText(consistency) }),
  };
}

/** Larger than any checkpoint with its signatures. */
const MAX_TEXT_BYTES = 256 * 1024;

async function readText(path: string): Promise<string> {
  const file = await openFile(path);
  try {
    if (file.size > MAX_TEXT_BYTES) throw new Error(`${path} is too large to be a checkpoint`);
    return new TextDecoder().decode(await file.read(0, file.size));
  } finally {
    await file.close();
  }
}

function exitCodeOf(report: Report, proven: readonly VerdictName[]): number {
  const verdicts = verdictsIn(report);
  if (verdicts.some(([, { verdict }]) => verdict === 'fail')) return 1;
  const isOpen = verdicts.some(
    ([name, { verdict }]) => verdict === 'unproven' && proven.includes(name),
  );
  return isOpen ? 3 : 0;
}

const FAILED = 1;
const UNPROVEN = 3;

/** @returns the exit code */
async function verifyPresentationFile(path: string, asked: Arguments): Promise<number> {
  refuseOptions(asked);
  const text = await readPresentation(path);
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

async function readPresentation(path: string): Promise<string> {
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
