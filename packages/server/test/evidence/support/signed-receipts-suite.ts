import { DecisionReceipt } from '@decision-ledger/contract/decision';
import { Log } from '@decision-ledger/contract/transparency';
import { openReceipt } from '@decision-ledger/proof/tlog/receipt';
import { parseVerifierKey } from '@decision-ledger/proof/tlog/verifier-key';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { uuidToId } from '#server/platform/ids';
import { type Client, dataOf, decision } from '../../support/client.js';
import { asOwner } from '../../support/owner.js';
import { type Engine, openTestService, scopeOf, type TestService } from '../../support/service.js';
import { activityOf, published, round, storedHashes, verify } from './log-tools.js';

const SIGNED = { prefer: 'receipt=signed' };

export function signedReceiptsSuite(engine: Engine): void {
  let bed: TestService;
  let client: Client;

  beforeAll(async () => {
    bed = await openTestService(engine);
  });
  beforeEach(async () => {
    client = (await bed.organisation()).live;
  });
  afterAll(() => bed.close());

  it('A signed receipt promises the leaf that the log later has', async () => {
    await client.post('/decisions', decision());
    const answer = await client.post('/decisions', decision(), SIGNED);
    expect(answer.header('preference-applied')).toBe('receipt=signed');
    const receipt = dataOf(answer, DecisionReceipt, 201);
    await round(bed, client);
    const { verifier_key } = dataOf(await client.get('/log/decisions'), Log);
    const opened = await openReceipt(
      receipt.signed_receipt ?? '',
      parseVerifierKey(verifier_key),
      verify,
    );
    const { ledgerId } = await scopeOf(bed, client);
    const { seq, hash, created_at } = receipt;
    expect(opened).toEqual({ ledger: uuidToId('led', ledgerId), seq, hash, created_at });
    const leaves = await storedHashes(bed, client, 'decisions');
    expect(leaves[opened.seq - 1]?.toString('hex')).toBe(opened.hash);
    expect((await published(client, 'decisions')).size).toBe(2);
  });

  it('The first signed receipt starts the logs of the ledger, once', async () => {
    const requests = Array.from({ length: 5 }, () => client.post('/decisions', decision(), SIGNED));
    for (const answer of await Promise.all(requests)) {
      expect(dataOf(answer, DecisionReceipt, 201).signed_receipt).toContain('/decisions ');
    }
    expect((await activityOf(client, 'log.started')).length).toBe(2);
  });

  it.each([
    ['receipt=signed', true],
    ['respond-async, Receipt="signed"; x=1', true],
    ['return=minimal,receipt=signed', true],
    ['receipt', false],
    ['receipt=unsigned', false],
    ['x-receipt=signed', false],
    ['receipt=signed2', false],
  ])('The preference %j asks for a signed receipt: %s', async (prefer, isSigned) => {
    const answer = await client.post('/decisions', decision(), { prefer });
    const { signed_receipt } = dataOf(answer, DecisionReceipt, 201);
    expect(signed_receipt !== undefined).toBe(isSigned);
    expect(answer.header('preference-applied') !== undefined).toBe(isSigned);
  });

  it('A repeated request gets the same signed receipt', async () => {
    const body = decision();
    const headers = { ...SIGNED, 'idempotency-key': 'order-7' };
    const first = dataOf(await client.post('/decisions', body, headers), DecisionReceipt, 201);
    const again = await client.post('/decisions', body, headers);
    expect(again.header('idempotency-replayed')).toBe('true');
    const { signed_receipt } = dataOf(again, DecisionReceipt, 201);
    expect(signed_receipt).toBe(first.signed_receipt);
  });

  it('A decision whose receipt cannot be signed is recorded, and says so', async () => {
    await round(bed, client);
    const { ledgerId } = await scopeOf(bed, client);
    await asOwner(bed, "update tlog_keys set private_key = '\\x00' where ledger_id = $1", [
      ledgerId,
    ]);
    const answer = await client.post('/decisions', decision(), SIGNED);
    expect(answer.header('preference-applied')).toBeUndefined();
    expect(dataOf(answer, DecisionReceipt, 201)).toMatchObject({ seq: 1 });
    expect(bed.logLines.some((line) => line.includes('a receipt could not be signed'))).toBe(true);
  });
}
