import type { ExposureAnalysis } from '@decision-ledger/client/api/exposure';
import type { LiabilitySettings } from '@decision-ledger/client/api/settings-forms';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readExposure } from '#dashboard/app/search-params.ts';
import { differenceOf } from '#dashboard/format/decimal.ts';
import { outcomeOf, seriesOf } from '#dashboard/pages/exposure/figures.ts';
import {
  actionTypesOf,
  changedByOthers,
  draftOf,
  patchOf,
  rebased,
  withCell,
} from '#dashboard/pages/exposure/matrix/matrix.ts';

const CELL = { likelihood: 'likely', severity: 'major' } as const;

const SETTINGS = {
  matrix: { refund: { likelihood: 'rare', severity: 'minor' }, loan: CELL },
  default_cell: { likelihood: 'possible', severity: 'moderate' },
  likelihoods: { rare: 0.0005, unlikely: 0.002, possible: 0.01, likely: 0.05, near_certain: 0.2 },
  severities: { minor: '1', moderate: '2', serious: '3', major: '4', critical: '5' },
} as const satisfies Partial<LiabilitySettings>;

type Part = Parameters<typeof patchOf>[0];
const settings: Part = SETTINGS;

describe('The editor of the risk matrix', () => {
  it('A draft without changes is no patch', () => {
    expect(patchOf(settings, draftOf(settings))).toBeNull();
    expect(patchOf(settings, withCell(draftOf(settings), 'loan', CELL))).toBeNull();
  });

  it('A patch names what changed, and resets what was removed', () => {
    const changed = withCell(withCell(draftOf(settings), 'refund', CELL), 'loan', null);
    expect(patchOf(settings, changed)).toEqual({ matrix: { refund: CELL, loan: null } });
    const severities = { ...SETTINGS.severities, minor: '1.50' };
    expect(patchOf(settings, { ...draftOf(settings), severities })).toEqual({ severities });
    expect(patchOf(settings, { ...draftOf(settings), others: CELL })).toEqual({
      default_cell: CELL,
    });
  });

  it('On newer settings, a draft changes what it changed before and nothing else', () => {
    const draft = withCell(withCell(draftOf(settings), 'refund', CELL), 'loan', null);
    const other = { likelihood: 'unlikely', severity: 'critical' } as const;
    const newer: Part = { ...SETTINGS, matrix: { refund: other, loan: CELL, sale: other } };
    expect(patchOf(newer, rebased(draft, settings, newer))).toEqual(patchOf(settings, draft));
    expect(changedByOthers(draft, settings, newer)).toEqual([
      'refund from Rare, Minor to Unlikely, Critical',
    ]);
    const severities = { ...SETTINGS.severities, minor: '1.50' };
    const levels = { ...draftOf(settings), severities, others: CELL };
    const changed: Part = {
      ...newer,
      default_cell: other,
      likelihoods: { ...SETTINGS.likelihoods },
    };
    expect(patchOf(changed, rebased(levels, settings, changed))).toEqual({
      ...{ severities, default_cell: CELL },
    });
    expect(changedByOthers(levels, settings, changed)).toEqual([
      'all others from Possible, Moderate to Unlikely, Critical',
    ]);
    const theirs: Part = { ...SETTINGS, severities: { ...SETTINGS.severities, major: '9' } };
    expect(changedByOthers(levels, settings, theirs)).toEqual(['what the severities stand for']);
    expect(changedByOthers(draftOf(settings), settings, changed)).toEqual([]);
  });

  it('An action type named like a member of every object is one like the others', () => {
    const changed = withCell(draftOf(settings), '__proto__', CELL);
    const matrix: unknown = patchOf(settings, changed)?.matrix;
    expect(JSON.stringify(matrix)).toBe(JSON.stringify({ ['__proto__']: CELL }));
  });

  it('Action types are those recorded and those in the matrix, once each', () => {
    expect(actionTypesOf(draftOf(settings), ['refund', 'discount'])).toEqual([
      ...['discount', 'loan', 'refund'],
    ]);
  });

  it('A difference of amounts is exact', () => {
    expect(differenceOf('0.10', '0.30')).toBe('0.20');
    expect(differenceOf('-5.00', '1.25')).toBe('6.25');
    const cents = fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n });
    fc.assert(
      fc.property(cents, cents, (before, after) => {
        expect(BigInt(differenceOf(String(before), String(after)))).toBe(after - before);
      }),
    );
  });
});

describe('The trend of the exposure', () => {
  it('The current point has its own time, and other currencies are left out', () => {
    const point = { decisions: 1, realised: '1.00', exposure: '2.50' };
    const analysis: Pick<ExposureAnalysis, 'trend' | 'currency' | 'as_of'> = {
      currency: 'EUR',
      as_of: '2026-04-30T12:00:00Z',
      trend: [
        { ...point, day: '2026-04-28', is_now: false, currency: 'USD' },
        { ...point, day: '2026-04-30', is_now: false, currency: 'EUR' },
        { ...point, day: '2026-04-30', is_now: true, currency: 'EUR', exposure: '3.00' },
      ],
    };
    const { times, exposure } = seriesOf(analysis);
    expect(times).toEqual([1_777_507_200, 1_777_550_400]);
    expect(exposure).toEqual([2.5, 3]);
  });
});

describe('The back-test', () => {
  it.each([
    ['open', null, 'Open: losses may still follow'],
    ['changed', null, 'Not compared: the month changed later'],
    ['compared', true, 'Above the value at risk'],
    ['compared', false, 'Within the value at risk'],
  ] as const)('A month that is %s with exception %s reads: %s', (status, is_exception, text) => {
    expect(outcomeOf({ status, is_exception })).toBe(text);
  });
});

describe('The address of the page', () => {
  it('What is no filter is left out', () => {
    expect(readExposure({ agent: 'a', action: '', from: '2026-02-31x', to: '2026-02-01' })).toEqual(
      {
        ...{ agent: 'a', action: undefined, from: undefined, to: '2026-02-01' },
      },
    );
  });
});
