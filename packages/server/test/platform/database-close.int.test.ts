import { engineClientConfig } from '@decision-ledger/embedded/connection';
import { startEngine } from '@decision-ledger/embedded/engine';
import sql from 'sql-template-tag';
import { expect, it } from 'vitest';
import { openDatabase } from '#server/platform/database';
import { DataFolders } from '../../../embedded/test/support/engine-process.js';

it('Connections that are being closed while the engine stops are not reported as broken', async () => {
  const folders = new DataFolders();
  await folders.prepare();
  const engine = await startEngine({ dataDir: folders.copy() });
  const errors: string[] = [];
  const databases = Array.from({ length: 20 }, () =>
    openDatabase({
      ...{
        client: engineClientConfig(engine.socketPath, 'postgres'),
        maxConnections: 1,
        ...{ settings: [], isPooled: false, isCluster: false, access: 'read write' as const },
      },
      onError: ({ message }) => errors.push(message),
    }),
  );
  await Promise.all(databases.map((db) => db.query(sql`select 1`)));
  const stopping = engine.stop();
  await Promise.all(databases.map((db) => db.close()));
  await stopping;
  expect(errors).toEqual([]);
  folders.remove();
});
