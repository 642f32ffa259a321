import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describePostgres } from '../support/postgres.js';
import {
  type PostgresServer,
  startPostgres,
  type TestDatabase,
} from '../support/postgres-server.js';

describePostgres('PostgreSQL server of the tests', () => {
  let server: PostgresServer;
  let database: TestDatabase;

  beforeAll(async () => {
    server = await startPostgres();
    database = await server.createDatabase();
  });
  afterAll(() => server.stop());

  async function query(text: string, url = database.url): Promise<unknown[]> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.end();
    }
  }

  it('The server runs with the durability of a real one', async () => {
    const settings = ['fsync', 'synchronous_commit', 'full_page_writes'];
    for (const setting of settings) {
      expect(await query(`SHOW ${setting}`)).toEqual([{ [setting]: 'on' }]);
    }
  });

  it('Committed data survives a crash', async () => {
    await query('CREATE TABLE kept AS SELECT 42 AS answer');
    await server.restart();
    expect(await query('SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
  });

  it('Connections are refused while the server is down', async () => {
    await server.kill();
    await expect(query('SELECT 1')).rejects.toThrow(/ECONNREFUSED/);
    await server.start();
    expect(await query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('A template database is copied', async () => {
    await query('CREATE TABLE copied AS SELECT 7 AS answer');
    const copy = await server.createDatabase(database.name);
    expect(await query('SELECT answer FROM copied', copy.url)).toEqual([{ answer: 7 }]);
    await copy.drop();
  });
});
