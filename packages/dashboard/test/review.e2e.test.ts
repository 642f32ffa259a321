import { type Review, ReviewPage } from '@decision-ledger/contract/review';
import { success } from '@decision-ledger/contract/shared';
import { checker } from '@decision-ledger/contract/validation';
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { type App, it } from './support/app.js';
import { recordCases } from './support/reviews.js';

const checkAnswer = checker(success(ReviewPage), 'answer');

/** Of one currency, as the page writes them for this browser. */
function usd(cents: bigint): string {
  const text = cents.toString().padStart(3, '0');
  return `USD\u00a0${text.slice(0, -2)}.${text.slice(-2)}`;
}

/**
 * Signs in at the list of a source, and waits until its first event can be answered. The list keeps the order that it
 * has read, while the ledger may score the events again and list them in another one.
 * @returns what the list has read
 */
async function openQueue({ page, signIn }: App, source: string, name?: string): Promise<Review[]> {
  const reading = readQueue(page);
  await signIn({ path: `/review?source=${source}&show=suggested`, ...(name && { name }) });
  await page.getByText('if confirmed').waitFor();
  return reading;
}

/** What the list reads next. */
async function readQueue(page: Page): Promise<Review[]> {
  const answer = await page.waitForResponse((given) => given.url().includes('kind=queue'));
  return checkAnswer(await answer.json()).data.reviews;
}

function centsOf(amount: string): bigint {
  return BigInt(amount.replace(/^-/, '').replace('.', ''));
}

