import { Export } from '@decision-ledger/contract/export';
import { Consistency, DecisionProof, Log } from '@decision-ledger/contract/transparency';
import { leafHash } from '@decision-ledger/proof/hash';
import { checkInclusion, proveInclusion } from '@decision-ledger/proof/tlog/proofs';
import { tileNodes, tilePath } from '@decision-ledger/proof/tlog/tiles';
import { openTlogProof } from '@decision-ledger/proof/tlog/tlog-proof';
import { parseVerifierKey } from '@decision-ledger/proof/tlog/verifier-key';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  LogFault,
  rebuildLogs,
  requestDueRebuilds,
  resealLogKeys,
} from '#server/domains/evidence/transparency/index';
import { insertExportCheckpoint } from '#server/domains/evidence/transparency/store/checkpoints';
import { selectBehind } from '#server/platform/followers/behind';
import { idToUuid, uuidToId } from '#server/platform/ids';
import { Keyring } from '#server/platform/keyring/keyring';
import { type Client, dataOf, decision } from '../../support/client.js';
import { decide } from '../../support/estimates.js';
import { followLogs } from '../../support/followers.js';
import { asOwner } from '../../support/owner.js';
import {
  type Engine,
  type Organisation,
  openTestService,
  scopeOf,
  type TestService,
} from '../../support/service.js';
import {
  activityOf,
  CHAINS,
  type Chain,
  expectNoFork,
  published,
  rootOf,
  round,
  storedCheckpoints,
  storedHashes,
  verify,
} from './log-tools.js';

