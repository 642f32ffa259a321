import { timingSafeEqual } from 'node:crypto';
import type { StreamTicket } from '@decision-ledger/contract/stream';
import { formatTimestamp } from '@decision-ledger/contract/time';
import { sha256Hex } from '@decision-ledger/proof/hash';
import type { Database } from '../../../platform/database.js';
import { idToUuid, uuidToId } from '../../../platform/ids.js';
import type { TokenKeys } from '../../../platform/keyring/keyring.js';
import type { Ledger } from '../../../platform/ledger.js';
import { keyOf, type Principal } from '../../../platform/principal.js';
import { hmac } from '../../../platform/secrets.js';
import { findLedger } from '../../access/organisations/index.js';
import { usableCredentials } from '../../access/sessions/index.js';
import { deleteExpiredTickets, deleteTicket, insertTicket } from './store/tickets.js';

export interface TicketTools {
  readonly db: Database;
  /** Keys that sign tickets. */
  readonly ticketKeys: TokenKeys;
}

const LIFETIME_MS = 60_000;
const EXPIRY_BYTES = 4;
const NONCE_BYTES = 12;
const MAC_BYTES = 16;

/** Contains the id of the ledger, so that redeeming reads that ledger alone. */
const TICKET = /^(led_[0-9a-z]{26})_([A-Za-z0-9_-]{43})$/;

/** Makes a ticket that opens the stream once within a minute, in place of the key. */
export async function issueTicket(
  ledger: Ledger,
  { ticketKeys }: Omit<TicketTools, 'db'>,
  principal: Principal,
): Promise<StreamTicket> {
  const { session } = principal;
  const keyId = idToUuid('key', keyOf(principal));
  if (keyId === null) throw new Error('only a key or a session can have a ticket');
  const sessionId = session === undefined ? null : idToUuid('ses', session.sessionId);
  const now = ledger.clock.now();
  const expiresAt = now + LIFETIME_MS;
  const ledgerId = uuidToId('led', ledger.ledgerId);
  const nonce = ledger.random.bytes(EXPIRY_BYTES + NONCE_BYTES);
  nonce.writeUInt32BE(Math.ceil(expiresAt / 1000));
  const secret = Buffer.concat([nonce, sign(ticketKeys.current, ledgerId, nonce)]).toString(
    'base64url',
  );
  const ticket = `${ledgerId}_${secret}`;
  await ledger.write(async (tx) => {
    await deleteExpiredTickets(tx, now);
    await insertTicket(tx, { hash: sha256Hex(ticket), keyId, sessionId, expiresAt });
  });
  return { ticket, expires_at: formatTimestamp(expiresAt) };
}

/**
 * Uses a ticket up. A forged or expired ticket is refused without a query.
 * @returns null for a ticket that is unknown, used or expired, or whose key or session cannot be used any
 *   more
 */
export async function redeemTicket(
  { db, ticketKeys }: Omit<TicketTools, 'random'>,
  ticket: string,
): Promise<Principal | null> {
  const { clock } = db.context;
  const [, ledger = '', secret = ''] = TICKET.exec(ticket) ?? [];
  const ledgerId = idToUuid('led', ledger);
  if (ledgerId === null || !wasIssued(ticketKeys, ledger, secret, clock.now())) return null;
  const own = await findLedger(db, ledgerId);
  if (own === null) return null;
  const holder = await own.write((tx) => deleteTicket(tx, sha256Hex(ticket), clock.now()));
  if (holder === null) return null;
  const { keyId, sessionId } = holder;
  const id = sessionId === null ? uuidToId('key', keyId) : uuidToId('ses', sessionId);
  return (await usableCredentials(own, [id])).get(id) ?? null;
}

function wasIssued({ all }: TokenKeys, ledger: string, secret: string, now: number): boolean {
  const bytes = Buffer.from(secret, 'base64url');
  const nonce = bytes.subarray(0, EXPIRY_BYTES + NONCE_BYTES);
  const signature = bytes.subarray(nonce.length);
  const isOwn = all.some((key) => {
    const expected = sign(key, ledger, nonce);
    return signature.length === expected.length && timingSafeEqual(signature, expected);
  });
  if (!isOwn) return false;
  return nonce.readUInt32BE() * 1000 > now;
}

function sign(key: Buffer, ledger: string, nonce: Buffer): Buffer {
  return hmac(key, `${ledger} ${nonce.toString('hex')}`).subarray(0, MAC_BYTES);
}
