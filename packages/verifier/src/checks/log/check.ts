import type { ChainName, LogFile } from '@decision-ledger/proof/bundle/format';
import { settledFrom } from '@decision-ledger/proof/bundle/lateness';
import type { LogKeys, RecordsManifest } from '@decision-ledger/proof/bundle/manifest';
import { encodeBase64 } from '@decision-ledger/proof/tlog/base64';
import { type Checkpoint, openCheckpoint } from '@decision-ledger/proof/tlog/checkpoint';
import { parseRangeProof, type RangeProof } from '@decision-ledger/proof/tlog/range';
import { CompactRange } from '@decision-ledger/proof/tlog/tree';
import { parseVerifierKey } from '@decision-ledger/proof/tlog/verifier-key';
import { reason } from '../../archive/open.js';
import type { FindingCode } from '../../report/codes.js';
import type { Findings } from '../../report/findings.js';
import type { Finding } from '../../report/report.js';
import type { ActivityFacts } from '../activity-facts.js';
import type { Step } from '../contents.js';
import type { Files } from '../files.js';
import type { Run } from '../run.js';
import { lacksEd25519, verifyEd25519 } from './ed25519.js';
import { checkEdges, type Named } from './edges.js';
import type { Kept } from './kept.js';
import { lateEntries } from './lateness.js';
import { Leaves } from './leaves.js';
import type { LogResult } from './result.js';
import { compareKept, isSame } from './witness.js';

interface Options {
  readonly manifest: RecordsManifest;
  readonly keys: LogKeys;
  readonly files: Files;
  readonly findings: Findings;
  readonly kept: Kept | null;
}

const RANGE = 'decisions.range.json';

/** Checks both transparency logs of a bundle against its entries. Its files are read before the chains. */
export class LogCheck {
  readonly steps: { readonly [Name in LogFile]: Step } = {
    'decisions.checkpoint': () => this.#open('decisions'),
    'activity.checkpoint': () => this.#open('activity'),
    'decisions.range.json': () => this.#readRange(),
  };
  readonly #options: Options;
  readonly #checkpoints = new Map<ChainName, Checkpoint>();
  readonly #leaves = new Map<ChainName, Leaves>();
  #proof: RangeProof | null = null;
  #isUnchecked = false;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Adds the next entry of a chain. */
  add(chain: ChainName, hash: string): void {
    this.#leaves.get(chain)?.append(hash);
  }

  /** Compares the logs with the entries, once all are read. */
  async conclude(run: Run, activity: ActivityFacts): Promise<LogResult> {
    const { manifest, findings } = this.#options;
    this.#compareRange();
    this.#compareActivity();
    this.#checkKeys(activity);
    const named = this.#findNamed(activity);
    this.#checkHead(run);
    const size = this.#checkpoints.get('decisions')?.size ?? 0;
    const settled = this.#settle(run, activity, named);
    const until = settled ?? Date.parse(manifest.range.end);
    const open = checkEdges(run, manifest, { size, named, until }, findings);
    const doubts: Finding[] = [];
    if (open !== null) doubts.push({ code: 'edges_unproven', message: open });
    if (settled === null) doubts.push({ code: 'lateness_unbounded', message: UNBOUNDED });
    const witness = await this.#witness(run, named);
    if (witness !== null) doubts.push(witness);
    const last = run.last?.recorded;
    return {
      ...{ doubts, isWitnessed: witness === null, size, signedAt: named?.at ?? null },
      until: last === undefined ? null : new Date(last).toISOString(),
    };
  }

