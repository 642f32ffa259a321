import { describe, expect } from 'vitest';
import { it } from './support/app.js';
import { DECISIONS, HOSTILE } from './support/seed.js';

describe('Decisions', () => {
  it('The list is read while it is scrolled, with few rows in the document', async ({
    app: { page, signIn, ledger, axe },
  }) => {
    // Other tests record decisions of that time, too.
    const listed = ledger.decisions.list({ end: '2026-04-30', limit: 500 });
    const count = (await listed.toArray(5000)).length;
    expect(count).toBeGreaterThanOrEqual(DECISIONS);
    await signIn({ path: '/decisions?to=2026-04-30' });
    const rows = page.getByRole('row');
    await page.getByRole('link', { name: 'pricing-agent' }).first().waitFor();
    await axe();
    let most = 0;
    await page.evaluate('window.scrollTo(0, 0)');
    const last = page.locator(`[aria-rowindex="${count + 1}"] a`);
    for (let n = 0; n < 60 && (await last.count()) === 0; n += 1) {
      await page.mouse.wheel(0, 700);
      await page.waitForTimeout(80);
      most = Math.max(most, await rows.count());
    }
    await last.waitFor();
    expect(most).toBeLessThan(70);
    expect(await page.getByRole('table').getAttribute('aria-rowcount')).toBe(String(count + 1));
  });

  it('Filters are kept in the address and can be saved', async ({
    app: { page, signIn, open, axe },
  }) => {
    await signIn({ path: '/decisions' });
    await page.getByLabel('Agent', { exact: true }).fill('refund-bot');
    await page.getByLabel('Human review').selectOption('yes');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.waitForURL('**/decisions?agent=refund-bot&human=yes');
    const names = page.getByRole('row').getByRole('link');
    await names.first().waitFor();
    expect(new Set(await names.allTextContents())).toEqual(new Set(['refund-bot']));
    await page.getByRole('button', { name: 'Save filter' }).click();
    await page.getByLabel('Name of the filter').fill('Reviewed refunds');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.waitForURL('**/decisions');
    await open('/decisions');
    await page.getByRole('button', { name: 'Saved filters' }).click();
    await axe();
    await page.getByRole('button', { name: 'Reviewed refunds', exact: true }).click();
    await page.waitForURL('**/decisions?agent=refund-bot&human=yes');
  });

  it('A day leads to the decisions of that day and before', async ({ app: { page, signIn } }) => {
    await signIn({ path: '/decisions' });
    await page.getByLabel('To', { exact: true }).fill('2026-04-25');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.waitForURL('**/decisions?to=2026-04-25');
    await page.locator('time[datetime^="2026-04-25T23"]').waitFor();
    expect(await page.locator('time[datetime^="2026-04-26"]').count()).toBe(0);
  });

  it('A new decision is announced, and shown on request', async ({
    app: { page, signIn, ledger },
  }) => {
    await signIn({ path: '/decisions?agent=live-agent' });
    await page.getByText('No decision matches the filters').waitFor();
    await ledger.recordNow({
      ...{ agent_id: 'live-agent', action_type: 'test', inputs: {}, outputs: {}, confidence: 1 },
      timestamp: '2026-01-01T00:00:00Z',
    });
    await page.getByRole('button', { name: 'Show 1 new decision' }).click();
    await page.getByRole('link', { name: 'live-agent' }).waitFor();
  });

  it('The page of a decision shows what the API answers', async ({
    app: { page, signIn, ledger, axe },
  }) => {
    const events = await ledger.events.list().toArray(1000);
    const refunded = events.find(({ external_id }) => external_id === 'R-1041');
    const ofEvent = { financial_event_id: refunded?.id ?? '' };
    const [linked] = await ledger.links.list(ofEvent).toArray(1);
    const decision = await ledger.decisions.get(linked?.decision_id ?? '');
    await signIn({ path: `/decisions/${decision.decision_id}` });
    await page.getByRole('heading', { level: 1, name: 'refund by refund-bot' }).waitFor();
    await page.getByText(decision.hash).waitFor();
    await page.getByText(decision.prev_hash).waitFor();
    const shown = JSON.parse((await page.locator('pre').first().textContent()) ?? '');
    expect(shown).toEqual(decision.inputs);
    await page.locator('data[value="1249.99"]').waitFor();
    expect(await page.locator('data[value="1249.99"]').textContent()).toBe('EUR\u00a01,249.99');
    expect(decision.liability?.expected).toBeDefined();
    expect(
      await page.locator(`data[value="${decision.liability?.expected}"]`).count(),
    ).toBeGreaterThan(0);
    await page.getByText('Erased. The chain still proves that it was recorded.').waitFor();
    await page.getByRole('cell', { name: 'Request' }).waitFor();
    await axe();
  });

  it('Payloads that try to inject are shown as text', async ({ app: { page, signIn, ledger } }) => {
    const [hostile] = await ledger.decisions.list({ agent_id: HOSTILE }).toArray(1);
    await signIn({ path: '/decisions' });
    const row = page.getByRole('link', { name: '<img src=x' });
    await row.click();
    await page.waitForURL(`**/decisions/${hostile?.decision_id}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(JSON.parse((await page.locator('pre').first().textContent()) ?? '')).toEqual(
      hostile?.inputs,
    );
    expect(await page.title()).toContain('<img src=x');
    expect(await page.evaluate('window.injected')).toBeUndefined();
    expect(await page.locator('img').count()).toBe(0);
  });
});
