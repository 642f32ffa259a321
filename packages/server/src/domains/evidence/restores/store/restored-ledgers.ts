import sql, { raw } from 'sql-template-tag';
import type { LedgerReader, LedgerWriter } from '../../../../platform/ledger.js';
import { type Installation, instant } from '../../../../platform/statement.js';

/** A decision that is known to have existed. */
export interface ExpectedDecision {
  readonly seq: number;
  /** Hexadecimal. */
  readonly hash: string;
}

/** A ledger that lacks records that are known to have existed. */
export interface RestoredLedger {
  /** UUID. */
  readonly ledgerId: string;
  /** The last decision that there was when the loss was found. */
  readonly fromSeq: number;
  readonly fromHash: string;
  /** The decision that is missing; null if the loss is known by signed checkpoints alone. */
  readonly expected: ExpectedDecision | null;
  /** ms; null if nobody stated it. */
  readonly backupMadeAt: number | null;
  /** ms; null until the operator accepts the loss. */
  readonly acceptedAt: number | null;
  /** Whether the logs go on, although they may have signed what was lost. */
  readonly acceptsFork: boolean;
}

const COLUMNS =
  raw(`ledger_id as "ledgerId", from_seq as "fromSeq", encode(from_hash, 'hex') as "fromHash",
  case when expected_seq is not null then
    json_build_object('seq', expected_seq, 'hash', encode(expected_hash, 'hex')) end as expected,
  (extract(epoch from backup_made_at) * 1000)::bigint as "backupMadeAt",
  (extract(epoch from accepted_at) * 1000)::bigint as "acceptedAt", accepts_fork as "acceptsFork"`);

/** Of all organisations: only for the operator. */
export async function selectRestoredLedgers(installation: Installation): Promise<RestoredLedger[]> {
  return installation.queryAcross<RestoredLedger>(sql`
    select ${COLUMNS} from restored_ledgers where withdrawn_at is null order by found_at, ledger_id`);
}

/** Null if nothing of the ledger is known to be lost. */
export async function selectRestored(ledger: LedgerReader): Promise<RestoredLedger | null> {
  const [row] = await ledger.query<RestoredLedger>(sql`
    select ${COLUMNS} from restored_ledgers where ledger_id = ${ledger.ledgerId} and withdrawn_at is null`);
  return row ?? null;
}

export type FoundLoss = Omit<RestoredLedger, 'ledgerId' | 'acceptedAt' | 'acceptsFork'>;

/** Notes a loss that is not accepted yet. */
export async function upsertLoss(
  tx: LedgerWriter,
  loss: FoundLoss,
  foundAt: number,
): Promise<void> {
  const madeAt = loss.backupMadeAt === null ? sql`null` : instant(loss.backupMadeAt);
  await tx.query(sql`
    insert into restored_ledgers (ledger_id, from_seq, from_hash, expected_seq, expected_hash, backup_made_at, found_at)
    values (${tx.ledgerId}, ${loss.fromSeq}, decode(${loss.fromHash}, 'hex'), ${loss.expected?.seq ?? null}::bigint,
      decode(${loss.expected?.hash ?? null}::text, 'hex'), ${madeAt}, ${instant(foundAt)})
    on conflict (ledger_id) do update set from_seq = excluded.from_seq, from_hash = excluded.from_hash,
      expected_seq = excluded.expected_seq, expected_hash = excluded.expected_hash,
      backup_made_at = coalesce(excluded.backup_made_at, restored_ledgers.backup_made_at),
      found_at = excluded.found_at, accepted_at = null, withdrawn_at = null, accepts_fork = false`);
}

/** Withdraws a loss that was not accepted: the record is there. */
export async function withdrawLoss(tx: LedgerWriter, withdrawnAt: number): Promise<void> {
  await tx.query(sql`
    update restored_ledgers set withdrawn_at = ${instant(withdrawnAt)}
    where ledger_id = ${tx.ledgerId} and accepted_at is null`);
}

export async function updateAccepted(
  tx: LedgerWriter,
  acceptedAt: number,
  acceptsFork: boolean,
): Promise<void> {
  await tx.query(sql`
    update restored_ledgers set accepted_at = ${instant(acceptedAt)}, accepts_fork = ${acceptsFork}
    where ledger_id = ${tx.ledgerId}`);
}

/** The hash of the decision with this seq, hexadecimal; null if there is none. */
export async function selectHashAt(ledger: LedgerReader, seq: number): Promise<string | null> {
  const [row] = await ledger.query<{ hash: string }>(sql`
    select encode(hash, 'hex') as hash from decisions where ledger_id = ${ledger.ledgerId} and seq = ${seq}`);
  return row?.hash ?? null;
}