describe('Review', () => {
  it('A queue is reviewed with the keyboard alone, and every answer is recorded once', async ({
    app,
  }) => {
    const { page, ledger, axe, open: openPage } = app;
    const source = 'keys';
    const name = 'Grace Hopper';
    await recordCases(ledger, source);
    const [first, second, third, fourth] = await openQueue(app, source, name);
    if (!first || !second || !third || !fourth) throw new Error('the queue is too short');
    const effect = page.getByRole('region', { name: 'Effect of confirming' });
    const dryRun = (await ledger.links.previewConfirm(first.candidates[0]?.link_id ?? '')).dry_run;
    expect(
      await effect
        .locator('data')
        .evaluateAll((all) => all.map((one) => one.getAttribute('value'))),
    ).toEqual([
      ...[dryRun?.net_before, dryRun?.net_after],
      ...[dryRun?.exposure_before, dryRun?.exposure_after],
    ]);
    const order = String(first.financial_event.metadata?.order_id);
    const marks = page.getByRole('region', { name: 'Decision', exact: true }).locator('mark');
    await marks.first().waitFor();
    expect(await marks.allTextContents()).toEqual(expect.arrayContaining([order]));
    const { sentence } = await ledger.events.explain(first.financial_event.id, {
      decision_id: first.candidates[0]?.decision_id ?? '',
    });
    expect(sentence).toContain(order);
    await page.getByText(sentence).waitFor();
    await page.getByText('Details', { exact: true }).press('Enter');
    await page.getByRole('list', { name: 'Evidence' }).waitFor();
    await axe();
    const opened = (id: string) => page.waitForURL((url) => url.searchParams.get('event') === id);
    await page.keyboard.press('j');
    await opened(second.financial_event.id);
    await page.keyboard.press('k');
    await opened(first.financial_event.id);
    await page.keyboard.press('c');
    await opened(second.financial_event.id);
    await page.keyboard.press('n');
    await opened(third.financial_event.id);
    await page.keyboard.press('r');
    await page.getByText('Rejected').first().waitFor();
    await page.keyboard.press('s');
    await opened(fourth.financial_event.id);
    const open = (await ledger.reviews.list({ limit: 1 }).page()).open.reviews;
    const sum = centsOf(first.financial_event.amount) + centsOf(second.financial_event.amount);
    const counts = (decided: number, amount: string) =>
      page.getByText(`${decided} of ${open + 2}${amount} decided today`);
    await counts(2, `, ${usd(sum)}`).waitFor();
    // The service counts, so a reload and another tab show the same.
    await openPage(`/review?source=${source}&show=suggested`);
    await counts(2, `, ${usd(sum)}`).waitFor();
    const linkOf = (review: typeof first) => review.candidates[0]?.link_id ?? '';
    expect((await ledger.links.get(linkOf(first))).status).toBe('ML_INFERRED');
    expect((await ledger.links.get(linkOf(second))).status).toBe('REJECTED');
    expect((await ledger.links.get(linkOf(third))).status).toBe('REJECTED');
    const confirmed = { subject: linkOf(first), type: 'link.confirmed' };
    const said = await ledger.operations.activity(confirmed).toArray();
    expect(said.map(({ data }) => data?.reviewer)).toEqual([{ name, source: 'session' }]);
    // What the reload left out of the list is open again in the list at once, without a wait for a score.
    await page.keyboard.press('u');
    await page.getByText('Answer withdrawn').waitFor();
    await counts(2, `, ${usd(sum)}`).waitFor({ state: 'detached' });
    await page.getByText(`2 of ${open + 3}, ${usd(sum)} decided today`).waitFor();
    for (let left = 3; left > 0; left -= 1) await page.keyboard.press('u');
    await page.getByText(`0 of ${open + 3} decided today`).waitFor();
    await expect
      .poll(async () => (await ledger.reviews.list({ limit: 1 }).page()).open.reviews)
      .toBe(open + 3);
    expect((await ledger.reviews.answers({ own: true }).page()).decided.own.events).toBe(0);
    expect((await ledger.links.get(linkOf(first))).deleted_at).not.toBeNull();
    const [withdrawn] = await ledger.operations
      .activity({ subject: second.financial_event.id, type: 'financial_event.reviewed' })
      .toArray(1);
    expect(withdrawn?.data?.verdict).toBe('withdrawn');
  });

  it('An answer whose confirmation was lost is not recorded twice', async ({ app }) => {
    const { page, ledger, expectError } = app;
    expectError(/ERR_FAILED/);
    const source = 'lost';
    await recordCases(ledger, source);
    const [review] = await openQueue(app, source, 'Alan Turing');
    const { id } = review?.financial_event ?? { id: '' };
    let sent = 0;
    await page.route(`**/api/v1/reviews/${id}`, async (route) => {
      sent += 1;
      await route.fetch();
      await route.abort('failed');
    });
    await page.keyboard.press('c');
    await page.getByText('The answer may not have been saved').waitFor();
    await page.getByText('No effect is shown until').waitFor();
    expect(await page.getByRole('button', { name: 'Confirm' }).getAttribute('aria-disabled')).toBe(
      'false',
    );
    await page.keyboard.press('c');
    await page.getByText(/^1 of .* decided today/).waitFor();
    expect(sent).toBe(1);
    const [link] = await ledger.links.list({ financial_event_id: id }).toArray();
    const confirmed = { subject: link?.id ?? '', type: 'link.confirmed' };
    expect(await ledger.operations.activity(confirmed).toArray()).toHaveLength(1);
  });

  it('Undo is shown before the service has done it, and is shown as undone no more if it fails', async ({
    app,
  }) => {
    const { page, ledger, expectError } = app;
    expectError(/status of 503|ERR_FAILED/);
    const source = 'undone';
    await recordCases(ledger, source);
    const [review] = await openQueue(app, source, 'Katherine Johnson');
    const first = page.getByRole('navigation', { name: 'Events to review' }).getByRole('button');
    const before = await page.getByText('decided today').textContent();
    const { id } = review?.financial_event ?? { id: '' };
    await page.keyboard.press('c');
    await page.getByText(/^1 of .* decided today/).waitFor();
    await first.filter({ hasText: 'Confirmed' }).first().waitFor();
    // The service gets no further than this until the test lets it.
    const asked: { refuse: (() => void) | null } = { refuse: null };
    await page.route('**/api/v1/links/*', async (route) => {
      await new Promise<void>((release) => {
        asked.refuse = release;
      });
      await route.abort('failed');
    });
    await page.keyboard.press('u');
    await expect.poll(() => asked.refuse).not.toBeNull();
    await first.filter({ hasText: 'Confirmed' }).waitFor({ state: 'detached' });
    expect(await page.getByText('decided today').textContent()).toBe(before);
    asked.refuse?.();
    await page.getByText('The answer may not have been withdrawn').waitFor();
    await page.getByText(/^1 of .* decided today/).waitFor();
    await page.unroute('**/api/v1/links/*');
    await page.keyboard.press('u');
    // The service may suggest the same again.
    const confirmed = ledger.links.list({ financial_event_id: id, status: 'CONFIRMED' });
    await expect.poll(async () => (await confirmed.toArray()).length).toBe(0);
    await expect.poll(() => page.getByText('decided today').textContent()).toBe(before);
  });

  it('An answer that somebody else gave first is refused with a remedy', async ({ app }) => {
    const { page, ledger, axe, open: openPage, expectError } = app;
    expectError(/status of 409/);
    const source = 'raced';
    await recordCases(ledger, source);
    const [review] = await openQueue(app, source);
    const { id } = review?.financial_event ?? { id: '' };
    await ledger.reviews.answer(id, { decision_id: review?.candidates[0]?.decision_id ?? '' });
    await page.keyboard.press('c');
    await page.getByText('The record has changed').waitFor();
    await axe();
    expect(await ledger.links.list({ financial_event_id: id }).toArray()).toHaveLength(1);
    // The answer changes the scores of other events, and so their order.
    const reading = readQueue(page);
    await page.getByRole('button', { name: 'Reload the list' }).click();
    const queue = await reading;
    expect(queue.map(({ financial_event }) => financial_event.id)).not.toContain(id);
    await page.getByText('The record has changed').waitFor({ state: 'detached' });
    const heading = page.getByRole('region', { name: 'Event in view' });
    const order = String(queue[0]?.financial_event.metadata?.order_id);
    await heading.getByText(order).first().waitFor();
    // Nobody answers another event by mistake who opens the address of an answered one.
    await openPage(`/review?source=${source}&show=suggested&event=${id}`);
    await heading.getByText('Another event is shown').waitFor();
    await axe();
  });

  it('An audit shows no score, and a key without the permission is offered no answer', async ({
    app: { page, signIn, ledger, axe },
  }) => {
    await recordCases(ledger, 'audits');
    const { key } = await ledger.keys.issue({ name: 'Reader', permissions: ['read', 'stream'] });
    await signIn({ key, path: '/review?source=audits&show=audits' });
    await page.getByText('Audit sample').waitFor();
    const candidates = page.getByRole('list', { name: 'Candidates' });
    await candidates.getByRole('button').first().waitFor();
    expect(await candidates.textContent()).not.toContain('%');
    expect(await page.getByRole('list', { name: 'Evidence' }).count()).toBe(0);
    await page.getByText('sign in with a key that has the permission review').waitFor();
    expect(await page.getByRole('button', { name: 'Confirm' }).count()).toBe(0);
    await axe();
  });
});
