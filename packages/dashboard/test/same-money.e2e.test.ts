import type { Ledger } from '@decision-ledger/client';
import { describe, expect, onTestFinished } from 'vitest';
import { it } from './support/app.js';
import { foundIn } from './support/shown.js';

/** One event of a kiosk and two of a till that name the same order: one of the two is the same sale. */
async function recordDoubt(ledger: Ledger, order: string, day: string) {
  const ids: string[] = [];
  for (const [at, source] of ['kiosk', 'till', 'till'].entries()) {
    const { id } = await ledger.events.create({
      ...{ source, event_type: 'sale', amount: '73.15', currency: 'USD', external_id: order },
      ...{ description: `${source} ${at}`, timestamp: `${day}T0${at + 1}:00:00Z` },
    });
    ids.push(id);
    onTestFinished(async () => void (await ledger.events.delete(id)));
  }
  const [kiosk = '', first = '', second = ''] = ids;
  await expect.poll(() => doubtsOf(ledger), { timeout: 60_000 }).toContain(kiosk);
  return { kiosk, first, second };
}

const doubtsOf = async (ledger: Ledger) =>
  (await ledger.events.sameMoney().toArray()).map(({ report }) => report.id);

const movementOf = async (ledger: Ledger, id: string) =>
  (await ledger.events.get(id)).movement.reports;

