import { commitmentOf, disclosureText } from '@decision-ledger/proof/commitment';
import { activityEntry, decisionEntry } from '@decision-ledger/proof/entry';
import { leafHash } from '@decision-ledger/proof/hash';
import type { Presentation } from '@decision-ledger/proof/presentation/format';
import { encodeBase64 } from '@decision-ledger/proof/tlog/base64';
import { signCheckpoint } from '@decision-ledger/proof/tlog/checkpoint';
import { verifierKeyText } from '@decision-ledger/proof/tlog/verifier-key';
import { signerOf } from '../../../proof/test/support/ed25519.js';
import { MerkleOracle } from '../../../proof/test/support/merkle-oracle.js';

const LEDGER = 'led_01h455vb4pex5vsknk084sn02q';
const DECISION = 'dec_01h455vb4pex5vsknk084sn02q';
const AT = '2026-04-16T09:30:00.120Z';
const SALT = 'AAAAAAAAAAAAAAAAAAAAAA';
const LEAVES = 7;
const SEQ = 3;

export const originOf = (chain: string, ledger = LEDGER) => `example.com/${ledger}/${chain}`;

/** The log of a chain, with an entry at the place of SEQ among other leaves. */
export function logOf(entry: string, origin: string, seed = 1) {
  const leaves = Array.from({ length: LEAVES }, (_, at) => leafOf(`leaf ${at}`));
  leaves[SEQ - 1] = leafOf(entry);
  const oracle = new MerkleOracle(leaves);
  const { key, sign } = signerOf(origin, seed);
  const checkpoint = { origin, size: LEAVES, root: oracle.root(0, LEAVES) };
  return {
    ...{ entry, index: SEQ - 1, path: oracle.path(SEQ - 1, 0, LEAVES).map(encodeBase64) },
    checkpoint: signCheckpoint(checkpoint, key, sign),
    verifier_key: verifierKeyText(key),
  };
}

const leafOf = (entry: string) => Buffer.from(leafHash(entry), 'hex');

export const disclosed = {
  inputs: disclosureText(SALT, 'inputs', '{"note":"a \\"quoted\\" \\\\ text"}'),
  outputs: disclosureText(SALT, 'outputs', '{"amount":5}'),
};

type EntryParts = Partial<Parameters<typeof decisionEntry>[0]>;

export function decisionText(parts: EntryParts = {}): string {
  return decisionEntry({
    ...{ ledger: LEDGER, epoch: 1, seq: SEQ, prev_hash: '0'.repeat(64), decision_id: DECISION },
    ...{ agent_id: 'agent', action_type: 'refund', confidence: 0.9, human_in_loop: false },
    ...{ timestamp: AT, created_at: AT },
    commitments: {
      inputs: commitmentOf(disclosed.inputs),
      outputs: commitmentOf(disclosed.outputs),
      metadata: commitmentOf(disclosureText(SALT, 'metadata', '{}')),
    },
    ...parts,
  });
}

const erasureData = disclosureText(SALT, 'data', '{"fields":["metadata"],"reason":"asked"}');

type ActivityParts = Partial<Parameters<typeof activityEntry>[0]>;

export function erasureText(parts: ActivityParts = {}): string {
  return activityEntry({
    ...{ ledger: LEDGER, epoch: 1, seq: SEQ, prev_hash: '0'.repeat(64), activity_id: 'act_1' },
    ...{ type: 'decision.field_erased', actor: 'key_1', subject: DECISION, created_at: AT },
    commitments: { data: commitmentOf(erasureData) },
    ...parts,
  });
}

export function erasuresOf(entry: string, data = erasureData, origin = originOf('activity')) {
  const { checkpoint, verifier_key, ...leaf } = logOf(entry, origin, 2);
  return { checkpoint, verifier_key, records: [{ ...leaf, data }] };
}

/** A presentation of inputs and of the erased metadata; its outputs are withheld. */
export function presentation(parts: Partial<Presentation> = {}): Presentation {
  return {
    format: 'decision-ledger/presentation/v1',
    ...logOf(decisionText(), originOf('decisions')),
    disclosures: { inputs: disclosed.inputs },
    erasures: erasuresOf(erasureText()),
    ...parts,
  };
}
