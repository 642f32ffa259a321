import { STREAM_PATH, StreamTicket } from '@decision-ledger/contract/stream';
import { expect } from 'vitest';
import { dataOf, expectRefusal } from '../../support/client.js';
import type { TestService } from '../../support/service.js';
import { connect, listen, refusal } from '../../support/stream.js';
import { type Case, expectNothingOf } from './isolation-ledger.js';

const addresses = new WeakMap<TestService, Promise<string>>();

function addressOf(bed: TestService): Promise<string> {
  const address = addresses.get(bed) ?? listen(bed.http);
  addresses.set(bed, address);
  return address;
}

/** A ticket opens the stream of its own ledger and shows nothing else. */
const opensOwnStream: Case = async (own, foreign, bed) => {
  const answer = await own.client.post('/stream/tickets', '');
  expectNothingOf(foreign, answer.text);
  const { ticket } = dataOf(answer, StreamTicket, 201);
  const listener = await connect(await addressOf(bed), { query: { ticket } });
  expect(listener.heartbeats[0]?.mode).toBe(own.mode);
  await listener.close();
};

/** A position of another ledger is unknown here, and its events are not sent. */
const goesOnInOwnStream: Case = async (own, foreign, bed) => {
  const url = await addressOf(bed);
  const theirs = await connect(url, { key: foreign.client.key });
  const after = theirs.lastId() ?? '';
  await theirs.close();
  const stolen = { key: own.client.key, query: { after } };
  expectRefusal(await refusal(url, stolen), 'validation_error', 'after');
  const mine = await connect(url, { key: own.client.key });
  await foreign.client.get('/decisions/chain/verify');
  await own.client.get('/decisions/chain/verify');
  await mine.until(({ events }) => events.length > 0);
  expect(mine.events).toHaveLength(1);
  expectNothingOf(foreign, mine.texts.join());
  await mine.close();
};

/** The cases of the stream. */
export const STREAM_CASES: Readonly<Record<string, Case>> = {
  'POST /api/v1/stream/tickets': opensOwnStream,
  [`GET ${STREAM_PATH}`]: goesOnInOwnStream,
};
