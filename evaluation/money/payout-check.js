/**
 * Payouts at Stripe, what they consist of, and the lines of the bank: all to the cent, from what the service says.
 * @param {Pick<import('./business.js').Business, 'movements' | 'toBase'>} business
 * @param {import('./observe.js').Observed} observed
 * @param {object[]} examples
 */
export function examinePayouts({ movements, toBase }, observed, examples) {
  const found = { count: 0, bank: 0, parts: 0, unknown: 0 };
  for (const { payout, reports, category, currency, at } of movements) {
    if (payout === undefined) continue;
    found.count += 1;
    const inBase = (minor) => Math.abs(toBase(minor, currency, at));
    const [atStripe, atBank] = ['stripe', 'bank'].map((source) => {
      const report = reports.find((one) => one.source === source);
      return report === undefined ? undefined : observed.reports.get(report.key);
    });
    // Both must be the true one, and neither may count.
    const line = wrong(atStripe, payout.net) + wrong(atBank, payout.net);
    const said = observed.payouts.get(payout.id);
    const part = said === undefined ? payout.net : partsOff(said, payout);
    if (said === undefined) found.unknown += 1;
    found.bank += inBase(line);
    found.parts += inBase(part);
    if (line === 0 && part === 0) continue;
    examples.push({ what: 'payout', category, line, part, payout, said: said?.parts ?? null });
  }
  return found;
}

function wrong(seen, net) {
  if (seen === undefined) return Math.abs(net);
  return Math.abs(seen.amount - net) + Math.abs(seen.counted);
}

/** What the recorded parts lack, and what the service itself calls the difference. */
function partsOff({ parts }, { net }) {
  if (parts === null) return net;
  return Math.abs(parts.sum - net) + Math.abs(parts.difference);
}
