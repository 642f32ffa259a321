import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { encodeBase64 } from '@decision-ledger/proof/tlog/base64';
import { signCheckpoint } from '@decision-ledger/proof/tlog/checkpoint';
import { CompactRange } from '@decision-ledger/proof/tlog/tree';
import { verifierKey, verifierKeyText } from '@decision-ledger/proof/tlog/verifier-key';
import { type TestKey, testKey } from './keys.js';
import type { ChainRecord, Story } from './story.js';

type Chain = 'decisions' | 'activity';

const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const SEEDS = { decisions: 1, activity: 2 };
export const originOf = (story: Story, chain: Chain) =>
  `decision-ledger/${story.ledger}/${chain}${story.mode === 'test' ? '/test' : ''}`;

/** The log of a chain, with a private key that everybody knows: 32 times the same byte. */
function logOf(story: Story, chain: Chain, seed = SEEDS[chain]) {
  const { privateKey, publicKey } = pairOf(seed);
  const key = verifierKey(originOf(story, chain), publicKey);
  return { key, sign: (message: Uint8Array) => sign(null, message, privateKey) };
}

const pairs = new Map<number, { readonly privateKey: KeyObject; readonly publicKey: Buffer }>();

function pairOf(seed: number) {
  const known = pairs.get(seed);
  if (known !== undefined) return known;
  const der = Buffer.concat([PKCS8, Buffer.alloc(32, seed)]);
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const spki = createPublicKey(privateKey).export({ type: 'spki', format: 'der' });
  const pair = { privateKey, publicKey: spki.subarray(-32) };
  pairs.set(seed, pair);
  return pair;
}

const leaf = ({ hash }: ChainRecord) => Buffer.from(hash, 'hex');

export function treeOf(records: readonly ChainRecord[], begin = 0): CompactRange {
  const tree = CompactRange.empty(begin);
  for (const record of records) tree.append(leaf(record));
  return tree;
}

/** The signed checkpoint of the first records of a chain. */
export function checkpointOf(story: Story, chain: Chain, size: number, seed?: number): string {
  const log = logOf(story, chain, seed);
  const root = treeOf(story[chain].slice(0, size)).root();
  return signCheckpoint({ origin: log.key.name, size, root }, log.key, log.sign);
}

/** The verifier keys of both logs, as a manifest names them. */
export function logKeysOf(story: Story) {
  const keyOf = (chain: Chain) => verifierKeyText(logOf(story, chain).key);
  return { decisions: keyOf('decisions'), activity: keyOf('activity') };
}

/** Records the keys that signed, the last of which signs now, and the start of both logs. */
export function startLogs(story: Story, keys: readonly TestKey[] = [testKey('first')]): void {
  recordKeys(story, keys);
  for (const chain of ['decisions', 'activity'] as const) {
    const origin = originOf(story, chain);
    const verifier_key = logKeysOf(story)[chain];
    story.act('log.started', origin, { origin, verifier_key }, 'engine');
  }
}

/** What a round signed. */
export interface Round {
  readonly decisions: number;
  readonly activity: number;
}

export function signRound(story: Story): Round {
  const { length: size } = story.decisions;
  const origin = originOf(story, 'decisions');
  const root = encodeBase64(treeOf(story.decisions).root());
  story.act('checkpoint.signed', origin, { origin, size, root }, 'engine');
  return { decisions: size, activity: story.activity.length };
}

/** Changes the limit of lateness. */
export function limitLateness(story: Story, max_lateness_seconds: number | null): void {
  story.act('max_lateness.changed', story.ledger, { max_lateness_seconds });
}

/** Records the keys that the activity does not name yet. */
export function recordKeys(story: Story, keys: readonly TestKey[]): void {
  for (const { fingerprint, pem } of keys) {
    if (story.activity.some(({ subject }) => subject === fingerprint)) continue;
    const isFirst = !story.activity.some(({ type }) => type === 'signing_key.created');
    const type = isFirst ? 'signing_key.created' : 'signing_key.rotated';
    story.act(type, fingerprint, { public_key: pem });
  }
}
