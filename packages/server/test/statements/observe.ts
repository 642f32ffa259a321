import { afterEach } from 'vitest';
import { findings } from './observed.js';

// A test fails if a statement of the service was sent while it ran that does not name its ledger for each of its tables.
afterEach(() => {
  if (findings.length > 0) throw new Error(findings.splice(0).join('\n\n'));
});
