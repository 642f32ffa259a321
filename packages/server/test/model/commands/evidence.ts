import {
  ActivityChainVerification,
  DecisionChainVerification,
} from '@decision-ledger/contract/chain';
import { ERASABLE_FIELDS } from '@decision-ledger/contract/erasure';
import { Export } from '@decision-ledger/contract/export';
import { EXPORT_TYPES, takesFilter } from '@decision-ledger/proof/bundle/format';
import { expect } from 'vitest';
import { dataOf } from '../../support/client.js';
import type { Call } from '../call.js';
import { drawFilter } from '../filters.js';

const decisionId = (call: Call) => call.pickId(({ decisions }) => decisions.keys(), 'dec');

const DAY = 86_400_000;

export async function requestExport(call: Call): Promise<void> {
  const export_type = call.pick(EXPORT_TYPES) ?? 'forensic';
  const agents = [...call.ledger.decisions.values()].map(({ agent }) => agent);
  const agent_id = call.pick([...agents, 'nobody']) ?? 'nobody';
  const day = (days: number) =>
    new Date(call.world.bed.clock.now() + days * DAY).toISOString().slice(0, 10);
  const isFiltered = call.chance(takesFilter(export_type) ? 0.5 : 0.1);
  const body = {
    ...{ export_type, start_date: day(call.choose(-400, -30, 0)), end_date: day(call.below(9)) },
    ...(export_type === 'statement' && { agent_id }),
    ...(isFiltered && { filter: drawFilter(call) }),
  };
  const answer = await call.once('requestExport', 'export', { body });
  if (answer === null || !call.may('export')) return;
  const isUnknown = export_type === 'statement' && agent_id === 'nobody';
  const isRefused = isFiltered && !takesFilter(export_type);
  expect(answer.status, answer.text).toBe(isUnknown ? 404 : isRefused ? 422 : 202);
  if (!isUnknown && !isRefused) call.ledger.exports.push(dataOf(answer, Export, 202).export_id);
}

export async function downloadExport(call: Call): Promise<void> {
  const id = call.pickId(({ exports }) => exports, 'exp');
  const answer = await call.send('downloadExport', 'export', { path: { id } });
  if (!call.may('export')) return;
  const isKnown = call.ledger.exports.includes(id);
  expect(isKnown ? [200, 409, 410] : [404], answer.text).toContain(answer.status);
}

export async function presentDecision(call: Call): Promise<void> {
  const id = decisionId(call);
  const fields = ERASABLE_FIELDS.filter(() => call.chance(0.4));
  const request = { path: { id }, body: { fields } };
  const answer = await call.send('presentDecision', 'export', request);
  if (!call.may('export')) return;
  const known = call.ledger.decisions.get(id);
  const hasAll = fields.every((field) => known?.fields.has(field));
  if (known === undefined) expect(answer.status, answer.text).toBe(404);
  else expect(hasAll ? [200, 202] : [422], answer.text).toContain(answer.status);
}

export async function getDecisionProof(call: Call): Promise<void> {
  const id = decisionId(call);
  const answer = await call.send('getDecisionProof', 'read', { path: { id } });
  if (!call.may('read')) return;
  const isKnown = call.ledger.decisions.has(id);
  expect(isKnown ? [200, 202] : [404], answer.text).toContain(answer.status);
}

export async function verifyDecisionChain(call: Call): Promise<void> {
  const answer = await call.send('verifyDecisionChain', 'read');
  if (call.may('read')) expect(dataOf(answer, DecisionChainVerification).is_valid).toBe(true);
}

export async function verifyActivityChain(call: Call): Promise<void> {
  const answer = await call.send('verifyActivityChain', 'read');
  if (!call.may('read')) return;
  expect(dataOf(answer, ActivityChainVerification)).toMatchObject({
    is_valid: true,
    reconciliation: { is_reconciled: true, findings: [] },
  });
}
