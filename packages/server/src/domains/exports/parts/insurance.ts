import { formatTimestamp } from '@decision-ledger/contract/time';
import { Big } from 'big.js';
import { uuidToId } from '../../../platform/ids.js';
import { mac } from '../../../platform/secrets.js';
import { type Convert, converter, readEstimateCurrency } from '../../liability/index.js';
import { readSettings } from '../../settings/index.js';
import { sumsFor } from '../rules/action-groups.js';
import { addDecision, type Experience } from '../rules/experience.js';
import { insuranceDocument } from '../rules/insurance.js';
import type { Position } from '../rules/position.js';
import { type InsuredRow, selectInsuredDecisions } from '../store/select-insured-decisions.js';
import type { Part, Piece } from './part.js';
import type { PartsInput } from './parts-input.js';

/** Decisions that are read at a time; no payload is among what is read of them. */
const PAGE = 2000;
const LARGEST = 10;

/** The contents of an insurance bundle, beside what every bundle has. */
export function insuranceParts(input: PartsInput): Part[] {
  return [
    {
      name: 'insurance.json',
      async *pieces(from): AsyncGenerator<Piece> {
        if (from === null) yield await makePiece(input);
      },
    },
  ];
}

/** A piece of its own: what is summed up on the way is in memory, as much as there are names. */
async function makePiece(input: PartsInput): Promise<Piece> {
  const { db, scope, range, lastSeq, clock, secret, signal } = input;
  const { base_currency: currency, exchange_rates: rates } = await readSettings(db, scope);
  const convert = converter(currency, rates);
  const byType = new Map<string, Experience>();
  let largest: { id: string; loss: Big }[] = [];
  let records = 0;
  for (let after: Position | null = null; ; ) {
    signal.throwIfAborted();
    const page = { ...range, lastSeq, after };
    const rows: InsuredRow[] = await selectInsuredDecisions(db, scope, page, PAGE);
    for (const row of rows) {
      const loss = lossOf(row, convert);
      addDecision(sumsFor(byType, row.action_type), { ...row, loss });
      if (loss !== null && new Big(loss).gt(0)) {
        largest.push({ id: row.decision_id, loss: new Big(loss) });
      }
    }
    largest = largest.sort((a, b) => b.loss.cmp(a.loss)).slice(0, LARGEST);
    records += rows.length;
    after = rows.at(-1) ?? null;
    if (after === null) break;
  }
  const document = insuranceDocument({
    ...{ byType, currency },
    largest: largest.map(({ id, loss }) => ({ decision: nameOf(secret, id), loss })),
    hasExposure: (await readEstimateCurrency(db, scope, currency)) === currency,
    about: {
      start: formatTimestamp(range.start),
      end: formatTimestamp(range.end),
      generatedAt: formatTimestamp(clock.now()),
    },
  });
  return { text: `${JSON.stringify(document, null, 2)}\n`, next: 'end', records };
}

/** Losses count against the organisation in allocations, and recoveries for it. */
function lossOf({ losses }: InsuredRow, convert: Convert): string | null {
  let sum = new Big(0);
  for (const [amount, currency, at] of losses) {
    const converted = convert(amount, currency, at);
    if (converted === null) return null;
    sum = sum.minus(converted);
  }
  return sum.toFixed();
}

function nameOf(secret: Buffer, decisionId: string): string {
  return mac(secret, uuidToId('dec', decisionId)).toString('hex');
}
