// Payments that decisions caused, imported as a user would.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A payment caused by a decision; every third one lacks the reservation.
 * @param {any} decision
 * @param {number} index
 * @param {{ external_id: string, timestamp: string }} own
 */
export function paymentFor({ metadata, inputs }, index, own) {
  const { customer_id, reservation_id } = metadata;
  const [{ payment_id, amount }] = inputs.arguments.payment_methods;
  return {
    source: 'payments',
    event_type: 'payment',
    currency: 'USD',
    amount: `${amount}.00`,
    ...own,
    metadata: { customer_id, payment_id, ...(index % 3 > 0 && { reservation_id }) },
  };
}

/**
 * @param {import('./service.js').Service} service
 * @param {string} organisation its name
 * @param {readonly object[]} events
 */
export async function importEvents(service, organisation, events) {
  const folder = mkdtempSync(join(tmpdir(), 'decision-ledger-bench-'));
  try {
    const file = join(folder, 'events.ndjson');
    writeFileSync(file, events.map((event) => `${JSON.stringify(event)}\n`).join(''));
    await service.command('import', file, '--org', organisation, '--mode', 'live');
  } finally {
    rmSync(folder, { recursive: true });
  }
}