describe('The queue “Same money?”', () => {
  it('Doubts are settled, and answers taken back, with the keyboard alone', async ({
    app: { page, signIn, ledger, axe },
  }) => {
    const { kiosk, first, second } = await recordDoubt(ledger, 'order 4711-1', '2025-05-05');
    await signIn({ path: `/money?tab=same-money&report=${kiosk}` });
    const { open } = await ledger.events.sameMoney({ limit: 1 }).page();
    const entry = page.getByRole('link', { name: 'Money' });
    await entry.getByText(String(open)).waitFor();
    const partner = page.getByRole('region', { name: 'Possible partner', exact: true });
    await partner.locator('mark', { hasText: 'order 4711-1' }).waitFor();
    await page.getByText('may be the money of another event as well').waitFor();
    await axe();
    const partners = (await ledger.events.sameMoney().toArray()).find(
      ({ report }) => report.id === kiosk,
    )?.possible;
    const [one = '', other = ''] = partners?.map((it) => it.financial_event.id) ?? [];
    expect([one, other].sort()).toEqual([first, second].sort());
    await page.keyboard.press('2');
    await partner.getByText(other).waitFor();
    await page.keyboard.press('n');
    await page.getByText('Only one possibility was left, so the ledger paired it').waitFor();
    expect(await movementOf(ledger, kiosk)).toEqual([kiosk, one].sort());
    expect(await movementOf(ledger, other)).toEqual([other]);
    await page.keyboard.press('u');
    await page.getByText('2 possible partners').waitFor();
    expect(await movementOf(ledger, kiosk)).toEqual([kiosk]);
    expect(new URL(page.url()).searchParams.get('report')).toBe(kiosk);
    await page.keyboard.press('p');
    await page.getByText('Saved: the same money, which counts once').waitFor();
    expect(await movementOf(ledger, kiosk)).toEqual([kiosk, other].sort());
    await page.keyboard.press('u');
    await page.getByText('2 possible partners').waitFor();
    await expect.poll(() => movementOf(ledger, kiosk)).toEqual([kiosk]);
    const count = (await ledger.events.sameMoney({ limit: 1 }).page()).open;
    await page
      .getByRole('tab', { name: 'Same money?' })
      .getByText(`${count} events in doubt`)
      .waitFor();
  });

  it('Events that may add up to one are asked together, and paired by one answer, which is taken back', async ({
    app: { page, signIn, ledger, axe },
  }) => {
    const record = async (source: string, amount: string, hour: number) => {
      const { id } = await ledger.events.create({
        ...{ source, event_type: 'sale', amount, currency: 'USD', external_id: 'order 4711-9' },
        timestamp: `2025-07-05T0${hour}:00:00Z`,
      });
      onTestFinished(async () => void (await ledger.events.delete(id)));
      return id;
    };
    const till = await record('till', '90.00', 1);
    const kiosk = [await record('kiosk', '40.00', 2), await record('kiosk', '30.00', 3)];
    await expect.poll(() => doubtsOf(ledger), { timeout: 60_000 }).toContain(till);
    await signIn({ path: `/money?tab=same-money&report=${till}` });
    const parts = page.getByRole('region', { name: 'Events that may add up to it' });
    await parts.getByRole('row').filter({ hasText: 'together' }).getByText('70.00').waitFor();
    await parts.getByText('the event on the left counts').waitFor();
    await axe();
    await page.keyboard.press('n');
    await page.getByText('Saved: not the same money').waitFor();
    expect(await doubtsOf(ledger)).not.toContain(till);
    await page.keyboard.press('u');
    await parts.waitFor();
    await page.keyboard.press('p');
    await page.getByText('Saved: the same money, which counts once').waitFor();
    expect(await movementOf(ledger, till)).toEqual([till, ...kiosk].sort());
    await page.keyboard.press('u');
    await parts.waitFor();
    await expect.poll(() => movementOf(ledger, till)).toEqual([till]);
  });

  it('A bill and its payment of one system are asked about, and each answer is taken back by a key', async ({
    app: { page, signIn, ledger, axe },
  }) => {
    const record = async (
      event_type: string,
      external_id: string,
      metadata: Readonly<Record<string, string>>,
    ) => {
      const { id } = await ledger.events.create({
        ...{ source: 'erp', event_type, amount: '87.35', currency: 'EUR', external_id, metadata },
        timestamp: '2025-10-05T01:00:00Z',
      });
      onTestFinished(async () => void (await ledger.events.delete(id)));
      return id;
    };
    const bill = await record('invoice', 'RE-87350', {});
    const payment = await record('payment', 'Z-87350', { pays: 'RE-87350' });
    await expect.poll(() => doubtsOf(ledger), { timeout: 60_000 }).toContain(bill);
    await signIn({ path: `/money?tab=same-money&report=${bill}` });
    const why = page.getByText('it would bring two events of one source together');
    await why.waitFor();
    await axe();
    for (const [key, reports] of [
      ['p', [bill, payment].sort()],
      ['n', [bill]],
    ] as const) {
      await page.keyboard.press(key);
      await page.getByText('Saved:').waitFor();
      expect(await movementOf(ledger, bill)).toEqual(reports);
      expect(await doubtsOf(ledger)).not.toContain(bill);
      await page.keyboard.press('u');
      await expect.poll(() => doubtsOf(ledger)).toContain(bill);
      await why.waitFor();
      expect(await movementOf(ledger, bill)).toEqual([bill]);
    }
  });

  it('A sum of a period says how many events it is of, and shows the first of them', async ({
    app: { page, signIn, ledger, axe },
  }) => {
    const record = async (source: string, amount: string, time: string) => {
      const { id } = await ledger.events.create({
        ...{ source, event_type: 'sale', amount, currency: 'CHF', timestamp: `2025-08-${time}Z` },
      });
      onTestFinished(async () => void (await ledger.events.delete(id)));
      return id;
    };
    const whole = await record('accounting/kiosk', '141.40', '06T00:00:00');
    const parts: string[] = [];
    for (let hour = 8; hour < 22; hour += 1) {
      const time = `05T${String(hour).padStart(2, '0')}:00:00`;
      parts.push(await record('kiosk', '10.10', time));
    }
    await expect.poll(() => doubtsOf(ledger), { timeout: 60_000 }).toContain(whole);
    await signIn({ path: `/money?tab=same-money&report=${whole}` });
    const shown = page.getByRole('region', { name: 'Events that may add up to it' });
    await shown.getByText('14 possible parts').waitFor();
    await shown.getByText('And 2 more').waitFor();
    await shown.getByRole('row').filter({ hasText: 'together' }).getByText('141.40').waitFor();
    await shown.getByText('these count').waitFor();
    await axe();
    await page.keyboard.press('p');
    await page.getByText('Saved: the same money, which counts once').waitFor();
    expect(await movementOf(ledger, whole)).toEqual([whole, parts[0]].sort());
    await page.keyboard.press('u');
    await shown.waitFor();
    await expect.poll(() => movementOf(ledger, whole)).toEqual([whole]);
  });

  it('An event is shown over the queue, and keys do not answer behind it', async ({
    app: { page, signIn, ledger, axe },
  }) => {
    const { kiosk } = await recordDoubt(ledger, 'order 4711-2', '2025-06-05');
    await signIn({ path: `/money?tab=same-money&report=${kiosk}` });
    const event = page.getByRole('region', { name: 'Event', exact: true });
    await event.getByRole('link', { name: kiosk }).press('Enter');
    const drawer = page.getByRole('dialog', { name: 'Financial event' });
    await drawer.locator('data[value="73.15"]').waitFor();
    await page.keyboard.press('p');
    await axe();
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    await page.getByText('2 possible partners').waitFor();
    expect(await movementOf(ledger, kiosk)).toEqual([kiosk]);
  });

  it('Without a doubt it says what would appear, and a failure can be retried', async ({
    app: { page, signIn, keys, axe, expectError },
  }) => {
    expectError(/status of 500/);
    const isQueue = (url: URL) => url.pathname.endsWith('/movements/same-money');
    await page.route(isQueue, (route) =>
      route.fulfill({ status: 500, contentType: 'text/plain', body: 'broken' }),
    );
    await signIn({ key: keys.test, path: '/money?tab=same-money' });
    const retry = page.getByRole('button', { name: 'Try again' });
    await retry.waitFor();
    await page.unroute(isQueue);
    await retry.click();
    await page.getByText('No event is in doubt').waitFor();
    await axe();
  });

  it('A key that may not answer is not offered to', async ({ app: { page, signIn, ledger } }) => {
    const { kiosk } = await recordDoubt(ledger, 'order 4711-3', '2025-07-05');
    const { key } = await ledger.keys.issue({ name: 'Reader', permissions: ['read', 'stream'] });
    await signIn({ key, path: `/money?tab=same-money&report=${kiosk}` });
    await page.getByText('sign in with a key that has the permission review').waitFor();
    await page.keyboard.press('p');
    expect(await page.getByRole('toolbar', { name: 'Answer' }).count()).toBe(0);
    expect(await movementOf(ledger, kiosk)).toEqual([kiosk]);
  });

  it('A pairing by somebody else refreshes the figures in view', async ({
    app: { page, signIn, ledger },
  }) => {
    const { kiosk, first } = await recordDoubt(ledger, 'order 4711-4', '2025-08-05');
    const range = { start: '2025-08-05', end: '2025-08-05' };
    const amount = async () => (await ledger.analytics.pnl(range)).unattributed ?? '';
    await signIn({ path: '/money?tab=unattributed&from=2025-08-05&to=2025-08-05' });
    const before = await amount();
    const figure = page.locator('strong data');
    await expect.poll(() => figure.getAttribute('value')).toBe(before);
    await ledger.events.pair(kiosk, first);
    const after = await amount();
    expect([Number(before), Number(after)]).toEqual([219.45, 146.3]);
    await expect.poll(() => figure.getAttribute('value')).toBe(after);
  });
});

