import { inject, it, type TestFunction } from 'vitest';
import type { SharedServer } from './postgres.js';

/** `it` for what only one server can show. On a cluster, the test is skipped, with the reason in its name. */
export function itOnOneServer(reason: string) {
  return (name: string, body: TestFunction): void => {
    if (isCluster()) it.skip(`${name} (skipped on a cluster: ${reason})`, body);
    else it(name, body);
  };
}

/** The embedded engine has no address. */
function isCluster(): boolean {
  const server: SharedServer | { reason: string } | undefined = inject('postgres');
  return server !== undefined && 'workers' in server;
}
