import { setTimeout } from 'node:timers/promises';

/** Waits until the check answers true; a check that throws is repeated. */
export async function until(isDone) {
  const deadline = performance.now() + 120_000;
  for (;;) {
    if (await isDone().catch(() => false)) return;
    if (performance.now() > deadline)
      throw new Error('the service did not get there within two minutes');
    await setTimeout(200);
  }
}
