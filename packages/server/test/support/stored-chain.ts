import { isDeepStrictEqual } from 'node:util';
import pg from 'pg';
import type { Journal } from './load.js';

/** A decision as read by plain SQL. */
export interface StoredDecision {
  readonly seq: number;
  readonly hash: string;
  readonly prevHash: string;
  /** The expected hash, computed by the database. */
  readonly rehash: string;
  readonly id: string;
  /** The order that recorded it, and its position in that order. */
  readonly request: string;
  readonly place: number;
}

export interface StoredChain {
  readonly genesisHash: string;
  readonly head: { readonly seq: number; readonly hash: string };
  readonly decisions: readonly StoredDecision[];
}

/** The tables of a chain of decisions, which have other names on the nodes of a cluster. */
export interface ChainTables {
  readonly decisions: string;
  readonly chains: string;
  readonly chain_heads: string;
}

const TABLES: ChainTables = {
  ...{ decisions: 'decisions', chains: 'chains', chain_heads: 'chain_heads' },
};

/** The decisions chain of the only live ledger, read without code of the product. */
export async function readStoredChain(connection: pg.ClientConfig): Promise<StoredChain> {
  return withClient(connection, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      "select ledger_id as id from ledgers where mode = 'live'",
    );
    const [ledger] = rows;
    if (ledger === undefined || rows.length > 1) throw new Error('not exactly one live ledger');
    return readChainOf(client, ledger.id);
  });
}

/** The decisions chain of a ledger, read without code of the product. */
export async function readChainOf(
  client: pg.Client,
  ledger: string,
  { decisions, chains, chain_heads }: ChainTables = TABLES,
): Promise<StoredChain> {
  const { rows } = await client.query<{ genesisHash: string; seq: number; hash: string }>(
    `select encode(c.genesis_hash, 'hex') as "genesisHash", h.seq::int as seq,
      encode(h.hash, 'hex') as hash
    from ${chains} c join ${chain_heads} h on h.ledger_id = c.ledger_id and h.chain = c.chain
    where c.ledger_id = $1 and c.chain = 'decisions'`,
    [ledger],
  );
  const [chain] = rows;
  if (chain === undefined) throw new Error(`the ledger ${ledger} has no chain of decisions`);
  const { genesisHash, seq, hash } = chain;
  const stored = await client.query<StoredDecision>(
    `select seq::int as seq, encode(hash, 'hex') as hash, encode(prev_hash, 'hex') as "prevHash",
      encode(sha256('\\x00'::bytea || convert_to(entry, 'UTF8')), 'hex') as rehash,
      entry::json ->> 'decision_id' as id, entry::json ->> 'action_type' as request,
      (inputs::json -> 2 ->> 'place')::int as place
    from ${decisions} where ledger_id = $1 order by seq`,
    [ledger],
  );
  return { genesisHash, head: { seq, hash }, decisions: stored.rows };
}

export async function withClient<Result>(
  connection: pg.ClientConfig,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Faults of the chain from the genesis to the head: gaps, forks, wrong hashes. */
export function chainFaults({ genesisHash, head, decisions }: StoredChain): string[] {
  const faults: string[] = [];
  let [seq, hash] = [0, genesisHash];
  for (const decision of decisions) {
    seq += 1;
    if (decision.seq !== seq) faults.push(`seq ${seq} is missing, ${decision.seq} follows`);
    if (decision.prevHash !== hash) faults.push(`seq ${seq} does not follow the one before`);
    if (decision.rehash !== decision.hash)
      faults.push(`seq ${seq} has another hash than its entry`);
    ({ seq, hash } = decision);
  }
  if (head.seq !== seq || head.hash !== hash) faults.push(`the head is at ${head.seq}, not ${seq}`);
  const predecessors = new Set(decisions.map(({ prevHash }) => prevHash));
  if (predecessors.size !== decisions.length) faults.push('two decisions have one predecessor');
  return faults;
}

/**
 * Differences between a load and its acknowledgements: each acknowledged order is stored once,
 * whole, contiguous, in order and as acknowledged; every other order is stored so or not at all;
 * nothing else is stored.
 */
export function loadFaults({ decisions }: StoredChain, journal: Journal): string[] {
  const faults = [...journal.contradictions];
  const stored = new Map<string, StoredDecision[]>();
  for (const decision of decisions) {
    const group = stored.get(decision.request);
    if (group === undefined) stored.set(decision.request, [decision]);
    else group.push(decision);
  }
  for (const [name, group] of stored) {
    const size = journal.sent.get(name)?.size;
    const first = group[0]?.seq ?? 0;
    // An order that was also sent by halves may have been recorded by halves.
    const isPlace = journal.halves.has(name)
      ? (seq: number, n: number) => seq > (group[n - 1]?.seq ?? 0)
      : (seq: number, n: number) => seq === first + n;
    const inOrder = group.every(({ seq, place }, n) => isPlace(seq, n) && place === n);
    if (size === undefined) faults.push(`nobody sent ${name}`);
    else if (group.length !== size) faults.push(`${name}: ${group.length} of ${size} are there`);
    else if (!inOrder) faults.push(`${name} is torn apart or out of order`);
  }
  for (const [name, receipts] of journal.acknowledged) {
    const group = stored.get(name) ?? [];
    const same = receipts.every(({ decision_id, seq, hash, prev_hash }, n) => {
      const found = group[n];
      return (
        found?.id === decision_id &&
        found.seq === seq &&
        found.hash === hash &&
        found.prevHash === prev_hash
      );
    });
    if (!same) faults.push(`${name} is not stored as it was acknowledged`);
    const half = journal.halves.get(name);
    if (half !== undefined && !isDeepStrictEqual(half, receipts.slice(0, half.length))) {
      faults.push(`half of ${name} was answered differently`);
    }
  }
  return faults;
}
