import { afterAll, afterEach } from 'vitest';
import { closeExplainers, takeFindings } from './explaining.js';

// A test fails if a statement of one ledger was sent while it ran that is not done by the node of the ledger alone.
afterEach(async () => {
  const findings = await takeFindings();
  if (findings.length > 0) throw new Error(findings.join('\n\n'));
});

afterAll(closeExplainers);
