import type { StreamTicket } from '@decision-ledger/contract/stream';
import { formatTimestamp } from '@decision-ledger/contract/time';
import { sha256Hex } from '@decision-ledger/proof/hash';
import type { Clock } from '../../platform/clock.js';
import type { Database } from '../../platform/database.js';
import { idToUuid, uuidToId } from '../../platform/ids.js';
import type { Principal } from '../../platform/principal.js';
import type { RandomPool } from '../../platform/random.js';
import { usablePrincipals } from '../keys/index.js';
import { deleteExpiredTickets } from './store/delete-expired-tickets.js';
import { deleteTicket } from './store/delete-ticket.js';
import { insertTicket } from './store/insert-ticket.js';

export interface TicketTools {
  readonly db: Database;
  readonly clock: Clock;
  readonly random: RandomPool;
}

const GOOD_FOR_MS = 60_000;
const SECRET_BYTES = 32;

/** Names its ledger, so that whoever takes it asks for that one alone. */
const TICKET = /^(led_[0-9a-z]{26})_([A-Za-z0-9_-]{43})$/;

/** A ticket that opens the stream once, within a minute, in place of the key that asks for it. */
export async function issueTicket(
  { db, clock, random }: TicketTools,
  { scope, actor }: Principal,
): Promise<StreamTicket> {
  const keyId = idToUuid('key', actor);
  if (keyId === null) throw new Error('a ticket stands for a key');
  const ticket = `${uuidToId('led', scope.ledgerId)}_${random.base64url(SECRET_BYTES)}`;
  const now = clock.now();
  const expiresAt = now + GOOD_FOR_MS;
  await deleteExpiredTickets(db, scope, now);
  await insertTicket(db, scope, { hash: sha256Hex(ticket), keyId, expiresAt });
  return { ticket, expires_at: formatTimestamp(expiresAt) };
}

/** @returns null for a ticket that is unknown, used or expired, or whose key is no longer good */
export async function redeemTicket(
  { db, clock }: Pick<TicketTools, 'db' | 'clock'>,
  ticket: string,
): Promise<Principal | null> {
  const ledgerId = idToUuid('led', TICKET.exec(ticket)?.[1] ?? '');
  if (ledgerId === null) return null;
  const keyId = await deleteTicket(db, { ledgerId }, sha256Hex(ticket), clock.now());
  if (keyId === null) return null;
  return (await usablePrincipals(db, clock, { ledgerId }, [keyId])).get(keyId) ?? null;
}
