// @ts-check
// A function of Cloudflare Pages, for requests such as POST /refunds?order=A-1041&total=49.00.
// Decisions are delivered after the answer, before the platform stops the function.
import { Ledger } from '@decision-ledger/client';

/** @type {Ledger | undefined} */
let ledger;

/**
 * @param {import('@decision-ledger/client').WaitUntilContext & {
 *   readonly request: Request,
 *   readonly env: { readonly LEDGER_URL: string, readonly LEDGER_KEY: string },
 * }} context
 */
export async function onRequestPost(context) {
  const { LEDGER_URL: url, LEDGER_KEY: key } = context.env;
  ledger ??= new Ledger({ url, key });

  const inputs = Object.fromEntries(new URL(context.request.url).searchParams);
  const outputs = { approved: Number(inputs.total) < 50 };
  ledger.record({
    agent_id: 'edge-bot',
    action_type: 'refund',
    inputs,
    outputs,
    confidence: 0.9,
  });
  ledger.waitUntil(context);
  return Response.json(outputs);
}
