import { parseArgs } from 'node:util';
import { normalFingerprint } from '../checks/keys.js';
import { logKeyProblem } from '../presentation/given.js';
import type { VerdictName } from '../report/report.js';

export const USAGE = `usage: decision-ledger-verify BUNDLE.zip [options]
       decision-ledger-verify PRESENTATION.dlp.json [options]
       decision-ledger-verify --write-page FILE

Checks an evidence bundle, or the presentation of a decision, without the service and without a network.

  --key-fingerprint SHA256  the published fingerprint of the signing key, to compare with
  --previous OLD.zip        an earlier bundle of the same ledger, which this one continues
  --log-key KEY             the published verifier key of a log, to compare with that of a
                            presentation; give it once for each log
  --checkpoint FILE         a checkpoint of a log of the ledger that you kept
  --consistency FILE        the answer of the service that connects it with the checkpoint of the bundle
  --require time            exit with 3 where the time is unproven, too
  --allow-unproven VERDICT  accept that this verdict is unproven; may be repeated
  --json                    print the report as JSON
  --write-page FILE         write a page that checks bundles in a browser
  --help                    show this text

Exits with 0 if authenticity and completeness are proven and no verdict is fail, with 1 if
one is, with 2 if nothing could be checked or the report cannot be written, and with 3 if
authenticity or completeness is unproven, or the selection of a bundle that a filter chose.
A presentation has no completeness; its authenticity is proven by --log-key.
`;

export interface Arguments {
  readonly bundle: string | null;
  readonly previous: string | null;
  readonly keyFingerprint: string | null;
  readonly logKeys: readonly string[];
  readonly checkpoint: string | null;
  readonly consistency: string | null;
  /** The verdicts that must be proven for the exit code 0. */
  readonly proven: readonly VerdictName[];
  readonly writePage: string | null;
  readonly isJson: boolean;
  readonly isHelp: boolean;
}

/** Invalid arguments. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

/** @throws UsageError */
export function readArguments(args: readonly string[]): Arguments {
  const { values, positionals } = parse(args);
  const isHelp = values.help === true;
  if (positionals.length > 1) throw new UsageError('give only one bundle');
  const [bundle = null] = positionals;
  const writePage = values['write-page'] ?? null;
  if (bundle === null && writePage === null && !isHelp)
    throw new UsageError('give the path of a bundle');
  if (values.consistency !== undefined && values.checkpoint === undefined)
    throw new UsageError('--consistency needs --checkpoint');
  const pinned = values['key-fingerprint'];
  return {
    bundle,
    previous: values.previous ?? null,
    checkpoint: values.checkpoint ?? null,
    consistency: values.consistency ?? null,
    keyFingerprint: pinned === undefined ? null : readFingerprint(pinned),
    logKeys: (values['log-key'] ?? []).map(readLogKey),
    proven: provenOf(values.require ?? [], values['allow-unproven'] ?? []),
    writePage,
    isJson: values.json === true,
    isHelp,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        'key-fingerprint': { type: 'string' },
        previous: { type: 'string' },
        'log-key': { type: 'string', multiple: true },
        checkpoint: { type: 'string' },
        consistency: { type: 'string' },
        require: { type: 'string', multiple: true },
        'allow-unproven': { type: 'string', multiple: true },
        json: { type: 'boolean' },
        'write-page': { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function readLogKey(text: string): string {
  const problem = logKeyProblem(text);
  if (problem === null) return text;
  throw new UsageError(`--log-key: ${problem}`);
}

/** @throws UsageError */
function provenOf(required: readonly string[], allowed: readonly string[]): VerdictName[] {
  if (required.some((name) => name !== 'time')) throw new UsageError('--require takes only time');
  const proven: VerdictName[] = ['authenticity', 'completeness', 'selection'];
  if (required.length > 0) proven.push('time');
  const waivable: readonly string[] = ['authenticity', 'completeness', 'selection', 'time'];
  if (allowed.some((name) => !waivable.includes(name))) {
    throw new UsageError(`--allow-unproven takes ${waivable.join(', ')}`);
  }
  return proven.filter((name) => !allowed.includes(name));
}

function readFingerprint(text: string): string {
  const fingerprint = normalFingerprint(text);
  if (fingerprint === null) {
    throw new UsageError('--key-fingerprint must be a SHA-256: 64 hexadecimal digits');
  }
  return fingerprint;
}
