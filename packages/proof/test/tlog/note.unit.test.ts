import {
  checkpointText,
  openCheckpoint,
  parseCheckpoint,
  signCheckpoint,
} from '@decision-ledger/proof/tlog/checkpoint';
import { TlogError } from '@decision-ledger/proof/tlog/error';
import { noteText, openNote, parseNote, signNote } from '@decision-ledger/proof/tlog/note';
import {
  openTlogProof,
  parseTlogProof,
  tlogProofText,
} from '@decision-ledger/proof/tlog/tlog-proof';
import { parseVerifierKey, verifierKeyText } from '@decision-ledger/proof/tlog/verifier-key';
import { expect, test } from 'vitest';
import { signerOf, verify } from '../support/ed25519.js';
import { leavesOf, MerkleOracle } from '../support/merkle-oracle.js';
import { present } from '../support/oracle.js';

const log = signerOf('example.com/log', 1);
const witness = signerOf('witness.example/w', 2);
const leaves = leavesOf(10);
const tree = new MerkleOracle(leaves);
const checkpoint = { origin: log.key.name, size: 10, root: tree.root(0, 10) };
const signed = signCheckpoint(checkpoint, log.key, log.sign);

async function codeOf(run: () => unknown): Promise<string | null> {
  try {
    await run();
    return null;
  } catch (error) {
    if (error instanceof TlogError) return error.code;
    throw error;
  }
}

test('The example of C2SP signed-note verifies, and nothing else in its place', async () => {
  const key = parseVerifierKey(
    'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k',
  );
  const note = `This is an example message.

— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=
`;
  expect((await openNote(note, [key], verify)).text).toBe('This is an example message.\n');
  const other = note.replace('example message', 'Example message');
  expect(await codeOf(() => openNote(other, [key], verify))).toBe('signature_invalid');
});

test('A signed checkpoint is read back as it was', async () => {
  expect(await openCheckpoint(signed, log.key, verify)).toMatchObject({
    origin: 'example.com/log',
    size: 10,
  });
  expect(signed.startsWith('example.com/log\n10\n')).toBe(true);
  expect(verifierKeyText(parseVerifierKey(verifierKeyText(log.key)))).toBe(
    verifierKeyText(log.key),
  );
});

test('Signatures by unknown keys are ignored, whatever they hold', async () => {
  const { text, signatures } = parseNote(signed);
  const strange = {
    name: 'example.com/log',
    keyId: log.key.keyId ^ 1,
    signature: new Uint8Array(3),
  };
  const cosigned = parseNote(signNote(text, witness.key, witness.sign)).signatures;
  const note = noteText({ text, signatures: [strange, ...cosigned, ...signatures] });
  expect((await openNote(note, [log.key], verify)).keys).toEqual([log.key]);
  expect((await openNote(note, [log.key, witness.key], verify)).keys.length).toBe(2);
  const alone = noteText({ text, signatures: [strange, ...cosigned] });
  expect(await codeOf(() => openNote(alone, [log.key], verify))).toBe('signature_missing');
});

test('Every changed byte of a signed checkpoint is noticed', async () => {
  const bytes = Buffer.from(signed);
  for (let at = 0; at < bytes.length; at += 1) {
    for (const bit of [1, 2, 16]) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ bit;
      const note = changed.toString('utf8');
      expect(
        await codeOf(() => openCheckpoint(note, log.key, verify)),
        `${at} ${bit}`,
      ).not.toBeNull();
    }
  }
});

test.each([
  ['without an empty line', 'text\n— a AAAAAQc=\n'],
  ['without signatures', 'text\n\n'],
  ['without a newline at its end', 'text\n\n— a AAAAAQc='],
  ['with another dash', 'text\n\n- a AAAAAQc=\n'],
  ['with a space in a name', 'text\n\n— a b AAAAAQc=\n'],
  ['with a no-break space in a name', 'text\n\n— a\u00a0b AAAAAQc=\n'],
  ['with a plus in a name', 'text\n\n— a+b AAAAAQc=\n'],
  ['without a name', 'text\n\n—  AAAAAQc=\n'],
  ['with a short signature', 'text\n\n— a AAAAAQ==\n'],
  ['with base 64 without padding', 'text\n\n— a AAAAAQc\n'],
  ['with bits after the end', 'text\n\n— a AAAAAQd=\n'],
  ['with a carriage return', 'text\r\n\n— a AAAAAQc=\n'],
  ['with a tab', 'te\txt\n\n— a AAAAAQc=\n'],
  ['with a lone surrogate', 'te\ud800xt\n\n— a AAAAAQc=\n'],
  ['with bytes that were not UTF-8', 'te\ufffdxt\n\n— a AAAAAQc=\n'],
])('A note %s is refused', async (_, note) => {
  expect(await codeOf(() => parseNote(note))).toBe('text_invalid');
});

