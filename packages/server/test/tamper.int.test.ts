import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'vitest';
import { embeddedConnection } from './support/embedded.js';
import { embeddedEnvironment, readKeys, startService } from './support/service-process.js';
import { itFindsTampering } from './support/tamper-suite.js';

describe('tampering behind the service’s back, on the embedded engine', () => {
  itFindsTampering(async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'decision-ledger-tamper-'));
    const environment = embeddedEnvironment(dataDir);
    const service = await startService(environment);
    return {
      ...{ url: service.url, liveKey: readKeys(dataDir).live, environment },
      connection: await embeddedConnection(dataDir),
      async close() {
        await service.stop();
        rmSync(dataDir, { recursive: true });
      },
    };
  });
});