describe('The drawer of an event', () => {
  it('Has the events of the same money, why they were paired, and parts and undoes with keys', async ({
    app: { page, signIn, ledger, axe },
  }) => {
    const sale = { event_type: 'sale', amount: '61.45', currency: 'USD', external_id: 'A-61450' };
    const made = [];
    for (const [at, source] of ['stripe', 'kiosk'].entries()) {
      const timestamp = `2025-09-0${at + 1}T00:00:00Z`;
      made.push((await ledger.events.create({ ...sale, source, timestamp })).id);
    }
    const [lead = '', witness = ''] = made;
    for (const id of made) onTestFinished(async () => void (await ledger.events.delete(id)));
    await expect.poll(() => movementOf(ledger, witness), { timeout: 60_000 }).toHaveLength(2);
    const { decision_id } = await ledger.recordNow({
      ...{ agent_id: 'drawer-agent', action_type: 'sell', confidence: 0.9 },
      ...{ inputs: {}, outputs: {}, timestamp: '2025-08-31T00:00:00Z' },
    });
    await ledger.links.create({
      ...{ decision_id, financial_event_id: lead, link_type: 'revenue' },
      ...{ correlation_strength: 1, attribution_method: 'manual' },
    });
    await signIn({ path: `/money?event=${witness}` });
    const drawer = page.getByRole('dialog', { name: 'Financial event' });
    const events = drawer.getByRole('list', { name: 'Events of this money' }).getByRole('listitem');
    await events.first().getByText('Leads').waitFor();
    await events.last().getByText('Paired by rule: they share a reference').waitFor();
    await drawer.getByText('of another event of this money').waitFor();
    expect(await events.count()).toBe(2);
    await axe();
    await drawer.getByRole('button', { name: 'Not the same money' }).press('Enter');
    await drawer.getByText('Parted: the event counts by itself').waitFor();
    expect(await movementOf(ledger, witness)).toEqual([witness]);
    await drawer.getByText('No decision is linked to this event').waitFor();
    await drawer.getByRole('button', { name: 'Undo' }).press('Enter');
    await events.first().waitFor();
    expect(await movementOf(ledger, witness)).toEqual([lead, witness].sort());
    const second = await ledger.recordNow({
      ...{ agent_id: 'drawer-agent', action_type: 'advise', confidence: 0.9 },
      ...{ inputs: {}, outputs: {}, timestamp: '2025-08-31T01:00:00Z' },
    });
    await drawer.getByRole('button', { name: 'Link to a decision…' }).press('Enter');
    const form = page.getByRole('dialog', { name: 'Link to a decision' });
    await form.getByLabel('Find the decision').fill(second.decision_id);
    await foundIn(form).getByRole('radio', { name: 'advise by drawer-agent' }).press('Space');
    const effect = form.getByRole('button', { name: 'Show the effect' });
    await expect.poll(() => effect.isEnabled()).toBe(true);
    await effect.press('Enter');
    const warning = form.getByRole('alert', { name: 'This money would count twice' });
    await warning.getByRole('link', { name: decision_id }).waitFor();
    await form.locator('data[value="122.90"]').waitFor();
    await axe();
    await warning.getByRole('button', { name: 'Share it between both' }).press('Enter');
    await form.getByText('This link: 50').waitFor();
    await form.getByRole('button', { name: 'Link', exact: true }).press('Enter');
    await drawer.getByRole('link', { name: second.decision_id }).waitFor();
    const [shared] = await ledger.links.list({ decision_id: second.decision_id }).toArray();
    expect(shared?.financial_event_id).toBe(lead);
    await events.first().getByRole('link').press('Enter');
    await page.waitForURL(({ searchParams }) => searchParams.get('event') === lead);
    await drawer.getByRole('button', { name: 'Not the same money' }).waitFor();
  });

  it('Any two events are paired with the keyboard after the effect is shown, and that is undone', async ({
    app: { page, signIn, ledger, axe },
  }) => {
    const record = async (source: string, event_type: string, amount: string, day: string) => {
      const { id } = await ledger.events.create({
        ...{ source, event_type, amount, currency: 'USD', description: `Oak table ${amount}` },
        timestamp: `2025-11-${day}T00:00:00Z`,
      });
      onTestFinished(async () => void (await ledger.events.delete(id)));
      return id;
    };
    const sold = await record('oak-shop', 'sale', '251.17', '05');
    const paid = await record('bank/oak', 'credit', '247.33', '06');
    const other = await record('bank/oak', 'credit', '239.95', '07');
    await signIn({ path: `/money?event=${sold}` });
    const drawer = page.getByRole('dialog', { name: 'Financial event' });
    await drawer.getByText('No other event is known').waitFor();
    await drawer.getByText('Not known').first().waitFor();
    await drawer.getByRole('button', { name: 'Pair with…' }).press('Enter');
    const form = page.getByRole('dialog', { name: 'Pair with an event of the same money' });
    const choices = form.getByRole('radio');
    await choices.nth(1).waitFor();
    expect(await choices.evaluateAll((all) => all.map((one) => one.getAttribute('value')))).toEqual(
      [paid, other],
    );
    await form.getByLabel('Find the event').fill('247.33');
    await expect.poll(() => choices.count()).toBe(1);
    await choices.press('Space');
    await form.getByText(/oak-shop.* leads/).waitFor();
    const { dry_run, lead } = await ledger.events.previewPair(sold, paid);
    expect(lead).toBe(sold);
    const counted = form.getByText('Counted').locator('data');
    expect(await counted.evaluateAll((all) => all.map((one) => one.getAttribute('value')))).toEqual(
      [...[dry_run?.counted_before[0]?.amount, dry_run?.counted_after[0]?.amount]],
    );
    await axe();
    await page.keyboard.press('Enter');
    await drawer.getByText('Paired: the money counts once').waitFor();
    expect(await movementOf(ledger, paid)).toEqual([sold, paid].sort());
    await page.keyboard.press('Enter');
    await drawer.getByText('No other event is known').waitFor();
    expect(await movementOf(ledger, sold)).toEqual([sold]);
  });

  it('Has what a payout consists of, with what is not explained, and the way between them', async ({
    app: { page, signIn, ledger, axe },
  }) => {
    const record = async (event_type: string, amount: string, fields: object) => {
      const { id } = await ledger.events.create({
        ...{ source: 'till-bank', event_type, amount, currency: 'USD' },
        ...{ timestamp: '2025-10-09T00:00:00Z', ...fields },
      });
      onTestFinished(async () => void (await ledger.events.delete(id)));
      return id;
    };
    const payout = await record('payout', '90.21', { external_id: 'po-90210' });
    const part = { metadata: { part_of: 'po-90210' } };
    const charge = await record('charge', '100.33', part);
    await record('fee', '-8.12', part);
    const { relations, parts } = (await ledger.events.get(payout)).movement;
    expect([relations.length, parts?.difference]).toEqual([2, '-2']);
    await signIn({ path: `/money?event=${payout}` });
    const drawer = page.getByRole('dialog', { name: 'Financial event' });
    await drawer.getByText('is not explained').locator('data[value="-2"]').waitFor();
    const sums = drawer.getByRole('table', { name: 'Parts by type' }).locator('tbody data');
    expect(await sums.evaluateAll((all) => all.map((one) => one.getAttribute('value')))).toEqual(
      parts?.types.map(({ amount }) => amount),
    );
    await axe();
    await drawer.getByRole('link', { name: 'charge' }).press('Enter');
    await page.waitForURL(({ searchParams }) => searchParams.get('event') === charge);
    const related = drawer.getByRole('list', { name: 'Related events' });
    await related.getByText('Part of').waitFor();
    await related.getByRole('link', { name: 'payout' }).waitFor();
  });
});