test('A note has a limited length and a limited number of signatures', async () => {
  const line = '— a AAAAAQc=\n';
  expect(parseNote(`text\n\n${line.repeat(100)}`).signatures.length).toBe(100);
  expect(await codeOf(() => parseNote(`text\n\n${line.repeat(101)}`))).toBe('text_oversized');
  const long = `${'x'.repeat(128 * 1024)}\n\n${line}`;
  expect(await codeOf(() => parseNote(long))).toBe('text_oversized');
  expect(await codeOf(() => signNote('no newline', log.key, log.sign))).toBe('text_invalid');
});

const ROOT = 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=';

test.each([
  ['a leading zero', `log\n01\n${ROOT}\n`],
  ['a sign', `log\n+1\n${ROOT}\n`],
  ['an exponent', `log\n1e3\n${ROOT}\n`],
  ['a size beyond what is exact', `log\n9007199254740992\n${ROOT}\n`],
  ['an extension line', `log\n1\n${ROOT}\nmore\n`],
  ['no last newline', `log\n1\n${ROOT}`],
  ['an empty origin', `\n1\n${ROOT}\n`],
  ['a space in its origin', `my log\n1\n${ROOT}\n`],
  ['a short root', 'log\n1\nAAAA\n'],
  ['nothing', ''],
])('A checkpoint with %s is refused', async (_, text) => {
  expect(await codeOf(() => parseCheckpoint(text))).toMatch(/^(text|range)_invalid$/);
});

test('A checkpoint of another log is refused, even if the same key signed it', async () => {
  const other = { ...checkpoint, origin: 'example.com/other' };
  expect(await codeOf(() => signCheckpoint(other, log.key, log.sign))).toBe('origin_mismatch');
  const note = signNote(checkpointText(other), log.key, log.sign);
  expect(await codeOf(() => openCheckpoint(note, log.key, verify))).toBe('origin_mismatch');
});

test.each([
  [
    'another id',
    'example.com/foo+530d903b+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k',
    'key_invalid',
  ],
  [
    'upper case',
    'example.com/foo+530D903A+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k',
    'key_invalid',
  ],
  ['no name', '+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k', 'key_invalid'],
  ['a short key', 'example.com/foo+530d903a+Aeky', 'key_invalid'],
  [
    'another algorithm',
    'example.com/foo+530d903a+AukyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k',
    'key_unsupported',
  ],
  ['no text', '', 'key_invalid'],
])('A verifier key with %s is refused', async (_, text, code) => {
  expect(await codeOf(() => parseVerifierKey(text))).toBe(code);
});

test('A proof file proves the position of an entry, and nothing else', async () => {
  for (let index = 0; index < 10; index += 1) {
    const text = tlogProofText({ index, hashes: tree.path(index, 0, 10), checkpoint: signed });
    const leaf = present(leaves[index]);
    expect(await openTlogProof(text, leaf, log.key, verify)).toBe(index);
    const other = present(leaves[(index + 1) % 10]);
    expect(await codeOf(() => openTlogProof(text, other, log.key, verify))).toBe('root_mismatch');
    const key = witness.key;
    expect(await codeOf(() => openTlogProof(text, leaf, key, verify))).toBe('signature_missing');
  }
});

test.each([
  ['another first line', (text: string) => text.replace('@v1', '@v2')],
  ['extra data', (text: string) => text.replace('index', 'extra AAAA\nindex')],
  ['an index with a leading zero', (text: string) => text.replace('index 3', 'index 03')],
  ['an index beyond the tree', (text: string) => text.replace('index 3', 'index 10')],
  ['no checkpoint', (text: string) => text.slice(0, text.indexOf('\n\n') + 2)],
  ['a hash that is too short', (text: string) => text.replace(/index 3\n.*\n/, 'index 3\nAAAA\n')],
  [
    'too many hashes',
    (text: string) => text.replace('index 3\n', `index 3\n${`${ROOT}\n`.repeat(64)}`),
  ],
  ['too much text', (text: string) => text + 'x'.repeat(200_000)],
])('A proof file with %s is refused', async (_, change) => {
  const text = tlogProofText({ index: 3, hashes: tree.path(3, 0, 10), checkpoint: signed });
  parseTlogProof(text);
  expect(await codeOf(() => parseTlogProof(change(text)))).not.toBeNull();
});
