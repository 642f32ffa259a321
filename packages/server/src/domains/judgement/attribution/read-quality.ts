import type {
  AttributionQuality,
  QualityPeriod,
} from '@decision-ledger/contract/analytics-quality';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import { readAudits } from './audited.js';
import { type Audit, type Quality, qualityOf } from './rules/quality.js';
import type { RecordedRange } from './store/audits.js';

/** What audits say of suggestions, without the state that it was read in. */
export type QualityFigures = Omit<AttributionQuality, 'as_of' | 'activity_seq'>;

/** How often the suggestions for events of a range were right, by the audits. */
export async function readQuality(
  db: Queryable,
  scope: Scope,
  range: RecordedRange,
): Promise<QualityFigures> {
  const audits = await readAudits(db, scope, range);
  const byMonth = new Map<string, Audit[]>();
  for (const audit of audits) {
    byMonth.set(audit.month, [...(byMonth.get(audit.month) ?? []), audit]);
  }
  return {
    ...describe(qualityOf(audits)),
    by_month: [...byMonth].map(([month, own]) => ({ month, ...describe(qualityOf(own)) })),
  };
}

function describe({ calibration, ...quality }: Quality): QualityPeriod {
  return {
    ...quality,
    calibration: calibration === null ? null : { ...calibration, bins: [...calibration.bins] },
  };
}
