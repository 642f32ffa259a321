import type { ChainName } from '@decision-ledger/proof/bundle/format';
import type { Manifest } from '@decision-ledger/proof/bundle/manifest';
import { encodeBase64 } from '@decision-ledger/proof/tlog/base64';
import { type Checkpoint, openCheckpoint } from '@decision-ledger/proof/tlog/checkpoint';
import { type LogOrigin, readOrigin } from '@decision-ledger/proof/tlog/origin';
import { checkConsistency } from '@decision-ledger/proof/tlog/proofs';
import { parseVerifierKey } from '@decision-ledger/proof/tlog/verifier-key';
import { reason } from '../../archive/open.js';
import { lacksEd25519, verifyEd25519 } from '../../ed25519.js';
import type { FindingCode } from '../../report/codes.js';
import type { Findings } from '../../report/findings.js';
import type { Finding } from '../../report/report.js';
import type { ActivityFacts } from '../activity-facts.js';
import type { Files } from '../files.js';
import type { Named } from './edges.js';
import type { Kept } from './kept.js';
import type { Leaves } from './leaves.js';

export interface NotesOptions {
  readonly manifest: Manifest;
  readonly files: Files;
  readonly findings: Findings;
  readonly kept: Kept | null;
}

/** How a log is compared with what the auditor kept. */
type Own = Pick<OwnLog, 'roots' | 'due'>;

/** The signed checkpoints of both logs of a bundle, and what the activity chain records about them. */
export class LogNotes {
  readonly #options: NotesOptions;
  /** The file with the records of the activity. */
  readonly #recordsFile: string;
  readonly #checkpoints = new Map<ChainName, Checkpoint>();
  #isUnchecked = false;

  constructor(options: NotesOptions, recordsFile: string) {
    this.#options = options;
    this.#recordsFile = recordsFile;
  }

  of(chain: ChainName): Checkpoint | undefined {
    return this.#checkpoints.get(chain);
  }

  async open(chain: ChainName): Promise<Checkpoint | null> {
    const { files, manifest } = this.#options;
    const file = `${chain}.checkpoint` as const;
    const note = await files.text(file);
    if (note === null) return null;
    try {
      const key = parseVerifierKey(manifest.logs[chain]);
      const checkpoint = await openCheckpoint(note, key, verifyEd25519);
      this.#checkpoints.set(chain, checkpoint);
      return checkpoint;
    } catch (error) {
      if (lacksEd25519(error)) this.#isUnchecked = true;
      else this.fail('log_signature', file, `${file} cannot be used: ${reason(error)}`);
      return null;
    }
  }

