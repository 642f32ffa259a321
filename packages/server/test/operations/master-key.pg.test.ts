import { expect, it } from 'vitest';
import { rotateMasterKey } from '#server/domains/operations/master-key/index';
import { keyText } from '../support/keyring.js';
import { describePostgres } from '../support/postgres.js';
import { openTestService } from '../support/service.js';
import { masterKeySuite } from './support/master-key-suite.js';

describePostgres('PostgreSQL', () => {
  masterKeySuite('postgres');

  it('A change of the master key is refused while a process without the new key is connected', async () => {
    const settings = { LEDGER_MASTER_KEY: keyText(8), LEDGER_MASTER_KEY_PREVIOUS: keyText(7) };
    const bed = await openTestService('postgres', { settings });
    const stale = await bed.another({ settings: { LEDGER_MASTER_KEY_PREVIOUS: '' } });
    const rotate = () => rotateMasterKey({ ...bed.service, lookMs: 0 }, () => undefined);
    await expect(rotate()).rejects.toThrow(
      /without the new master key have connections .*\(\d+\).*LEDGER_MASTER_KEY_PREVIOUS/,
    );
    await stale.service.storage.close();
    await expect(rotate()).resolves.toMatchObject({ resumed: false });
    await bed.http.close();
    await bed.service.close();
  });
});
