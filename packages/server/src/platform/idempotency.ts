import { LedgerError } from '@decision-ledger/contract/errors';
import sql from 'sql-template-tag';
import { byteaArray, textArray } from './binary-array.js';
import { sqlState } from './failures.js';
import { type LedgerReader, type LedgerWriter, ownRow } from './ledger.js';

/** HMACs of an Idempotency-Key and of its request, hexadecimal. */
export interface IdempotencyMark {
  readonly key: string;
  readonly request: string;
}

/** The mark of one decision of a batch. */
export interface MemberMark extends IdempotencyMark {
  /** The key itself, for error messages. */
  readonly text: string;
}

export interface FirstAnswer {
  readonly key: string;
  readonly request: string;
  /** JSON text of the first response's data. */
  readonly response: string;
}

export async function findFirstAnswers(
  tx: LedgerReader,
  keys: readonly string[],
): Promise<Map<string, FirstAnswer>> {
  const rows = await tx.query<FirstAnswer>(sql`
    select encode(key_mac, 'hex') as key, encode(request_mac, 'hex') as request, response
    from idempotency_keys where ledger_id = ${tx.ledgerId} and key_mac = any(${macs(keys, (key) => key)}::bytea[])`);
  return new Map(rows.map((row) => [row.key, row]));
}

export async function keepFirstAnswers(
  tx: LedgerWriter,
  answers: readonly FirstAnswer[],
  createdAt: number,
): Promise<void> {
  const { text, values } = sql`
    insert into idempotency_keys (ledger_id, key_mac, request_mac, response, created_at)
    select own.ledger_id, key, request, response, to_timestamp(${createdAt}::bigint / 1000.0)
    from ${ownRow(tx.ledgerId)} as own, unnest(
      ${macs(answers, ({ key }) => key)}::bytea[],
      ${macs(answers, ({ request }) => request)}::bytea[],
      ${textArray(answers, ({ response }) => response)}::text[]
    ) as answer (key, request, response)`;
  await tx.query({ name: 'keep-answers', text, values });
}

/**
 * Stores the answer to a request. The chain's lock serialises a request with its own repeats, but not
 * with requests of the other chain, which may have used the key in between.
 * @throws LedgerError `idempotency_conflict`
 */
export async function keepFirstAnswer(
  tx: LedgerWriter,
  answer: FirstAnswer,
  createdAt: number,
): Promise<void> {
  try {
    await keepFirstAnswers(tx, [answer], createdAt);
  } catch (error) {
    throw sqlState(error) === UNIQUE_VIOLATION ? idempotencyConflict() : error;
  }
}

const UNIQUE_VIOLATION = '23505';

export function idempotencyConflict(): LedgerError {
  return new LedgerError(
    'idempotency_conflict',
    'this Idempotency-Key was used with another request: use a new key for each request',
  );
}

function macs<Item>(items: readonly Item[], value: (item: Item) => string): Buffer {
  return byteaArray(items, 32, value);
}
