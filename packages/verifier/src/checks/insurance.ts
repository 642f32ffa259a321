import { readActivityProofs } from '@decision-ledger/proof/bundle/activity-proofs';
import type { ContentFile } from '@decision-ledger/proof/bundle/format';
import type { Manifest } from '@decision-ledger/proof/bundle/manifest';
import { readJson, Shape } from '@decision-ledger/proof/bundle/shape';
import { commitmentOf, parseDisclosure } from '@decision-ledger/proof/commitment';
import { ACTIVITY_TYPE, type ActivityEntry, readEntry } from '@decision-ledger/proof/entry';
import { leafHash } from '@decision-ledger/proof/hash';
import type { DisclosedLeaf } from '@decision-ledger/proof/presentation/format';
import { decodeBase64 } from '@decision-ledger/proof/tlog/base64';
import { checkInclusion } from '@decision-ledger/proof/tlog/proofs';
import { reason } from '../archive/open.js';
import { ActivityFacts } from './activity-facts.js';
import { type ContentCheck, type ContentInput, checkHashAlone, type Step } from './contents.js';
import type { LogResult } from './log/kept.js';
import { bytesOf } from './log/leaves.js';
import { LogNotes, type NotesOptions } from './log/notes.js';

/** The contents of a bundle of sums cannot be recomputed. Its logs say of which state of the ledger they are. */
export function insuranceCheck(manifest: Manifest, input: ContentInput): ContentCheck<'insurance'> {
  const { findings } = input;
  const log = new SumsLogCheck({ ...input, manifest });
  return {
    steps: { 'insurance.json': checkHashAlone, ...log.steps },
    async conclude() {
      const message = 'The bundle contains sums only, and no record that could be checked.';
      findings.doubt('completeness', { code: 'sums_only', message });
      findings.doubt('time', { code: 'time_unknown', message });
      const proven = await log.conclude();
      if (findings.of('completeness').outcome !== 'fail') {
        for (const doubt of proven.log.doubts) findings.doubt('completeness', doubt);
      }
      return { run: null, genesisHash: null, activity: null, chosen: null, ...proven };
    },
  };
}

const PROOFS = 'activity.proofs.json';

/** Bundles of sums show no entries, so nothing makes a root of another size. */
const NO_ROOTS = { rootAt: () => null };

/** Checks the logs of a bundle of sums: it has a few records of the activity, each with its path. */
class SumsLogCheck {
  readonly steps: { readonly [Name in Exclude<ContentFile<'insurance'>, 'insurance.json'>]: Step } =
    {
      'decisions.checkpoint': async () => {
        await this.#notes.open('decisions');
      },
      'activity.checkpoint': async () => {
        await this.#notes.open('activity');
      },
      'activity.proofs.json': () => this.#readProofs(),
    };
  /** The signing keys, logs and checkpoints that the proven records name. */
  readonly #facts = new ActivityFacts(null);
  readonly #options: NotesOptions;
  readonly #notes: LogNotes;

  constructor(options: NotesOptions) {
    this.#options = options;
    this.#notes = new LogNotes(options, PROOFS);
  }

  async conclude(): Promise<{ readonly log: LogResult; readonly recorded: ActivityFacts }> {
    // No genesis names the ledger and the mode; the origins of the logs do.
    this.#notes.checkKeys(this.#facts);
    const named = this.#notes.findNamed(this.#facts);
    const witness = await this.#notes.witness({
      decisions: { roots: NO_ROOTS, due: this.#notes.of('decisions')?.size ?? 0 },
      activity: { roots: NO_ROOTS, due: named?.seq ?? Number.MAX_SAFE_INTEGER },
    });
    const log = {
      doubts: witness === null ? [] : [witness],
      isWitnessed: witness === null,
      size: this.#notes.of('decisions')?.size ?? 0,
      until: null,
      signedAt: named?.at ?? null,
    };
    return { log, recorded: this.#facts };
  }

  async #readProofs(): Promise<void> {
    const text = await this.#options.files.text(PROOFS);
    if (text === null) return;
    try {
      for (const record of readActivityProofs(text)) this.#add(record);
    } catch (error) {
      this.#notes.fail('log_path', PROOFS, `${PROOFS} cannot be used: ${reason(error)}`);
    }
  }

  /** @throws Error if the record is not in the log of the activity */
  #add({ entry: text, index, path, data }: DisclosedLeaf): void {
    const tree = this.#notes.of('activity');
    if (tree === undefined) return;
    const entry = readEntry(text);
    if (!isActivity(entry)) throw new Error(`record ${index} is of another chain`);
    if (entry.ledger !== this.#options.manifest.ledger || entry.seq !== index + 1) {
      throw new Error(`record ${index} is of another ledger or place`);
    }
    const [leaf, proof] = [bytesOf(leafHash(text)), path.map(decodeBase64)];
    checkInclusion({ index, size: tree.size, leaf, proof, root: tree.root });
    const { value } = parseDisclosure(data, 'data');
    if (commitmentOf(data) !== entry.commitments.data) {
      throw new Error(`the data of record ${index} do not match their commitment`);
    }
    this.#facts.add({ entry, hash: leafHash(text) }, new Shape(readJson(value)));
  }
}

function isActivity(entry: object): entry is ActivityEntry {
  return '_type' in entry && entry._type === ACTIVITY_TYPE;
}
