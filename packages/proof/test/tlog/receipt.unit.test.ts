import {
  checkpointText,
  readCheckpoint,
  signCheckpoint,
} from '@decision-ledger/proof/tlog/checkpoint';
import { noteText } from '@decision-ledger/proof/tlog/note';
import {
  openReceipt,
  type Receipt,
  readReceipt,
  receiptText,
  signReceipt,
} from '@decision-ledger/proof/tlog/receipt';
import { describe, expect, test } from 'vitest';
import { signerOf, verify } from '../support/ed25519.js';

const RECEIPT: Receipt = {
  ledger: 'led_01h455vb4pex5vsknk084sn02q',
  seq: 17,
  hash: 'ab'.repeat(32),
  created_at: '2026-04-16T09:30:00.120Z',
};
const ORIGIN = `example.com/${RECEIPT.ledger}/decisions`;
const { key, sign } = signerOf(ORIGIN, 1);
const note = (text: string) =>
  noteText({ text, signatures: [{ ...key, signature: sign(Buffer.from(text)) }] });

describe('A signed receipt', () => {
  test('A signed receipt is five lines under the key of the log, and opens with it alone', async () => {
    const signed = signReceipt(RECEIPT, key, sign);
    expect(signed.split('\n').slice(0, 5)).toEqual([
      ...['decision-ledger/receipt/v1', RECEIPT.ledger, '17', RECEIPT.hash, RECEIPT.created_at],
    ]);
    expect(await openReceipt(signed, key, verify)).toEqual(RECEIPT);
    expect(readReceipt(signed)).toEqual(RECEIPT);
    const other = signerOf(ORIGIN, 2).key;
    await expect(openReceipt(signed, other, verify)).rejects.toThrow(/No known key/);
    const changed = signed.replace('\n17\n', '\n18\n');
    await expect(openReceipt(changed, key, verify)).rejects.toThrow(/signature/);
  });

  test('A receipt is never taken for a checkpoint, nor a checkpoint for a receipt', () => {
    const checkpoint = { origin: ORIGIN, size: 17, root: new Uint8Array(32) };
    expect(() => readReceipt(signCheckpoint(checkpoint, key, sign))).toThrow(/not a receipt/);
    expect(() => readCheckpoint(signReceipt(RECEIPT, key, sign))).toThrow(/not a checkpoint/);
    expect(checkpointText(checkpoint)).not.toContain('receipt');
  });

  test('A receipt of another ledger or chain than that of the key is refused', async () => {
    for (const origin of [
      ORIGIN.replace('led_01', 'led_02'),
      ORIGIN.replace('decisions', 'activity'),
      'example.com/log',
    ]) {
      const other = signerOf(origin, 1);
      const signed = signReceipt(RECEIPT, other.key, other.sign);
      await expect(openReceipt(signed, other.key, verify)).rejects.toThrow(/the key is that of/);
    }
  });

  test.each([
    ['another head', receiptText(RECEIPT).replace('v1', 'v2')],
    ['a line too many', `${receiptText(RECEIPT)}more\n`],
    ['a line too few', 'decision-ledger/receipt/v1\nled_1\n17\n'],
    ['a ledger with a space', receiptText(RECEIPT).replace('led_', 'led ')],
    ['position 0', receiptText(RECEIPT).replace('\n17\n', '\n0\n')],
    ['a padded position', receiptText(RECEIPT).replace('\n17\n', '\n017\n')],
    ['a position beyond all', receiptText(RECEIPT).replace('\n17\n', '\n9007199254740993\n')],
    ['a hash in capitals', receiptText(RECEIPT).replace('abab', 'ABAB')],
    ['a time that does not exist', receiptText(RECEIPT).replace('04-16', '02-30')],
  ])('A receipt with %s is refused', async (_, text) => {
    await expect(openReceipt(note(text), key, verify)).rejects.toThrow(/not a receipt/);
  });

  test('A receipt with a malformed member is not signed', () => {
    expect(() => signReceipt({ ...RECEIPT, ledger: 'a\nb' }, key, sign)).toThrow(/not a receipt/);
  });
});
