import { Me } from '@decision-ledger/contract/me';
import { PERMISSIONS } from '@decision-ledger/contract/permissions';
import sql from 'sql-template-tag';
import { type VerificationPool, verificationPool } from '#server/verification/verification-pool';
import { type Client, dataOf } from '../support/client.js';
import { type Instance, scopeOf, type TestService } from '../support/service.js';
import { type Operation, operationsOf } from './description.js';
import { emptyLedger, type Ledger } from './ledger.js';

/** The state of one sequence: a service that may be restarted, and ledgers of two organisations. */
export interface World {
  readonly bed: TestService;
  /** The process that answers now. */
  instance: Instance;
  /** Verifies chains for exports, in whichever process they are made. */
  readonly thread: VerificationPool;
  readonly operations: ReadonlyMap<string, Operation>;
  readonly ledgers: readonly Ledger[];
  /** How often each operation was called, over all sequences. */
  readonly calls: Map<string, number>;
}

/** Both modes of an organisation, and the live mode of another one. */
export async function openWorld(bed: TestService, calls: Map<string, number>): Promise<World> {
  const [one, other] = [await bed.organisation(), await bed.organisation()];
  const ledgers: Ledger[] = [];
  const clients = { 'one live': one.live, 'one test': one.test, 'other live': other.live };
  for (const [name, client] of Object.entries(clients)) {
    await client.patch('/settings', { rate_limits: { exports_per_hour: 1_000_000 } });
    ledgers.push(await openLedger(bed, name, client));
  }
  const thread = verificationPool(bed.service.storage.address);
  const operations = await operationsOf(bed.http);
  return { bed, instance: bed, thread, operations, ledgers, calls };
}

export async function closeWorld({ bed, thread }: World): Promise<void> {
  await thread.close();
  await bed.close();
}

async function openLedger(bed: TestService, name: string, client: Client): Promise<Ledger> {
  const { key_id } = dataOf(await client.get('/me'), Me).key;
  return emptyLedger(name, await scopeOf(bed, client), {
    ...{ id: key_id, headers: { 'x-ledger-key': client.key }, permissions: new Set(PERMISSIONS) },
    ...{ expiresAt: null, parent: null, isRevoked: false },
  });
}

/** The ends of both chains of each ledger, by the name of the ledger. */
export async function headsOf({ bed, ledgers }: World): Promise<ReadonlyMap<string, string>> {
  const ids = ledgers.map(({ scope }) => scope.ledgerId);
  const rows = await bed.service.db.query<{ ledger_id: string; head: string }>(sql`
    select ledger_id, string_agg(chain || ' ' || seq || ' ' || encode(hash, 'hex'), ', ' order by chain) as head
    from chain_heads where ledger_id = any(${ids}::uuid[]) group by ledger_id`);
  const heads = new Map(rows.map(({ ledger_id, head }) => [ledger_id, head]));
  return new Map(ledgers.map(({ name, scope }) => [name, heads.get(scope.ledgerId) ?? '']));
}
