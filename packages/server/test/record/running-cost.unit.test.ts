import { describe, expect, it } from 'vitest';
import type { Metadata } from '#server/domains/record/decisions/rules/metadata';
import {
  type RunningCost,
  readRunningCost,
} from '#server/domains/record/decisions/rules/running-cost';

const stated = (amount: string, currency: string): RunningCost => ({
  stated: { amount, currency },
  tokens: null,
});
const tokens = (input: number, cached: number, output: number): RunningCost => ({
  stated: null,
  tokens: { model: 'm-1', input, cached, output },
});
const UNKNOWN = { stated: null, tokens: null };

describe('The running cost that metadata state', () => {
  it.for<readonly [Metadata, RunningCost]>([
    [{ cost: { amount: '0.0123', currency: 'USD' } }, stated('0.0123', 'USD')],
    [{ cost: { amount: 3, currency: 'eur' } }, stated('3', 'EUR')],
    [{ cost: 1e-7, currency: 'USD' }, stated('0.0000001', 'USD')],
    [{ cost: '0.25 EUR' }, stated('0.25', 'EUR')],
    [{ cost: '0.25 EUR', currency: 'USD' }, stated('0.25', 'EUR')],
    [
      { usage: { cost: '0.5', currency: 'USD', input_tokens: 9, output_tokens: 1 } },
      stated('0.5', 'USD'),
    ],
    [{ cost: { amount: 0, currency: 'JPY' } }, stated('0', 'JPY')],
  ])('%j is read', ([metadata, expected]) => {
    expect(readRunningCost(metadata)).toEqual(expected);
  });

  it.for<readonly [Metadata, RunningCost]>([
    [{ model: 'm-1', usage: { input_tokens: 900, output_tokens: 100 } }, tokens(900, 0, 100)],
    [{ model: 'm-1', usage: { input_tokens: 900, total_tokens: 1000 } }, tokens(900, 0, 100)],
    [{ model: 'm-1', usage: { output_tokens: 100, total_tokens: 100 } }, tokens(0, 0, 100)],
    [
      { model: 'm-1', usage: { input_tokens: 900, cached_input_tokens: 800, output_tokens: 0 } },
      tokens(900, 800, 0),
    ],
    [{ cost: 5, model: 'm-1', usage: { input_tokens: 1, output_tokens: 2 } }, tokens(1, 0, 2)],
  ])('The tokens of %j are read', ([metadata, expected]) => {
    expect(readRunningCost(metadata)).toEqual(expected);
  });

  it.for<Metadata>([
    { usage: { input_tokens: 900, output_tokens: 100 } },
    { model: 'm-1', usage: { input_tokens: 900 } },
    { model: 'm-1', usage: { total_tokens: 900 } },
    { model: 'm-1', usage: { input_tokens: 900, total_tokens: 800 } },
    { model: 'm-1', usage: { input_tokens: 1, cached_input_tokens: 2, output_tokens: 1 } },
    { model: 'm-1', usage: { input_tokens: 1.5, output_tokens: 1 } },
    { model: 'm-1', usage: { input_tokens: -1, output_tokens: 1 } },
    { model: ['m-1'], usage: { input_tokens: 1, output_tokens: 1 } },
    { model: 'm-1', usage: {} },
  ])('%j leaves the cost open', (metadata) => {
    expect(readRunningCost(metadata)).toEqual(UNKNOWN);
  });

  it.for<Metadata>([
    {},
    { cost: 0.02 },
    { cost: '0.02', currency: 'XXY' },
    { cost: { amount: '0.02' } },
    { cost: { amount: '-1', currency: 'USD' } },
    { cost: ['1', 'USD'] },
    { cost: '1,234 USD' },
    { usage: null },
    { usage: [1] },
    { model: 'm-1', input_tokens: 5 },
  ])('%j says nothing', (metadata) => {
    expect(readRunningCost(metadata)).toBeNull();
  });
});
