import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Type } from 'typebox';
import { Parse } from 'typebox/value';
import { afterAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { findCitus } from '../support/citus-install.js';
import { ROOT } from '../support/paths.js';
import { describePostgres } from '../support/postgres.js';
import { type PostgresServer, runOn, startPostgres } from '../support/postgres-server.js';
import { createOrganisation, postgresEnvironment, runCommand } from '../support/service-process.js';

const Service = Type.Object({ command: Type.Array(Type.String()) });
const Services = Type.Object({
  services: Type.Object({
    ...{ postgres: Service, 'worker-1': Service, 'worker-2': Service, nodes: Service },
  }),
});

const NODES = ['postgres', 'worker-1', 'worker-2'] as const;

describePostgres('The files of Compose for a cluster', () => {
  const text = readFileSync(resolve(ROOT, 'deploy/compose/cluster.yaml'), 'utf8');
  const { services } = Parse(Services, parse(text, { merge: true }));
  const nodes = new Map<string, PostgresServer>();
  afterAll(async () => {
    for (const node of nodes.values()) await node.stop();
  });

  /** What follows `-c`. */
  const settingsOf = (name: (typeof NODES)[number]) => {
    const pairs = services[name].command.filter((word) => word.includes('='));
    return Object.fromEntries(
      pairs.map((pair): [string, string] => {
        const [setting = '', value = ''] = pair.split('=');
        return [setting, value];
      }),
    );
  };

  /** The names of containers are known on their network alone. */
  const onThisMachine = (word: string) =>
    word
      .replace(/'([\w-]+)', 5432/g, (_, name) => `'127.0.0.1', ${nodes.get(name)?.handle.port}`)
      .replace('--host=postgres', '--host=127.0.0.1');

  it('Nodes with its settings become a cluster by its commands, and the service migrates it', async () => {
    const found = findCitus();
    if ('reason' in found) throw new Error(found.reason);
    for (const name of NODES) {
      const node = await startPostgres({ found, settings: settingsOf(name) });
      nodes.set(name, node);
      // As the image does on its first start.
      await runOn(node.url, 'create role ledger superuser login');
      await runOn(node.url, 'create database ledger owner ledger');
      await runOn(node.url.replace(/postgres$/, 'ledger'), 'create extension citus');
    }
    const port = nodes.get('postgres')?.handle.port;
    const [program = '', ...args] = services.nodes.command;
    execFileSync(join(found.binaries, program), args.map(onThisMachine), {
      env: { PATH: process.env.PATH, PGPORT: String(port) },
      stdio: 'pipe',
    });
    const environment = postgresEnvironment(`postgres://ledger@127.0.0.1:${port}/ledger`);
    const { code, stderr } = await runCommand(['migrate'], environment);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    await createOrganisation(environment, 'acme');
    const verified = await runCommand(['verify'], environment);
    expect(verified.code, verified.stderr).toBe(0);
  });
});
