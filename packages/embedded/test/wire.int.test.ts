import { randomBytes } from 'node:crypto';
import { connect as dial, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { engineClientConfig } from '@decision-ledger/embedded/connection';
import { type Engine, startEngine } from '@decision-ledger/embedded/engine';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { cpuMs } from '../../proof/test/support/cpu-time.js';
import { connect, DataFolders } from './support/engine-process.js';

/** Far longer than a busy machine may delay a client's next statement. */
const IDLE_MS = 2_000;

const folders = new DataFolders();
const open: pg.Client[] = [];
let engine: Engine;

beforeAll(async () => {
  await folders.prepare();
  engine = await startEngine({ dataDir: folders.copy(), idleTransactionMs: IDLE_MS });
  const owner = await client();
  await owner.query(`
    create role ledger_app nologin;
    create table things (id bigint primary key, name text, data bytea);
    create table guarded (id bigint primary key);
    grant select, insert, update, delete on things to ledger_app;
    grant insert, select on guarded to ledger_app`);
});

afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.end()));
  await connect(engine.socketPath).then(async (owner) => {
    await owner.query('truncate things, guarded');
    await owner.end();
  });
});

afterAll(async () => {
  await engine.stop();
  folders.remove();
});

async function client(extra: pg.ClientConfig = {}): Promise<pg.Client> {
  const made = await connect(engine.socketPath, 'postgres', extra);
  open.push(made);
  return made;
}

async function app(): Promise<pg.Client> {
  const made = await connect(engine.socketPath, 'ledger_app');
  open.push(made);
  return made;
}

async function names(reader: pg.Client): Promise<string[]> {
  const { rows } = await reader.query<{ name: string }>('select name from things order by id');
  return rows.map(({ name }) => name);
}