  async #open(chain: ChainName): Promise<void> {
    const { files, keys, kept } = this.#options;
    const file = `${chain}.checkpoint` as const;
    const note = await files.text(file);
    if (note === null) return;
    try {
      const key = parseVerifierKey(keys[chain]);
      const checkpoint = await openCheckpoint(note, key, verifyEd25519);
      this.#checkpoints.set(chain, checkpoint);
      if (chain === 'decisions') return;
      const sizes = [checkpoint.size, ...(kept === null ? [] : [kept.checkpoint.size])];
      this.#leaves.set(chain, new Leaves(CompactRange.empty(0), sizes));
    } catch (error) {
      if (lacksEd25519(error)) this.#isUnchecked = true;
      else this.#fail('log_signature', file, `${file} cannot be used: ${reason(error)}`);
    }
  }

  async #readRange(): Promise<void> {
    const { files, kept } = this.#options;
    const text = await files.text(RANGE);
    if (text === null) return;
    try {
      const proof = parseRangeProof(text);
      const before = CompactRange.of(0, proof.lo, proof.left);
      const sizes = kept === null ? [] : [kept.checkpoint.size];
      this.#proof = proof;
      this.#leaves.set('decisions', new Leaves(before, sizes));
    } catch (error) {
      this.#fail('log_range', RANGE, `${RANGE} cannot be used: ${reason(error)}`);
    }
  }

  #compareRange(): void {
    const [leaves, proof] = [this.#leaves.get('decisions'), this.#proof];
    const checkpoint = this.#checkpoints.get('decisions');
    if (leaves === undefined || proof === null || checkpoint === undefined) return;
    const { first } = this.#options.manifest.decisions;
    try {
      const lo = first === null ? 0 : first.seq - 1;
      if (proof.lo !== lo) throw new Error(`it begins after ${proof.lo} decisions, not ${lo}`);
      const root = leaves.finish(checkpoint.size, proof.right);
      if (proof.size !== checkpoint.size || !isSame(root, checkpoint.root)) {
        throw new Error('the entries of the run do not lead to the root of the checkpoint');
      }
    } catch (error) {
      this.#fail('log_range', RANGE, `The run is not in the log of decisions: ${reason(error)}`);
    }
  }

  /** The bundle has the activity chain from its beginning, so it makes the root itself. */
  #compareActivity(): void {
    const checkpoint = this.#checkpoints.get('activity');
    if (checkpoint === undefined) return;
    const root = this.#leaves.get('activity')?.rootAt(checkpoint.size) ?? null;
    if (root !== null && isSame(root, checkpoint.root)) return;
    const file = 'activity.checkpoint';
    const message = `The first ${checkpoint.size} entries of the activity chain do not make the root of its checkpoint.`;
    this.#fail('log_root', file, message);
  }

  #checkKeys({ logKeys }: ActivityFacts): void {
    for (const key of Object.values(this.#options.keys)) {
      if (logKeys.has(key)) continue;
      const message = `No activity records the start of a log with the key ${key}.`;
      this.#fail('log_key_unrecorded', 'activity.ndjson', message);
    }
  }

  #findNamed({ signed }: ActivityFacts): Named | null {
    const [own, all] = [this.#checkpoints.get('decisions'), this.#checkpoints.get('activity')];
    if (own === undefined || all === undefined) return null;
    const root = encodeBase64(own.root);
    const named = signed.findLast(
      (one) =>
        one.origin === own.origin &&
        one.size === own.size &&
        one.root === root &&
        one.seq <= all.size,
    );
    if (named !== undefined) return named;
    const message = `No activity up to seq ${all.size} names the checkpoint of ${own.size} decisions.`;
    this.#fail('log_unnamed', 'activity.ndjson', message);
    return null;
  }

  /**
   * The time of recording (ms) from which on no decision of the range follows; null if nothing says so. Only
   * limits before the record that names the checkpoint count, because a kept checkpoint fixes those alone.
   */
  #settle(run: Run, { limits }: ActivityFacts, named: Named | null): number | null {
    const { manifest, findings } = this.#options;
    const fixed = limits.filter(({ seq }) => named !== null && seq < named.seq);
    const isDecided = manifest.range.basis === 'decided';
    for (const { seq, message } of lateEntries(run, fixed)) {
      const finding = { code: 'time_late', file: 'entries.ndjson', seq, message } as const;
      findings.fail('time', finding);
      if (isDecided) findings.fail('completeness', finding);
    }
    const end = Date.parse(manifest.range.end);
    return isDecided ? settledFrom(end, fixed.at(-1) ?? null) : end;
  }

  /** What followed the run when the export began is part of the log, too. */
  #checkHead(run: Run): void {
    const { head, last } = this.#options.manifest.decisions;
    const size = this.#checkpoints.get('decisions')?.size;
    const due = head?.seq ?? 0;
    const standing = head === null ? null : run.hashAt(head.seq);
    const isRight =
      (last?.seq ?? 0) <= due &&
      due <= (size ?? due) &&
      (standing === null || standing === head?.hash);
    if (isRight) return;
    const message = `The manifest names seq ${due} as the end of the chain when the export began; the run or the log says otherwise.`;
    this.#fail('head_differs', 'manifest.json', message);
  }

  /** @returns why no kept checkpoint fixes the run; null if one does */
  async #witness(run: Run, named: Named | null): Promise<Finding | null> {
    const { kept, keys, findings } = this.#options;
    const due = { decisions: run.last?.seq ?? 0, activity: named?.seq ?? Number.MAX_SAFE_INTEGER };
    if (this.#isUnchecked) return { code: 'log_unwitnessed', message: NO_ED25519 };
    if (kept === null) return { code: 'log_unwitnessed', message: UNWITNESSED };
    for (const chain of ['decisions', 'activity'] as const) {
      const [checkpoint, leaves] = [this.#checkpoints.get(chain), this.#leaves.get(chain)];
      if (checkpoint?.origin !== kept.checkpoint.origin || leaves === undefined) continue;
      const log = { key: keys[chain], checkpoint, leaves, due: due[chain] };
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

  #fail(code: FindingCode, file: string, message: string): void {
    this.#options.findings.fail('integrity', { code, file, message });
  }
}

const UNWITNESSED =
  'The run is in a log that only the ledger signed. Give a checkpoint that you kept with --checkpoint: it shows that everybody saw the same log.';
/** The activity chain names the checkpoints of the decisions; nothing there names those of the activity. */
const DECISIONS_ALONE = {
  code: 'checkpoint_uncovered',
  message:
    'The kept checkpoint fixes all decisions of the run. It does not fix the activity chain with the events and links: keep one of the activity, which fixes both.',
} as const;
const UNBOUNDED =
  'No limit of lateness is in force where the log was signed: a decision of the range may be recorded at any later time. The run has those that were recorded by its last entry.';
const NO_ED25519 =
  'This browser has no Ed25519, so the checkpoints were not checked. Use a newer browser, or the command.';
