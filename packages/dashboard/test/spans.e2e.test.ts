import { describe, expect, onTestFinished } from 'vitest';
import { it } from './support/app.js';

const NO_MAPPING = { otlp: { version: 1, preset: 'none' as const, rules: [] } };

interface Sent {
  readonly url: string;
  readonly key: string;
}

/** Sends one span of a scope that no preset knows, and answers with the status. */
async function sendSpan({ url, key }: Sent, id: string): Promise<number> {
  const values = { 'shop.tool.arguments': '{"order":"A-1"}', 'shop.tool.name': 'refund' };
  const attributes = Object.entries({ ...values, 'shop.agent_name': 'bot' }).map(
    ([name, stringValue]) => ({ key: name, value: { stringValue } }),
  );
  const span = {
    ...{ traceId: '4'.repeat(32), spanId: id.repeat(16), name: 'call refund', attributes },
    startTimeUnixNano: `${Date.now()}000000`,
  };
  const scopeSpans = [{ scope: { name: 'shop.agents', version: '2.1' }, spans: [span] }];
  const answer = await fetch(`${url}/v1/traces`, {
    method: 'POST',
    headers: { 'x-ledger-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ resourceSpans: [{ scopeSpans }] }),
  });
  return answer.status;
}

describe('Settings → Spans', () => {
  it('Spans that nothing takes are shown, and a rule made of them records the next ones', async ({
    app: { page, signIn, open, ledger, keys, url, axe, expectError },
  }) => {
    onTestFinished(async () => {
      const { version } = (await ledger.settings.get()).otlp;
      await ledger.settings.update({ otlp: { ...NO_MAPPING.otlp, version: version + 1 } });
    });
    await signIn({ path: '/settings?section=spans' });
    await page.getByText('No span has arrived in the last 24 hours').waitFor();
    await axe();
    const preset = page.getByRole('form', { name: 'Preset' });
    await preset.getByLabel('Record the tool calls of').selectOption('detect_1');
    await preset.getByRole('button', { name: 'Save the preset' }).press('Enter');
    await page.getByText('Saved', { exact: true }).waitFor();
    expect((await ledger.settings.get()).otlp).toMatchObject({ preset: 'detect_1' });

    expect(await sendSpan({ url, key: keys.live }, '1')).toBe(200);
    await open('/settings?section=spans');
    const row = page.getByRole('table', { name: 'Spans of the last day' }).getByRole('row').nth(1);
    await row.getByText('shop.agents').waitFor();
    await row.getByText('No rule applies').waitFor();
    const names = row.locator('summary', { hasText: '3 attributes' });
    await names.press('Enter');
    await row.getByText('shop.tool.arguments').waitFor();
    await axe();

    await row.getByRole('button', { name: 'Make this a rule: shop.agents' }).press('Enter');
    const form = page.getByRole('form', { name: 'New rule' });
    expect(await form.getByLabel('Scope').inputValue()).toBe('shop.agents');
    expect(await form.getByLabel('Inputs').inputValue()).toBe('shop.tool.arguments');
    await axe();
    // The service says what is wrong.
    expectError(/status of 422/);
    await form.getByLabel('Confidence').fill('fixed:7');
    await form.getByRole('button', { name: 'Add the rule' }).click();
    await form.getByText('a number from 0 to 1').last().waitFor();
    await form.getByLabel('Confidence').fill('fixed:0.7');
    await form.getByRole('button', { name: 'Add the rule' }).press('Enter');
    await form.waitFor({ state: 'detached' });
    expect((await ledger.settings.get()).otlp.rules).toMatchObject([
      { scope: 'shop.agents', inputs: ['shop.tool.arguments'], confidence: ['fixed:0.7'] },
    ]);

    expect(await sendSpan({ url, key: keys.live }, '2')).toBe(200);
    await open('/settings?section=spans');
    await page.getByLabel('Result').selectOption('recorded');
    await page.waitForURL('**result=recorded');
    await page.getByRole('cell', { name: 'rules[0]' }).waitFor();
    expect(await page.getByText('No rule applies').count()).toBe(0);
    const [decision] = await ledger.decisions.list({ agent_id: 'bot' }).toArray(1);
    expect(decision).toMatchObject({ action_type: 'refund', inputs: { order: 'A-1' } });
  });
});