  /** Each log is of its chain, and the only one that the activity records of it. */
  checkKeys({ logKeys }: Pick<ActivityFacts, 'logKeys'>): void {
    const { ledger, mode, logs } = this.#options.manifest;
    for (const chain of ['decisions', 'activity'] as const) {
      const key = logs[chain];
      const origin = originOf(key);
      if (origin?.ledger !== ledger || origin.mode !== mode || origin.chain !== chain) {
        const message = `The key ${key} is not of the ${chain} of this ledger and mode.`;
        this.fail('log_signature', 'manifest.json', message);
      }
      if (!logKeys.has(key)) {
        const message = `No activity records the start of a log with the key ${key}.`;
        this.fail('log_key_unrecorded', this.#recordsFile, message);
      }
      const rival = [...logKeys].find((other) => other !== key && isRival(originOf(other), origin));
      if (rival === undefined) continue;
      const message = `The activity records another log of the ${chain}, too: ${rival}. One ledger has one history.`;
      this.fail('log_key_rival', this.#recordsFile, message);
    }
  }

  /** The last record that names the checkpoint of the decisions and that the other checkpoint covers. */
  findNamed({ signed, namings }: Pick<ActivityFacts, 'signed' | 'namings'>): Named | null {
    const [own, all] = [this.of('decisions'), this.of('activity')];
    if (own === undefined || all === undefined) return null;
    const root = encodeBase64(own.root);
    const named = signed.findLast(
      (one) =>
        one.origin === own.origin &&
        one.size === own.size &&
        one.root === root &&
        one.seq <= all.size,
    );
    if (named !== undefined) {
      this.#checkLast(named, namings, all.size);
      return named;
    }
    const message = `No activity up to seq ${all.size} names the checkpoint of ${own.size} decisions.`;
    this.fail('log_unnamed', this.#recordsFile, message);
    return null;
  }

  /** So a checkpoint of the activity fixes one tree of the decisions, and not each that was ever named. */
  #checkLast(named: Named, namings: readonly number[], size: number): void {
    const last = namings.findLast((seq) => seq <= size);
    if (last === undefined || last === named.seq) return;
    const message = `Activity ${last} names another checkpoint of the decisions than that of the bundle, later than activity ${named.seq}, and the checkpoint of the activity covers it.`;
    this.fail('log_outdated', this.#recordsFile, message);
  }

  /** @returns why no kept checkpoint fixes the bundle; null if one does */
  async witness(logs: Readonly<Record<ChainName, Own | null>>): Promise<Finding | null> {
    const { kept, manifest, findings } = this.#options;
    if (this.#isUnchecked) return { code: 'log_unwitnessed', message: NO_ED25519 };
    if (kept === null) return { code: 'log_unwitnessed', message: UNWITNESSED };
    for (const chain of ['decisions', 'activity'] as const) {
      const [checkpoint, own] = [this.of(chain), logs[chain]];
      if (checkpoint?.origin !== kept.checkpoint.origin || own === null) continue;
      const log = { key: manifest.logs[chain], checkpoint, ...own };
      const witness = await compareKept(kept, log, `/api/v1/log/${chain}/consistency`);
      if (witness === 'covered') return chain === 'activity' ? null : DECISIONS_ALONE;
      const { outcome, ...finding } = witness;
      if (outcome === 'fail') findings.fail('completeness', finding);
      return finding;
    }
    const message = `The kept checkpoint is of ${kept.checkpoint.origin}, which is no log of this bundle.`;
    const finding = { code: 'checkpoint_other_log', message } as const;
    findings.fail('completeness', finding);
    return finding;
  }

  fail(code: FindingCode, file: string, message: string): void {
    this.#options.findings.fail('integrity', { code, file, message });
  }
}

function originOf(key: string): LogOrigin | null {
  try {
    return readOrigin(parseVerifierKey(key).name);
  } catch {
    return null;
  }
}

/** Another generation is no rival: it is a new log. */
function isRival(other: LogOrigin | null, own: LogOrigin | null): boolean {
  return other?.chain === own?.chain && other?.generation === own?.generation;
}

const UNWITNESSED =
  'The run is in a log that only the ledger signed. Give a checkpoint that you kept with --checkpoint: it shows that everybody saw the same log.';
/** The activity chain names the checkpoints of the decisions; nothing there names those of the activity. */
const DECISIONS_ALONE = {
  code: 'checkpoint_uncovered',
  message:
    'The kept checkpoint fixes all decisions of the run. It does not fix the activity chain with the events and links: keep one of the activity, which fixes both.',
} as const;
const NO_ED25519 =
  'This browser has no Ed25519, so the checkpoints were not checked. Use a newer browser, or the command.';

/** A log of a bundle, compared with what the auditor kept. */
export interface OwnLog {
  /** Verifier key, from the manifest. */
  readonly key: string;
  /** The checkpoint of the bundle. */
  readonly checkpoint: Checkpoint;
  /** The roots that the entries of the bundle make. */
  readonly roots: Pick<Leaves, 'rootAt'>;
  /** The kept checkpoint must cover this many records to fix the whole run. */
  readonly due: number;
}

/** `covered`: the kept checkpoint fixes the run. Otherwise why it does not. */
export type Witness =
  | 'covered'
  | { readonly outcome: 'fail' | 'unproven'; readonly code: FindingCode; readonly message: string };

/** Compares a kept checkpoint with the log of a bundle that it is of. */
async function compareKept(
  { note, checkpoint: kept, consistency }: Kept,
  log: OwnLog,
  path: string,
): Promise<Witness> {
  try {
    await openCheckpoint(note, parseVerifierKey(log.key), verifyEd25519);
  } catch (error) {
    return contradiction(`It is not signed by the log key of the bundle: ${reason(error)}`);
  }
  const { size } = log.checkpoint;
  const known = kept.size === size ? log.checkpoint.root : log.roots.rootAt(kept.size);
  if (known !== null) {
    if (!isSame(known, kept.root)) {
      return contradiction(`The first ${kept.size} records of the bundle make another root.`);
    }
  } else if (consistency === null) {
    const [first, second] = [Math.min(kept.size, size), Math.max(kept.size, size)];
    return uncovered(
      `The kept checkpoint covers ${kept.size} records and that of the bundle ${size}: give the answer of ${path}?first=${first}&second=${second} with --consistency.`,
    );
  } else {
    const problem = inconsistency(kept, log.checkpoint, consistency);
    if (problem !== null) return contradiction(problem);
  }
  if (kept.size >= log.due) return 'covered';
  return uncovered(
    `The kept checkpoint covers ${kept.size} records; the run needs ${log.due}. It fixes only what was recorded before it.`,
  );
}

function inconsistency(
  kept: Checkpoint,
  own: Checkpoint,
  { first, second, proof }: NonNullable<Kept['consistency']>,
): string | null {
  const [earlier, later] = kept.size < own.size ? [kept, own] : [own, kept];
  if (first !== earlier.size || second !== later.size) {
    return `The consistency proof is from ${first} to ${second} records, not from ${earlier.size} to ${later.size}.`;
  }
  try {
    checkConsistency({ first, second, firstRoot: earlier.root, secondRoot: later.root, proof });
    return null;
  } catch (error) {
    return `The two checkpoints are not of one history: ${reason(error)}`;
  }
}

function contradiction(message: string): Witness {
  return { outcome: 'fail', code: 'checkpoint_contradicts', message };
}

function uncovered(message: string): Witness {
  return { outcome: 'unproven', code: 'checkpoint_uncovered', message };
}

export function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}
