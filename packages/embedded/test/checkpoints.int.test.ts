import { type Engine, startEngine } from '@decision-ledger/embedded/engine';
import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connect, DataFolders } from './support/engine-process.js';

const folders = new DataFolders();
let engine: Engine;
let owner: pg.Client;

beforeAll(async () => {
  await folders.prepare();
  engine = await startEngine({ dataDir: folders.copy() });
  owner = await connect(engine.socketPath);
  await owner.query('create table notes (text text)');
});
afterAll(async () => {
  await owner.end();
  await engine.stop();
  folders.remove();
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
  const backup = await connect(engine.socketPath, 'backup');
  await backup.query('checkpoint');
  const held = await lastCheckpoint();
  await writeLog();
  expect(await lastCheckpoint()).toBe(held);
  // The process of a backup may be killed.
  await backup.end();
  await writeLog();
  expect(await lastCheckpoint()).not.toBe(held);
});