describe('Statements', () => {
  it('Parameters of every kind are passed and returned unchanged', async () => {
    const reader = await client();
    const bytes = randomBytes(1000);
    const { rows } = await reader.query(
      'select $1::int as i, $2::text as t, $3::bytea as b, $4::text[] as a, $5::jsonb as j, $6::text as n',
      [7, 'Zoë 🌍 \\ \'"', bytes, ['x', 'ÿ, "z"'], { k: [1, null] }, null],
    );
    expect(rows).toEqual([
      { i: 7, t: 'Zoë 🌍 \\ \'"', b: bytes, a: ['x', 'ÿ, "z"'], j: { k: [1, null] }, n: null },
    ]);
  });

  it('Statements and their results may be large', async () => {
    const reader = await client();
    const bytes = randomBytes(8 << 20);
    const { rows } = await reader.query<{ b: Buffer }>('select $1::bytea as b', [bytes]);
    expect(rows[0]?.b.equals(bytes)).toBe(true);
    const many = await reader.query("select i, repeat('x', 100) from generate_series(1, 50000) i");
    expect(many.rows).toHaveLength(50_000);
  });

  it('A failing statement returns its error and leaves the connection usable', async () => {
    const reader = await client();
    await expect(reader.query('selec 1')).rejects.toMatchObject({ code: '42601' });
    await expect(reader.query('select 1 / $1::int', [0])).rejects.toMatchObject({ code: '22012' });
    await expect(reader.query('select $1::int', ['x'])).rejects.toMatchObject({ code: '22P02' });
    await expect(reader.query('select 1; select 1 / 0')).rejects.toMatchObject({ code: '22012' });
    expect((await reader.query('select 2 as two')).rows).toEqual([{ two: 2 }]);
  });

  it('Statements may be sent without waiting for the answers', async () => {
    const sender = await client({ pipeline: true });
    const answers = await Promise.allSettled([
      sender.query('select 1 as v'),
      sender.query('select 1 / $1::int as v', [0]),
      sender.query({ name: 'same', text: 'select $1::text as v', values: ['a'] }),
      sender.query('selec'),
      sender.query({ name: 'same', text: 'select $1::text as v', values: ['b'] }),
    ]);
    const seen = answers.map((each) =>
      each.status === 'fulfilled' ? each.value.rows[0].v : each.reason.code,
    );
    expect(seen).toEqual([1, '22012', 'a', '42601', 'b']);
  });

  it('COPY FROM STDIN is refused', async () => {
    const sender = await client();
    const copy = 'copy things (id, name) from stdin';
    await expect(sender.query(copy)).rejects.toThrow('does not support COPY FROM STDIN');
    await expect(sender.query({ text: copy, values: [] })).rejects.toThrow(
      'not support COPY FROM STDIN',
    );
    expect((await sender.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });

  it('Session timeouts cannot end the shared session', async () => {
    const sender = await client();
    await sender.query(
      'set idle_session_timeout = 50; set idle_in_transaction_session_timeout = 50',
    );
    await sender.query('begin');
    await pause(200);
    expect((await sender.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await sender.query('commit');
    await pause(200);
    await sender.query('reset idle_session_timeout; reset idle_in_transaction_session_timeout');
  });
});

describe('Prepared statements', () => {
  it('Prepared statements of one name are separate for each connection', async () => {
    const [a, b] = [await client(), await client()];
    const long = 'n'.repeat(63);
    for (const name of ['same', long]) {
      const first = { name, text: "select 'a' as v" };
      const second = { name, text: "select 'b' as v" };
      for (let round = 0; round < 3; round += 1) {
        expect((await a.query(first)).rows).toEqual([{ v: 'a' }]);
        expect((await b.query(second)).rows).toEqual([{ v: 'b' }]);
      }
    }
  });

  it('Prepared statements are dropped with their connection', async () => {
    const [a, b] = [await client(), await client()];
    await a.query({ name: 'gone', text: 'select 1' });
    const count =
      "select count(*)::int as n from pg_prepared_statements where statement = 'select 1'";
    expect((await b.query(count)).rows).toEqual([{ n: 1 }]);
    await a.end();
    await expect.poll(async () => (await b.query(count)).rows).toEqual([{ n: 0 }]);
  });

  it('An unnamed statement never runs for another connection', async () => {
    const [a, b] = [await raw(), await raw()];
    a.write(Buffer.concat([message('P', '\0select 1\0\0\0'), message('S')]));
    await a.until('Z');
    b.write(Buffer.concat([message('P', '\0select 2\0\0\0'), message('S')]));
    await b.until('Z');
    a.write(Buffer.concat([message('B', '\0\0\0\0\0\0\0\0'), message('S')]));
    expect(await a.until('Z')).toContain('26000');
    a.socket.destroy();
    b.socket.destroy();
  });
});

describe('Transactions', () => {
  it('Transactions of several connections do not mix', async () => {
    const [a, b] = [await client(), await client()];
    await a.query('begin');
    await a.query("insert into things values (1, 'a')");
    const waiting = b.query("insert into things values (2, 'b')");
    await a.query("insert into things values (3, 'a')");
    await a.query('rollback');
    await waiting;
    expect(await names(b)).toEqual(['b']);
  });

  it('A failed transaction keeps the session until it ends', async () => {
    const [a, b] = [await client(), await client()];
    await a.query('begin');
    await expect(a.query('select 1 / 0')).rejects.toMatchObject({ code: '22012' });
    const waiting = b.query("insert into things values (2, 'b')");
    await expect(a.query('select 1')).rejects.toMatchObject({ code: '25P02' });
    await a.query('rollback');
    await waiting;
    expect(await names(a)).toEqual(['b']);
  });

  it('Transactions run in the order of their requests', async () => {
    const clients = await Promise.all(Array.from({ length: 6 }, () => client()));
    const order: number[] = [];
    await clients[0]?.query('begin');
    const turns: Promise<void>[] = [];
    for (const [index, each] of clients.slice(1).entries()) {
      const takeTurn = async () => {
        await each.query('begin');
        order.push(index);
        await each.query('commit');
      };
      turns.push(takeTurn());
      // What was sent before these was read before their answers.
      for (const _ of [1, 2]) await clients[0]?.query('select 1');
    }
    await clients[0]?.query('commit');
    await Promise.all(turns);
    expect(order).toEqual([0, 1, 2, 3, 4]);
  });

  it('Concurrent transactions lose no update', async () => {
    const clients = await Promise.all(Array.from({ length: 8 }, () => client({ pipeline: true })));
    await clients[0]?.query("insert into things values (0, '0')");
    await Promise.all(
      clients.map(async (each) => {
        for (let round = 0; round < 25; round += 1) {
          await each.query('begin');
          const { rows } = await each.query<{ name: string }>('select name from things');
          await each.query('update things set name = $1', [String(Number(rows[0]?.name) + 1)]);
          await each.query('commit');
        }
      }),
    );
    expect(await names(await client())).toEqual(['200']);
  });

  it('A transaction is rolled back when its client disconnects', async () => {
    const [a, b] = [await client(), await client()];
    await a.query('begin');
    await a.query("insert into things values (1, 'a')");
    const waiting = b.query("insert into things values (2, 'b')");
    a.connection.stream.destroy();
    await waiting;
    expect(await names(b)).toEqual(['b']);
  });

  it('A transaction is rolled back when its client disconnects within a group of messages', async () => {
    const [a, b] = [await raw(), await client()];
    a.write(
      Buffer.concat([
        message('P', "\0insert into things values (1, 'a')\0\0\0"),
        message('B', '\0\0\0\0\0\0\0\0'),
        message('E', '\0\0\0\0\0'),
        message('H'),
      ]),
    );
    expect(await a.until('C')).toContain('INSERT 0 1');
    a.socket.destroy();
    expect(await names(b)).toEqual([]);
  });

  it('An idle transaction is rolled back, and other clients continue', async () => {
    const [a, b] = [await client(), await client()];
    await a.query('begin');
    await a.query("insert into things values (1, 'a')");
    const lost = new Promise<Error>((resolve) => a.once('error', resolve));
    const waiting = b.query("insert into things values (2, 'b')");
    for (let turn = 0; turn < 4; turn += 1) await (await client()).end();
    await waiting;
    expect(await lost).toMatchObject({ code: '25P03' });
    expect(await names(b)).toEqual(['b']);
  });

  it('A transaction may outlast the idle limit while its client is active', async () => {
    const a = await client();
    await a.query('begin');
    for (let turn = 0; turn < 4; turn += 1) {
      await pause(IDLE_MS / 3);
      await a.query('insert into things values ($1, $2)', [turn, 'a']);
    }
    await a.query('commit');
    expect(await names(a)).toHaveLength(4);
  });
});

describe('Roles', () => {
  it('The role follows the user of the connection', async () => {
    const [owner, service] = [await client(), await app()];
    for (let round = 0; round < 3; round += 1) {
      await service.query('insert into guarded values ($1)', [round]);
      await expect(service.query('delete from guarded')).rejects.toMatchObject({ code: '42501' });
      expect((await service.query('select current_user as u')).rows).toEqual([{ u: 'ledger_app' }]);
      expect((await owner.query('select current_user as u')).rows).toEqual([{ u: 'postgres' }]);
    }
    await owner.query('delete from guarded');
  });

  it('A role set by a connection stays with it', async () => {
    const [a, b] = [await client(), await client()];
    await a.query('set role ledger_app');
    expect((await b.query('select current_user as u')).rows).toEqual([{ u: 'postgres' }]);
    expect((await a.query('select current_user as u')).rows).toEqual([{ u: 'ledger_app' }]);
    await a.query('reset role');
    await a.query('begin');
    await a.query('set role ledger_app');
    await a.query('select 1');
    await a.query('commit');
    expect((await b.query('select current_user as u')).rows).toEqual([{ u: 'postgres' }]);
    expect((await a.query('select current_user as u')).rows).toEqual([{ u: 'ledger_app' }]);
    await a.query('begin');
    await a.query('set local role postgres');
    await a.query('rollback');
    expect((await b.query('select current_user as u')).rows).toEqual([{ u: 'postgres' }]);
    expect((await a.query('select current_user as u')).rows).toEqual([{ u: 'ledger_app' }]);
  });

  it('Only the two roles of the service may connect, and only to its database', async () => {
    const config = engineClientConfig(engine.socketPath, 'postgres');
    const stranger = new pg.Client({ ...config, user: 'stranger' });
    await expect(stranger.connect()).rejects.toMatchObject({ code: '28000' });
    const elsewhere = new pg.Client({ ...config, database: 'elsewhere' });
    await expect(elsewhere.connect()).rejects.toMatchObject({ code: '3D000' });
  });
});

describe('Protocol', () => {
  it('Messages may arrive in any pieces', async () => {
    const one = await raw();
    const bytes = Buffer.concat([
      message('P', '\0select 7\0\0\0'),
      message('B', '\0\0\0\0\0\0\0\0'),
      message('E', '\0\0\0\0\0'),
      message('S'),
      message('Q', 'select 8\0'),
    ]);
    for (const byte of bytes) {
      one.write(Buffer.from([byte]));
      await pause(0);
    }
    await one.until('Z');
    expect(await one.until('Z')).toContain('8');
    one.socket.destroy();
  });

  it('A request for TLS is answered with no', async () => {
    const socket = dial(engine.socketPath);
    socket.write(Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]));
    const [answer] = await new Promise<Buffer[]>((resolve) => {
      socket.once('data', (data) => resolve([data]));
    });
    expect(answer?.toString()).toBe('N');
    socket.destroy();
  });

  it.for([
    ['an unknown message', message('?')],
    ['a negative length', Buffer.from('Q\xff\xff\xff\xff', 'latin1')],
    ['an endless length', Buffer.from('Q\x7f\xff\xff\xff', 'latin1')],
    ['a name without an end', Buffer.concat([message('P', 'abc'), message('S')])],
    ['an empty Describe', Buffer.concat([message('D'), message('S')])],
    [
      'a Bind of garbage',
      Buffer.concat([
        message('P', '\0select 1\0\0\0'),
        message('B', '\0\0\xff\xff\xff\xff'),
        message('S'),
      ]),
    ],
    ['an Execute of garbage', Buffer.concat([message('E', 'abc'), message('S')])],
    ['a query without an end', message('Q', 'select 1')],
    ['a query of no text at all', message('Q')],
  ] as const)('The connection gets an error for %s, and others continue', async ([, bytes]) => {
    const [bad, good] = [await raw(), await client()];
    bad.write(bytes);
    expect(await bad.until('E')).toContain('08P01');
    expect((await good.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    bad.socket.destroy();
  });

  it('The server survives random bytes', async () => {
    for (let round = 0; round < 40; round += 1) {
      const bad = await raw();
      const type = 'PBEDCSQH'.charAt(round % 8);
      bad.write(Buffer.concat([message(type, randomBytes(round * 3)), message('S')]));
      await bad.until('E', 'Z');
      bad.socket.destroy();
    }
    expect((await (await client()).query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });
});

it('Batches of 100 rows are inserted at a useful rate', async () => {
  const writer = await client();
  const rows = 20_000;
  const text = 'insert into things (id, name) select * from unnest($1::bigint[], $2::text[])';
  const used = await cpuMs(async () => {
    for (let id = 0; id < rows; id += 100) {
      const ids = Array.from({ length: 100 }, (_, index) => id + index);
      const values = [ids, ids.map((each) => `thing ${each}`)];
      await writer.query({ name: 'batch', text, values });
    }
  });
  const rate = rows / (used / 1000);
  console.info(`${Math.round(rate)} rows in a CPU second, in batches of 100`);
  expect(rate).toBeGreaterThan(1000);
});

function message(type: string, body: string | Buffer = ''): Buffer {
  const bytes = typeof body === 'string' ? Buffer.from(body, 'latin1') : body;
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(bytes.length + 4, 1);
  return Buffer.concat([head, bytes]);
}

interface Raw {
  readonly socket: Socket;
  write(bytes: Buffer): void;
  /** Reads to the next message of one of the types; returns everything up to there as text. */
  until(...types: string[]): Promise<string>;
}

async function raw(): Promise<Raw> {
  const socket = dial(engine.socketPath);
  const chunks = socket[Symbol.asyncIterator]();
  let buffer = Buffer.alloc(0);
  const until = async (...types: string[]) => {
    let seen = '';
    for (;;) {
      const length = buffer.length < 5 ? Infinity : buffer.readInt32BE(1) + 1;
      if (buffer.length >= length) {
        const type = buffer.toString('latin1', 0, 1);
        seen += buffer.toString('latin1', 0, length);
        buffer = buffer.subarray(length);
        if (types.includes(type)) return seen;
      } else {
        const next = await chunks.next();
        if (next.done === true) throw new Error(`the connection ended after ${seen}`);
        buffer = Buffer.concat([buffer, next.value]);
      }
    }
  };
  const body = '\0\x03\0\0user\0postgres\0database\0postgres\0\0';
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  socket.write(Buffer.concat([length, Buffer.from(body, 'latin1')]));
  await until('Z');
  return { socket, write: (bytes) => socket.write(bytes), until };
}
