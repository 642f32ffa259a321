import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EngineUser, engineClientConfig } from '@decision-ledger/embedded/connection';
import { type Engine, startEngine } from '@decision-ledger/embedded/engine';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'decision-ledger-checkpoints-'));
let engine: Engine;
let owner: pg.Client;

async function connect(user: EngineUser): Promise<pg.Client> {
  const client = new pg.Client(engineClientConfig(engine.socketPath, user));
  await client.connect();
  return client;
}

beforeAll(async () => {
  engine = await startEngine({ dataDir: join(folder, 'data') });
  owner = await connect('postgres');
  await owner.query('create table notes (text text)');
});
afterAll(async () => {
  await owner.end();
  await engine.stop();
  rmSync(folder, { recursive: true });
});

async function lastCheckpoint(): Promise<string> {
  const { rows } = await owner.query('select redo_lsn::text as redo from pg_control_checkpoint()');
  return rows[0].redo;
}

/** More log than the engine writes between two checkpoints, in statements that commit. */
async function writeLog(): Promise<void> {
  for (let part = 0; part < 9; part += 1) {
    await owner.query(
      'insert into notes select repeat(md5(n::text), 60) from generate_series(1, 5000) n',
    );
    await owner.query("select pg_logical_emit_message(true, 'test', repeat('x', 8000000))");
  }
}

it('No checkpoint is made while a backup is connected, however it ends', async () => {
  const backup = await connect('backup');
  await backup.query('checkpoint');
  const held = await lastCheckpoint();
  await writeLog();
  expect(await lastCheckpoint()).toBe(held);
  // The process of a backup may be killed.
  await backup.end();
  await writeLog();
  expect(await lastCheckpoint()).not.toBe(held);
});