export function transparencySuite(engine: Engine): void {
  let bed: TestService;
  let org: Organisation;
  let client: Client;

  beforeAll(async () => {
    bed = await openTestService(engine);
    // Checkpoints have the time of the database.
    bed.clock.advance(Date.now() - bed.clock.now());
  });
  beforeEach(async () => {
    org = await bed.organisation();
    client = org.live;
  });
  afterAll(() => bed.close());

  const rebuild = async () =>
    rebuildLogs(bed.service.db.ledger(await scopeOf(bed, client)), new AbortController().signal);

  async function decideMany(batches: number): Promise<void> {
    const decisions = Array.from({ length: 100 }, () => decision());
    for (let batch = 0; batch < batches; batch += 1) {
      expect((await client.post('/decisions/batch', { decisions })).status).toBe(201);
    }
  }

  async function isDue(): Promise<boolean> {
    const { ledgerId } = await scopeOf(bed, client);
    const { installation, followers, clock } = bed.service;
    const behind = await selectBehind(installation, followers, clock.now(), [ledgerId]);
    return behind.some(({ follower }) => follower === 'checkpoints');
  }

  async function jobsOf(queue: string): Promise<number> {
    const { ledgerId } = await scopeOf(bed, client);
    const rows = await bed.service.db.query(sql`
      select id from job where name = ${queue} and data ->> 'ledger_id' = ${ledgerId}`);
    return rows.length;
  }

  describe('A round', () => {
    it('A round signs the decisions, chains that, and signs the activity that says so', async () => {
      await decide(client);
      expect((await client.get('/log/decisions/checkpoint')).status).toBe(404);
      await round(bed, client);
      const [decisions, activity] = [
        await published(client, 'decisions'),
        await published(client, 'activity'),
      ];
      expect(decisions.size).toBe(1);
      const [signed] = await activityOf(client, 'checkpoint.signed');
      const root = Buffer.from(decisions.root).toString('base64');
      expect(signed).toMatchObject({
        actor: 'engine',
        subject: decisions.origin,
        data: { origin: decisions.origin, size: 1, root },
      });
      expect(activity.size).toBe(signed?.seq);
      for (const chain of CHAINS) {
        const { size, root: signedRoot } = await published(client, chain);
        const hashes = await storedHashes(bed, client, chain);
        expect(hashes.length).toBe(size);
        expect(Buffer.from(signedRoot)).toEqual(rootOf(hashes));
      }
    });

    it('A round chains the origin and the key of each log before its first checkpoint', async () => {
      await client.patch('/settings', { transparency: { name: 'ledger.example.com' } });
      await round(bed, client);
      await round(bed, org.test);
      const { ledgerId } = await scopeOf(bed, client);
      const ledger = uuidToId('led', ledgerId);
      const started = await activityOf(client, 'log.started');
      expect(started.map(({ subject }) => subject)).toEqual([
        `ledger.example.com/${ledger}/decisions`,
        `ledger.example.com/${ledger}/activity`,
      ]);
      for (const [at, chain] of CHAINS.entries()) {
        const { origin, verifier_key } = dataOf(await client.get(`/log/${chain}`), Log);
        expect(started[at]?.data).toEqual({ origin, verifier_key });
      }
      const keys = new Set(started.map(({ data }) => String(data?.verifier_key).split('+')[2]));
      expect(keys.size).toBe(2);
      expect((await published(org.test, 'decisions')).origin).toMatch(
        /^decision-ledger\/led_\w+\/decisions\/test$/,
      );
      await client.patch('/settings', { transparency: { name: 'other.example.com' } });
      await round(bed, client);
      expect((await published(client, 'activity')).origin).toContain('ledger.example.com');
    });

    it('A round signs an empty tree, which contradicts a chain that is said to be older', async () => {
      await round(bed, client);
      const { size, root } = await published(client, 'decisions');
      expect([size, Buffer.from(root)]).toEqual([0, rootOf([])]);
    });

    it('A round signs nothing and chains nothing if nothing was recorded since', async () => {
      await decide(client);
      await round(bed, client);
      const before = await published(client, 'activity');
      await round(bed, client);
      await round(bed, client);
      expect(await published(client, 'activity')).toEqual(before);
      expect((await storedCheckpoints(bed, client, 'decisions')).length).toBe(1);
    });

    it('A round is due after the interval, and only if anything was recorded', async () => {
      await client.patch('/settings', { transparency: { interval_seconds: 100 } });
      await decide(client);
      expect(await isDue()).toBe(false);
      bed.clock.advance(100_000);
      expect(await isDue()).toBe(true);
      await followLogs(bed.service, [(await scopeOf(bed, client)).ledgerId]);
      expect((await published(client, 'decisions')).size).toBe(1);
      await expectNoFork(bed, client);
      bed.clock.advance(1_000_000);
      expect(await isDue(), 'its own record is no reason').toBe(false);
      await decide(client);
      expect(await isDue()).toBe(true);
    });
  });

  describe('The tree', () => {
    it('The tree follows the records over tiles of several levels, and can be read tile by tile', async () => {
      await decideMany(3);
      await round(bed, client);
      await decideMany(3);
      await round(bed, client);
      const { size, root } = await published(client, 'decisions');
      expect(size).toBe(600);
      const hashes = await storedHashes(bed, client, 'decisions');
      expect(Buffer.from(root)).toEqual(rootOf(hashes));
      const read = tileNodes(size, async (tile) => {
        const answer = await bed.http.inject({
          url: `/api/v1/log/decisions/${tilePath(tile)}`,
          headers: { 'x-ledger-key': client.key },
        });
        expect(answer.headers['content-type']).toBe('application/octet-stream');
        return answer.rawPayload;
      });
      for (const index of [0, 255, 256, 511, 512, 599]) {
        const proof = await proveInclusion(index, size, read);
        const leaf = hashes[index] ?? Buffer.alloc(0);
        checkInclusion({ index, size, leaf, proof, root });
      }
      await rebuild();
      await expectNoFork(bed, client);
    });

    it('The entries of a tile have the hashes of its leaves', async () => {
      await decideMany(3);
      await round(bed, client);
      const entries = await bed.http.inject({
        url: '/api/v1/log/decisions/tile/entries/001.p/44',
        headers: { 'x-ledger-key': client.key },
      });
      const hashes: string[] = [];
      for (let at = 0; at < entries.rawPayload.length; ) {
        const length = entries.rawPayload.readUInt16BE(at);
        hashes.push(leafHash(entries.rawPayload.toString('utf8', at + 2, at + 2 + length)));
        at += 2 + length;
      }
      const stored = await storedHashes(bed, client, 'decisions');
      expect(hashes).toEqual(stored.slice(256).map((hash) => hash.toString('hex')));
    });

    it.each([
      ...['0/000', '0/000.p/2', '0/001', '1/000', '1/000.p/1', '7/000.p/1', '0/0', '0/x000/000'],
      ...['entries/000', 'entries/000.p/2', '', 'x', '0/000.p/1/', '-1/000'],
    ])('The path %j names no tile that the last checkpoint covers', async (path) => {
      await decide(client);
      await round(bed, client);
      await decide(client);
      expect((await client.get('/log/decisions/tile/0/000.p/1')).status).toBe(200);
      expect((await client.get(`/log/decisions/tile/${path}`)).status).toBe(404);
    });

    it('The tree proves that it goes on, for sizes that a checkpoint covers', async () => {
      for (let at = 0; at < 4; at += 1) {
        await decide(client);
        await round(bed, client);
      }
      await expectNoFork(bed, client);
      const path = '/log/decisions/consistency';
      const empty = dataOf(await client.get(`${path}?first=0&second=4`), Consistency);
      expect(empty.proof).toEqual([]);
      for (const query of [
        'first=3&second=5',
        'first=4&second=3',
        'first=-1&second=3',
        'first=1',
      ]) {
        expect((await client.get(`${path}?${query}`)).status, query).toBe(422);
      }
    });
  });

  describe('The proof of a decision', () => {
    it('The proof of a decision is pending until a checkpoint covers it, and then stands alone', async () => {
      const { decision_id, hash, seq } = await decide(client);
      const path = `/decisions/${decision_id}/proof`;
      const pending = dataOf(await client.get(path), DecisionProof, 202);
      expect(pending).toMatchObject({ status: 'pending', seq, hash, tlog_proof: null });
      await round(bed, client);
      const other = await decide(client);
      const proof = dataOf(await client.get(path), DecisionProof);
      const key = parseVerifierKey(proof.verifier_key ?? '');
      const text = proof.tlog_proof ?? '';
      expect(await openTlogProof(text, Buffer.from(hash, 'hex'), key, verify)).toBe(seq - 1);
      const wrong = Buffer.from(other.hash, 'hex');
      await expect(openTlogProof(text, wrong, key, verify)).rejects.toThrow(/root/);
      expect((await client.get(`/decisions/${other.decision_id}/proof`)).status).toBe(202);
    });

    it('The proof of a decision of another ledger is not found', async () => {
      const { decision_id } = await decide(client);
      await round(bed, client);
      const stranger = (await bed.organisation()).live;
      expect((await stranger.get(`/decisions/${decision_id}/proof`)).status).toBe(404);
      expect((await org.test.get(`/decisions/${decision_id}/proof`)).status).toBe(404);
      expect((await client.get('/decisions/dec_x/proof')).status).toBe(404);
    });
  });

  describe('A public log', () => {
    it('A public log shows its tree to anybody, and never its entries', async () => {
      await decide(client);
      await round(bed, client);
      const { ledgerId } = await scopeOf(bed, client);
      const base = `/logs/${uuidToId('led', ledgerId)}/decisions`;
      const nobody = bed.client();
      const paths = ['checkpoint', 'tile/0/000.p/1', 'consistency?first=0&second=1'];
      for (const path of paths) expect((await nobody.get(`${base}/${path}`)).status).toBe(404);
      await client.patch('/settings', { transparency: { public: 'tree' } });
      for (const path of paths) expect((await nobody.get(`${base}/${path}`)).status).toBe(200);
      const own = await client.get('/log/decisions/checkpoint');
      expect((await nobody.get(`${base}/checkpoint`)).text).toBe(own.text);
      expect((await nobody.get(`${base}/tile/entries/000.p/1`)).status).toBe(404);
      expect((await client.get('/log/decisions/tile/entries/000.p/1')).status).toBe(200);
      expect((await nobody.get('/log/decisions/checkpoint')).status).toBe(401);
      expect((await nobody.get('/logs/led_x/decisions/checkpoint')).status).toBe(404);
    });
  });

  describe('A log that contradicts its records', () => {
    const TAMPERED: [name: string, chain: Chain, statement: string, undo: string][] = [
      [
        'Another hash of a record',
        'decisions',
        "update decisions set hash = '\\x00' where ledger_id = $1 and seq = 2",
        "update decisions set hash = sha256('\\x00'::bytea || entry::bytea) where ledger_id = $1 and seq = 2",
      ],
      [
        'Another frontier',
        'decisions',
        'update tlogs set frontier = sha256(frontier) where ledger_id = $1 and size = 1',
        '',
      ],
      [
        'Another root of a checkpoint',
        'activity',
        "update checkpoints set root = sha256(root) where ledger_id = $1 and chain = 'activity'",
        '',
      ],
    ];

    it.each(TAMPERED.slice(0, 1))('%s is found by a rebuild', async (_, __, statement, undo) => {
      for (let at = 0; at < 3; at += 1) await decide(client);
      await round(bed, client);
      await rebuild();
      const { ledgerId } = await scopeOf(bed, client);
      await asOwner(bed, statement, [ledgerId]);
      await expect(rebuild()).rejects.toThrow(LogFault);
      await decide(client);
      await expect(round(bed, client)).rejects.toThrow(LogFault);
      bed.clock.advance(86_400_000);
      expect(await isDue()).toBe(false);
      await asOwner(bed, undo, [ledgerId]);
      await rebuild();
      await round(bed, client);
      expect((await published(client, 'decisions')).size).toBe(4);
    });

    it.each(TAMPERED.slice(1))('%s is refused by the next round', async (_, chain, statement) => {
      await decide(client);
      await round(bed, client);
      const { ledgerId } = await scopeOf(bed, client);
      await asOwner(bed, statement, [ledgerId]);
      await decide(client);
      await expect(round(bed, client)).rejects.toThrow(LogFault);
      await expect(rebuild()).rejects.toThrow(LogFault);
      const sizes = await storedCheckpoints(bed, client, chain);
      expect(sizes.length).toBe(1);
    });

    it('A cut chain is refused by the next round', async () => {
      await decide(client);
      await decide(client);
      await round(bed, client);
      const { ledgerId } = await scopeOf(bed, client);
      await asOwner(bed, 'delete from decisions where ledger_id = $1 and seq = 2', [ledgerId]);
      await asOwner(
        bed,
        `update chain_heads h set seq = 1, hash = d.hash from decisions d
         where h.ledger_id = $1 and d.ledger_id = $1 and h.chain = 'decisions'`,
        [ledgerId],
      );
      await expect(round(bed, client)).rejects.toThrow(/1 records, and .* 2 leaves/);
      await decide(client);
      await expect(rebuild()).rejects.toThrow(LogFault);
    });

    it('A cut chain of activity is refused by the next round of decisions', async () => {
      await decide(client);
      await round(bed, client);
      const { ledgerId } = await scopeOf(bed, client);
      const cut = `delete from activity where ledger_id = $1 and seq = (
        select max(seq) from activity where ledger_id = $1)`;
      await asOwner(bed, cut, [ledgerId]);
      await asOwner(
        bed,
        `update chain_heads h set seq = a.seq, hash = a.hash from activity a
         where h.ledger_id = $1 and a.ledger_id = $1 and h.chain = 'activity'
           and a.seq = (select max(seq) from activity where ledger_id = $1)`,
        [ledgerId],
      );
      await decide(client);
      await expect(round(bed, client)).rejects.toThrow(/the chain of activity has \d+ records/);
      expect(await storedCheckpoints(bed, client, 'decisions')).toHaveLength(1);
    });

    it('Logs are rebuilt once a night', async () => {
      const due = () => requestDueRebuilds(bed.service);
      await round(bed, client);
      await due();
      expect(await jobsOf('log-rebuilds')).toBe(0);
      bed.clock.advance(86_400_000);
      await due();
      expect(await jobsOf('log-rebuilds')).toBe(1);
      await asOwner(bed, 'delete from job');
      await rebuild();
      await due();
      expect(await jobsOf('log-rebuilds')).toBe(0);
    });
  });

  it('A change of the master key reseals the keys of the logs', async () => {
    const { db, keyring } = bed.service;
    const [old] = keyring.keys;
    const ring = new Keyring([Buffer.alloc(32, 8), ...(old === undefined ? [] : [old.bytes])]);
    const [target] = ring.keys;
    if (target === undefined) throw new Error('the ring has no key');
    await decide(client);
    await round(bed, client);
    const scope = await scopeOf(bed, client);
    const { verifier_key } = dataOf(await client.get('/log/decisions'), Log);
    const resealed = await db.ledger(scope).write((tx) => resealLogKeys(tx, ring, target));
    expect(resealed).toEqual({ values: 2, unreadable: [] });
    await decide(client);
    await expect(round(bed, client)).rejects.toThrow(/cannot be decrypted/);
    await round(bed, client, { ...bed.service, keyring: ring.only(target) });
    expect((await published(client, 'decisions')).size).toBe(2);
    expect(dataOf(await client.get('/log/decisions'), Log).verifier_key).toBe(verifier_key);
  });

  describe('Old checkpoints', () => {
    it('Old checkpoints are thinned to the last of each hour, except those that an export holds', async () => {
      for (let at = 0; at < 6; at += 1) {
        await decide(client);
        await round(bed, client);
      }
      const { ledgerId } = await scopeOf(bed, client);
      // Sizes 1 to 5 are old; 1 to 3 of one hour, 4 and 5 of the next one.
      await asOwner(
        bed,
        `update checkpoints set created_at = timestamptz '2025-01-01T10:00Z' +
           make_interval(mins => size::integer * 10, hours => (size > 3)::integer)
         where ledger_id = $1 and chain = 'decisions' and size < 6`,
        [ledgerId],
      );
      const exported = await client.post('/exports', {
        export_type: 'insurance',
        start_date: '2026-01-01',
        end_date: '2026-02-01',
      });
      const { export_id } = dataOf(exported, Export, 202);
      const uuid = idToUuid('exp', export_id) ?? '';
      const log = { chain: 'decisions', generation: 1 } as const;
      await bed.service.db
        .ledger(await scopeOf(bed, client))
        .write((tx) => insertExportCheckpoint(tx, uuid, log, 2));
      await rebuild();
      const left = await storedCheckpoints(bed, client, 'decisions');
      expect(left.map(({ size }) => size)).toEqual([2, 3, 5, 6]);
    });
  });
}
