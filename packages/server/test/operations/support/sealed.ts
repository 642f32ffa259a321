import { expect } from 'vitest';
import { openSettings } from '#server/domains/access/settings/index';
import { ensureKey } from '#server/domains/evidence/signing-keys/index';
import { openPrivateKey } from '#server/domains/evidence/signing-keys/private-key';
import { selectPrivateKeys } from '#server/domains/evidence/signing-keys/store/signing-keys';
import {
  openToken,
  refreshTokenPlace,
  tokenKeeper,
} from '#server/domains/sources/accounting/refresh-token';
import { selectConnections } from '#server/domains/sources/accounting/store/connections';
import type { Keyring } from '#server/platform/keyring/keyring';
import type { Ledger } from '#server/platform/ledger';
import type { Scope } from '#server/platform/principal';
import type { Service } from '#server/service';
import type { Client } from '../../support/client.js';
import { scopeOf, type TestService } from '../../support/service.js';
import { ALERT_SECRET, quickbooks } from '../../support/settings-samples.js';

const SETTINGS = {
  stripe: { signing_secrets: ['whsec_first', 'whsec_second'] },
  accounting: [quickbooks()],
  alerts: { url: 'https://alerts.example.com/', secret: ALERT_SECRET },
};

/** Stores values of every sealed kind in a ledger. */
export async function sealEveryKind(bed: TestService, client: Client): Promise<Scope> {
  const answer = await client.patch('/settings', SETTINGS);
  expect(answer.status, answer.text).toBe(200);
  const scope = await scopeOf(bed, client);
  const { db, keyring } = bed.service;
  const place = { db, keyring, scope, connectionId: 'company-1' };
  await tokenKeeper(place, 'quick-refresh-token', null).save('the newest token');
  await ensureKey(bed.service, scope, 'operator');
  return scope;
}

/** Expects every sealed value of a ledger to open with a keyring. */
export async function expectOpens(
  ledger: Ledger,
  service: Service,
  keyring: Keyring,
): Promise<void> {
  const { db } = service;
  expect(await openSettings(ledger, { keyring })).toMatchObject(SETTINGS);
  const [connection] = await selectConnections(ledger);
  const token = openToken(
    keyring,
    connection?.refresh_token ?? '',
    refreshTokenPlace(ledger.scope, 'company-1'),
  );
  expect(token?.toString()).toContain('the newest token');
  const keys = await selectPrivateKeys(db, ledger.scope);
  expect(keys.length).toBeGreaterThan(0);
  for (const key of keys) openPrivateKey(keyring, ledger.scope.orgId, key);
}

/** How many sealed values of a ledger open with a keyring. */
export async function countOpening(
  ledger: Ledger,
  service: Service,
  keyring: Keyring,
): Promise<number> {
  const { db } = service;
  let opening = 0;
  const settings = await openSettings(ledger, { keyring }).catch(() => null);
  if (settings !== null) opening += 1;
  for (const { connection_id, refresh_token } of await selectConnections(ledger)) {
    const place = refreshTokenPlace(ledger.scope, connection_id);
    if (openToken(keyring, refresh_token ?? '', place) !== null) opening += 1;
  }
  for (const key of await selectPrivateKeys(db, ledger.scope)) {
    try {
      openPrivateKey(keyring, ledger.scope.orgId, key);
      opening += 1;
    } catch {
      // A value that does not open is not counted.
    }
  }
  return opening;
}
