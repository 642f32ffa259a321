import { Me } from '@decision-ledger/contract/access';
import { PERMISSIONS } from '@decision-ledger/contract/permissions';
import sql, { type Sql } from 'sql-template-tag';
import { expect } from 'vitest';
import { type Client, dataOf } from '../support/client.js';
import { scopeOf } from '../support/service.js';
import type { Bed } from './bed.js';
import type { Operation } from './description.js';
import { emptyLedger, type Ledger } from './ledger.js';

type ByLedger = ReadonlyMap<string, string>;

/** How long a command takes, in ms: records of different commands have different times. */
const COMMAND_MS = 1000;

/** What a follower cannot take of a ledger until somebody removes the cause. */
export interface Poison {
  readonly follower: string;
  readonly ledgerId: string;
  /** It fails at one in so many records or subjects. */
  readonly every: number;
}

/** The state of one sequence: ledgers of two organisations, and what was seen of them. */
export class World {
  /** What the lists of a ledger contained when a command about another one began. */
  readonly #contents = new Map<string, string>();
  /** What a follower fails at, if one does. */
  poison: Poison | null = null;
  /** The heads of the chains, unless something was done since. */
  #heads: ByLedger | null = null;

  private constructor(
    readonly bed: Bed,
    readonly ledgers: readonly Ledger[],
    /** How often each operation was called, over all sequences. */
    readonly calls: Map<string, number>,
  ) {}

  /** Both modes of an organisation, and the live mode of another one. */
  static async open(bed: Bed, calls: Map<string, number>): Promise<World> {
    const one = await bed.first.organisation();
    const other = await bed.first.organisation();
    for (const { live } of [one, other]) {
      await live.patch('/settings', { rate_limits: { exports_per_hour: 1_000_000 } });
    }
    const ledgers = [
      await openLedger(bed, 'one live', one.live),
      await openLedger(bed, 'one test', one.test),
      await openLedger(bed, 'other live', other.live),
    ];
    return new World(bed, ledgers, calls);
  }

  get operations(): ReadonlyMap<string, Operation> {
    return this.bed.operations;
  }

  client(ledger: Ledger): Client {
    return this.bed.instance.client(ledger.root.headers['x-ledger-key']);
  }

  get #ids(): readonly string[] {
    return this.ledgers.map(({ scope }) => scope.ledgerId);
  }

  /** Begins what may change some ledgers: the others must stay as they are until that is said of them. */
  async begin(changing: readonly Ledger[]): Promise<void> {
    await this.bed.pass(COMMAND_MS);
    // What changes is compared for the last time, and what stays is seen.
    if (this.ledgers.some((one) => changing.includes(one) === this.#contents.has(one.name))) {
      const contents = await this.#query(contentsOf);
      for (const [name, content] of this.#contents) {
        expect(contents.get(name), `lists of ${name} after commands about others`).toBe(content);
      }
      for (const [name, content] of contents) this.#contents.set(name, content);
    }
    for (const { name } of changing) this.#contents.delete(name);
    if (changing.length > 1) this.touch();
  }

  /** Something was done that may have changed any chain. */
  touch(): void {
    this.#heads = null;
  }

  /** The ends of both chains of each ledger, by the name of the ledger. */
  async heads(): Promise<ByLedger> {
    this.#heads ??= await this.#query(headsOf);
    return this.#heads;
  }

  async #query(select: (ledgerId: Sql) => Sql): Promise<ByLedger> {
    const rows = await this.bed.first.service.db.query<{ id: string; content: string }>(sql`
      select l.id, ${select(sql`l.id`)} as content from unnest(${this.#ids}::uuid[]) as l (id)`);
    const byId = new Map(rows.map(({ id, content }) => [id, content]));
    return new Map(this.ledgers.map(({ name, scope }) => [name, byId.get(scope.ledgerId) ?? '']));
  }
}

async function openLedger(bed: Bed, name: string, client: Client): Promise<Ledger> {
  const { key_id } = dataOf(await client.get('/me'), Me).key;
  return emptyLedger(name, await scopeOf(bed.first, client), {
    ...{ id: key_id, headers: { 'x-ledger-key': client.key }, permissions: new Set(PERMISSIONS) },
    ...{ actor: key_id, expiresAt: null, parent: null, isRevoked: false },
  });
}

const headsOf = (ledgerId: Sql): Sql => sql`(
  select string_agg(chain || ' ' || seq || ' ' || encode(hash, 'hex'), ', ' order by chain)
  from chain_heads where ledger_id = ${ledgerId})`;

/** Digests of the lists. An export that an erasure concerns expires a moment later, so its state is left out. */
const contentsOf = (ledgerId: Sql): Sql => sql`concat_ws(' ',
  (select md5(string_agg(t::text, ' ' order by seq)) from decisions t where t.ledger_id = ${ledgerId}),
  (select md5(string_agg(t::text, ' ' order by event_id)) from financial_events t where t.ledger_id = ${ledgerId}),
  (select md5(string_agg(t::text, ' ' order by link_id)) from links t where t.ledger_id = ${ledgerId}),
  (select md5(string_agg(t::text, ' ' order by seq)) from event_reviews t where t.ledger_id = ${ledgerId}),
  (select md5(string_agg(t::text, ' ' order by seq)) from liability_estimates t where t.ledger_id = ${ledgerId}),
  (select md5(string_agg(t::text, ' ' order by key_id)) from api_keys t where t.ledger_id = ${ledgerId}),
  (select md5(string_agg(t::text, ' ')) from settings t where t.ledger_id = ${ledgerId}),
  (select md5(string_agg(concat_ws(' ', export_id, export_type, agent_id, filter_commitment, range_start,
      range_end, requested_by), ' ' order by export_id)) from exports t where t.ledger_id = ${ledgerId}))`;
