import type { Ledger } from '@decision-ledger/client';
import { describe, expect } from 'vitest';
import { it } from './support/app.js';
import { foundIn } from './support/shown.js';

/** A decision and an event of an hour later, far from the records of other tests. */
async function recordPair(ledger: Ledger, name: string, day: string) {
  const { decision_id } = await ledger.recordNow({
    ...{ agent_id: `${name}-agent`, action_type: 'replace', confidence: 0.9 },
    ...{ inputs: { order: name }, outputs: { approved: true } },
    timestamp: `${day}T08:00:00Z`,
  });
  const event = await ledger.events.create({
    ...{ source: name, event_type: 'refund', amount: '-81.25', currency: 'USD' },
    ...{ external_id: `${name}-1`, timestamp: `${day}T09:00:00Z` },
  });
  return { decisionId: decision_id, event };
}

describe('A link made by hand', () => {
  it('From an event: the nearest decisions are offered, the effect is shown before, and keys suffice', async ({
    app: { page, signIn, ledger, axe, expectError },
  }) => {
    expectError(/status of 422/);
    const { decisionId, event } = await recordPair(ledger, 'by-hand', '2025-02-03');
    await signIn({ path: `/money?event=${event.id}` });
    const drawer = page.getByRole('dialog', { name: 'Financial event' });
    await drawer.getByRole('button', { name: 'Link to a decision…' }).press('Enter');
    const form = page.getByRole('dialog', { name: 'Link to a decision' });
    const choice = form.getByRole('radio', { name: 'replace by by-hand-agent' });
    await choice.press('Space');
    await form.getByLabel('Strength').fill('2');
    await form.getByRole('button', { name: 'Show the effect' }).press('Enter');
    // The service says what is wrong, beside the field.
    await expect.poll(() => form.getByLabel('Strength').getAttribute('aria-invalid')).toBe('true');
    await form.getByLabel('Strength').fill('0.4');
    await form.getByLabel('Type').selectOption('refund');
    await form.getByLabel('Notes').fill('The parcel was lost');
    await form.getByRole('button', { name: 'Show the effect' }).press('Enter');
    await form.getByText('This link: 40').waitFor();
    await form.getByText('Left without a cause: 60').waitFor();
    await axe();
    expect(await ledger.links.list({ financial_event_id: event.id }).toArray()).toEqual([]);
    await form.getByRole('button', { name: 'Link', exact: true }).press('Enter');
    await drawer.getByText('The parcel was lost').waitFor();
    const [made] = await ledger.links.list({ financial_event_id: event.id }).toArray();
    expect(made).toMatchObject({
      ...{ decision_id: decisionId, correlation_strength: 0.4, link_type: 'refund' },
      ...{ attribution_method: 'manual', status: 'CONFIRMED', notes: 'The parcel was lost' },
    });
    await drawer.getByRole('button', { name: 'Delete the refund link' }).press('Enter');
    await page.getByRole('button', { name: 'Delete the link' }).press('Enter');
    await drawer.getByText('No decision is linked to this event.').waitFor();
    expect((await ledger.links.get(made?.id ?? '')).deleted_at).not.toBeNull();
    await drawer.getByRole('button', { name: 'Undo' }).press('Enter');
    await drawer.getByText('The parcel was lost').waitFor();
    expect(await ledger.links.list({ financial_event_id: event.id }).toArray()).toMatchObject([
      ...[{ decision_id: decisionId, correlation_strength: 0.4, link_type: 'refund' }],
    ]);
  });

  it('From an event: a decision is found by its id, and one key takes the new link back', async ({
    app: { page, signIn, ledger },
  }) => {
    const { decisionId, event } = await recordPair(ledger, 'by-id', '2025-05-03');
    await signIn({ path: `/money?event=${event.id}` });
    const drawer = page.getByRole('dialog', { name: 'Financial event' });
    await drawer.getByRole('button', { name: 'Link to a decision…' }).press('Enter');
    const form = page.getByRole('dialog', { name: 'Link to a decision' });
    await form.getByLabel('Find the decision').fill(decisionId);
    await foundIn(form).getByRole('radio', { name: 'replace by by-id-agent' }).press('Space');
    const effect = form.getByRole('button', { name: 'Show the effect' });
    // The links that the event has are read first.
    await expect.poll(() => effect.isEnabled()).toBe(true);
    await effect.press('Enter');
    await form.getByRole('button', { name: 'Link', exact: true }).press('Enter');
    await drawer.getByRole('link', { name: decisionId }).waitFor();
    await drawer.getByRole('button', { name: 'Undo' }).press('Enter');
    await drawer.getByText('No decision is linked to this event.').waitFor();
    expect(await ledger.links.list({ financial_event_id: event.id }).toArray()).toEqual([]);
  });

  it('From a decision: an event is found by its reference, and a second link of a type is refused with a remedy', async ({
    app: { page, signIn, ledger, axe, expectError },
  }) => {
    expectError(/status of 409/);
    const { decisionId, event } = await recordPair(ledger, 'from-decision', '2025-03-03');
    await signIn({ path: `/decisions/${decisionId}` });
    const open = page.getByRole('button', { name: 'Link to an event…' });
    const form = page.getByRole('dialog', { name: 'Link to an event' });
    const link = async () => {
      await open.click();
      await form.getByLabel('Find the event').fill('from-decision-1');
      await foundIn(form).getByRole('radio', { name: 'refund' }).check();
      await form.getByRole('button', { name: 'Show the effect' }).click();
    };
    await link();
    await form.getByText('Left without a cause: 0').waitFor();
    await axe();
    await form.getByRole('button', { name: 'Link', exact: true }).click();
    await page.getByRole('link', { name: 'from-decision · refund' }).waitFor();
    const [made] = await ledger.links.list({ financial_event_id: event.id }).toArray();
    expect(made).toMatchObject({ decision_id: decisionId, correlation_strength: 1 });
    await link();
    await form.getByText('the two already have a refund link').waitFor();
  });

  it('A key that may not link or delete is not offered to', async ({
    app: { page, signIn, ledger },
  }) => {
    const { decisionId, event } = await recordPair(ledger, 'no-hand', '2025-04-03');
    await ledger.links.create({
      ...{ decision_id: decisionId, financial_event_id: event.id, link_type: 'refund' },
      ...{ correlation_strength: 1, attribution_method: 'manual' },
    });
    const { key } = await ledger.keys.issue({ name: 'Reader', permissions: ['read', 'stream'] });
    await signIn({ key, path: `/money?event=${event.id}` });
    const drawer = page.getByRole('dialog', { name: 'Financial event' });
    await drawer.getByRole('link', { name: decisionId }).waitFor();
    expect(await drawer.getByRole('button', { name: /Link to|Delete/ }).count()).toBe(0);
  });
});
