import type { ChainName, LogFile } from '@decision-ledger/proof/bundle/format';
import { settledFrom } from '@decision-ledger/proof/bundle/lateness';
import type { RecordsManifest } from '@decision-ledger/proof/bundle/manifest';
import { encodeBase64 } from '@decision-ledger/proof/tlog/base64';
import { parseRangeProof, type RangeProof } from '@decision-ledger/proof/tlog/range';
import { CompactRange } from '@decision-ledger/proof/tlog/tree';
import { reason } from '../../archive/open.js';
import type { Finding } from '../../report/report.js';
import type { ActivityFacts, SignedCheckpoint } from '../activity-facts.js';
import type { Step } from '../contents.js';
import type { Run } from '../run.js';
import { checkEdges, type Named } from './edges.js';
import type { LogResult } from './kept.js';
import { lateEntries } from './lateness.js';
import { Leaves } from './leaves.js';
import { isSame, LogNotes, type NotesOptions } from './notes.js';

interface Options extends NotesOptions {
  readonly manifest: RecordsManifest;
}

const RANGE = 'decisions.range.json';

/** Checks both transparency logs of a bundle against its entries. Its files are read before the chains. */
export class LogCheck {
  readonly steps: { readonly [Name in LogFile]: Step } = {
    'decisions.checkpoint': async () => {
      await this.#notes.open('decisions');
    },
    'activity.checkpoint': () => this.#openActivity(),
    'decisions.range.json': () => this.#readRange(),
  };
  readonly #options: Options;
  readonly #notes: LogNotes;
  readonly #leaves = new Map<ChainName, Leaves>();
  #proof: RangeProof | null = null;

  constructor(options: Options) {
    this.#options = options;
    this.#notes = new LogNotes(options, 'activity.ndjson');
  }

  /** Asks for the roots that the activity chain names of the decisions, before their entries are added. */
  watch({ signed }: ActivityFacts): void {
    for (const { size } of signed) this.#leaves.get('decisions')?.watch(size);
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
    this.#notes.checkKeys(activity);
    const named = this.#notes.findNamed(activity);
    this.#checkHead(run);
    const size = this.#notes.of('decisions')?.size ?? 0;
    const settled = this.#settle(run, activity, named);
    const until = settled ?? Date.parse(manifest.range.end);
    const edges = { size, until, signed: this.#fitting(activity) };
    const { open, shownUntil } = checkEdges(run, manifest, edges, findings);
    const doubts: Finding[] = [];
    if (open !== null) doubts.push({ code: 'edges_unproven', message: open });
    if (settled === null) doubts.push({ code: 'lateness_unbounded', message: UNBOUNDED });
    const hidden = this.#hidden(activity, named);
    if (hidden !== null) doubts.push(hidden);
    const witness = await this.#witness(run, named);
    if (witness !== null) doubts.push(witness);
    return {
      doubts,
      isWitnessed: witness === null,
      size,
      signedAt: named?.at ?? null,
      until: shownUntil,
    };
  }

  /** The named checkpoints that the entries of the run make the roots of, and that of the activity covers. */
  #fitting({ signed }: ActivityFacts): SignedCheckpoint[] {
    const [own, all] = [this.#notes.of('decisions'), this.#notes.of('activity')];
    if (own === undefined || all === undefined) return [];
    return signed.filter(({ seq, origin, size, root }) => {
      const known = size === own.size ? own.root : this.#leaves.get('decisions')?.rootAt(size);
      const isCovered = origin === own.origin && seq <= all.size;
      return isCovered && known != null && encodeBase64(known) === root;
    });
  }

  /** What records that are shown as hashes alone could say against the run. */
  #hidden({ hidden }: ActivityFacts, named: Named | null): Finding | null {
    const isDecided = this.#options.manifest.range.basis === 'decided';
    const size = this.#notes.of('activity')?.size ?? 0;
    const from = isDecided ? 0 : (named?.seq ?? 0);
    const seq = hidden.find((one) => from < one && one <= size);
    if (seq === undefined) return null;
    const what = isDecided ? 'another limit of lateness' : 'another checkpoint of the decisions';
    const message = `Record ${seq} of the activity chain is shown as a hash alone: only the signer attests that it states nothing like ${what}.`;
    return { code: 'activity_hidden', file: 'activity.ndjson', seq, message };
  }

  async #openActivity(): Promise<void> {
    const { kept } = this.#options;
    const checkpoint = await this.#notes.open('activity');
    if (checkpoint === null) return;
    const sizes = [checkpoint.size, ...(kept === null ? [] : [kept.checkpoint.size])];
    this.#leaves.set('activity', new Leaves(CompactRange.empty(0), sizes));
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
      this.#notes.fail('log_range', RANGE, `${RANGE} cannot be used: ${reason(error)}`);
    }
  }

  #compareRange(): void {
    const [leaves, proof] = [this.#leaves.get('decisions'), this.#proof];
    const checkpoint = this.#notes.of('decisions');
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
      this.#notes.fail(
        'log_range',
        RANGE,
        `The run is not in the log of decisions: ${reason(error)}`,
      );
    }
  }

  /** The bundle has the activity chain from its beginning, so it makes the root itself. */
  #compareActivity(): void {
    const checkpoint = this.#notes.of('activity');
    if (checkpoint === undefined) return;
    const root = this.#leaves.get('activity')?.rootAt(checkpoint.size) ?? null;
    if (root !== null && isSame(root, checkpoint.root)) return;
    const file = 'activity.checkpoint';
    const message = `The first ${checkpoint.size} entries of the activity chain do not make the root of its checkpoint.`;
    this.#notes.fail('log_root', file, message);
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
    const size = this.#notes.of('decisions')?.size;
    const due = head?.seq ?? 0;
    const standing = head === null ? null : run.hashAt(head.seq);
    const isRight =
      (last?.seq ?? 0) <= due &&
      due <= (size ?? due) &&
      (standing === null || standing === head?.hash);
    if (isRight) return;
    const message = `The manifest names seq ${due} as the end of the chain when the export began; the run or the log says otherwise.`;
    this.#notes.fail('head_differs', 'manifest.json', message);
  }

  /** @returns why no kept checkpoint fixes the run; null if one does */
  #witness(run: Run, named: Named | null): Promise<Finding | null> {
    const own = (chain: ChainName, due: number) => {
      const roots = this.#leaves.get(chain);
      return roots === undefined ? null : { roots, due };
    };
    return this.#notes.witness({
      decisions: own('decisions', run.last?.seq ?? 0),
      activity: own('activity', named?.seq ?? Number.MAX_SAFE_INTEGER),
    });
  }
}

const UNBOUNDED =
  'No limit of lateness is in force where the log was signed: a decision of the range may be recorded at any later time. The run has those that were recorded by its last entry.';
