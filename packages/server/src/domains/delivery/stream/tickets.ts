import { timingSafeEqual } from 'node:crypto';
import type { StreamTicket } from '@decision-ledger/contract/stream';
import { formatTimestamp } from '@decision-ledger/contract/time';
import { sha256Hex } from '@decision-ledger/proof/hash';
import type { Clock } from '../../../platform/clock.js';
import type { Database } from '../../../platform/database.js';
import { idToUuid, uuidToId } from '../../../platform/ids.js';
import type { TokenKeys } from '../../../platform/keyring/keyring.js';
import type { Principal } from '../../../platform/principal.js';
import type { RandomPool } from '../../../platform/random.js';
import { mac } from '../../../platform/secrets.js';
import { usablePrincipals } from '../../access/keys/index.js';
import { deleteExpiredTickets, deleteTicket, insertTicket } from './store/tickets.js';

export interface TicketTools {
  readonly db: Database;
  readonly clock: Clock;
  readonly random: RandomPool;
  /** What tickets are signed with. */
  readonly ticketKeys: TokenKeys;
}

const GOOD_FOR_MS = 60_000;
const EXPIRY_BYTES = 4;
const NONCE_BYTES = 12;
const MAC_BYTES = 16;

/** Names its ledger, so that whoever takes it asks for that one alone. */
const TICKET = /^(led_[0-9a-z]{26})_([A-Za-z0-9_-]{43})$/;

/** A ticket that opens the stream once, within a minute, in place of the key that asks for it. */
export async function issueTicket(
  { db, clock, random, ticketKeys }: TicketTools,
  { scope, actor }: Principal,
): Promise<StreamTicket> {
  const keyId = idToUuid('key', actor);
  if (keyId === null) throw new Error('a ticket stands for a key');
  const now = clock.now();
  const expiresAt = now + GOOD_FOR_MS;
  const ledger = uuidToId('led', scope.ledgerId);
  const nonce = random.bytes(EXPIRY_BYTES + NONCE_BYTES);
  nonce.writeUInt32BE(Math.ceil(expiresAt / 1000));
  const secret = Buffer.concat([nonce, sign(ticketKeys.current, ledger, nonce)]).toString(
    'base64url',
  );
  const ticket = `${ledger}_${secret}`;
  await deleteExpiredTickets(db, scope, now);
  await insertTicket(db, scope, { hash: sha256Hex(ticket), keyId, expiresAt });
  return { ticket, expires_at: formatTimestamp(expiresAt) };
}

/**
 * A ticket that was never issued, or long ago, is refused without a query: guesses cost nothing.
 * @returns null for a ticket that is unknown, used or expired, or whose key is no longer good
 */
export async function redeemTicket(
  { db, clock, ticketKeys }: Omit<TicketTools, 'random'>,
  ticket: string,
): Promise<Principal | null> {
  const [, ledger = '', secret = ''] = TICKET.exec(ticket) ?? [];
  const ledgerId = idToUuid('led', ledger);
  if (ledgerId === null || !wasIssued(ticketKeys, ledger, secret, clock.now())) return null;
  const keyId = await deleteTicket(db, { ledgerId }, sha256Hex(ticket), clock.now());
  if (keyId === null) return null;
  return (await usablePrincipals(db, clock, { ledgerId }, [keyId])).get(keyId) ?? null;
}

function wasIssued({ all }: TokenKeys, ledger: string, secret: string, now: number): boolean {
  const bytes = Buffer.from(secret, 'base64url');
  const nonce = bytes.subarray(0, EXPIRY_BYTES + NONCE_BYTES);
  const given = bytes.subarray(nonce.length);
  const isOwn = all.some((key) => {
    const due = sign(key, ledger, nonce);
    return given.length === due.length && timingSafeEqual(given, due);
  });
  if (!isOwn) return false;
  return nonce.readUInt32BE() * 1000 > now;
}

function sign(key: Buffer, ledger: string, nonce: Buffer): Buffer {
  return mac(key, `${ledger} ${nonce.toString('hex')}`).subarray(0, MAC_BYTES);
}
