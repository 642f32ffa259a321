import { afterAll, beforeAll, expect, it } from 'vitest';
import { countExplained, findFault } from '../statements/explaining.js';
import { decision } from '../support/client.js';
import { describePostgres } from '../support/postgres.js';
import { openTestService, scopeOf, type TestService } from '../support/service.js';
import { withClient } from '../support/stored-chain.js';

describePostgres('The check of the statements of a cluster', () => {
  let bed: TestService;
  beforeAll(async () => {
    bed = await openTestService('postgres');
  });
  afterAll(() => bed?.close());

  it('It looks at the statements of the service', async () => {
    const { live } = await bed.organisation();
    const before = countExplained();
    expect((await live.post('/decisions', decision())).status).toBe(201);
    expect(countExplained()).toBeGreaterThan(before);
  });

  it('It finds what every node is asked, and what passes through the coordinator', async () => {
    const { live } = await bed.organisation();
    const { ledgerId } = await scopeOf(bed, live);
    const faults = await withClient(
      { connectionString: bed.environment.DATABASE_URL },
      async (client) => {
        const ofLedger = (where: string) => `select d.seq from decisions d where ${where}`;
        return [
          await findFault(client, ofLedger('d.ledger_id = $1'), [ledgerId]),
          await findFault(client, ofLedger('d.ledger_id::text = $1'), [ledgerId]),
          await findFault(
            client,
            `with own as materialized (${ofLedger('d.ledger_id::text = $1')} limit 1) select seq from own`,
            [ledgerId],
          ),
        ];
      },
    );
    expect(faults).toEqual([null, 'it has 4 tasks', 'it has results in between']);
  });
});
