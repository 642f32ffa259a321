import type {
  AttributionQuality,
  QualityMonth,
  QualityPeriod,
  QualityQuery,
} from '@decision-ledger/contract/analytics-quality';
import { type CsvCell, csvTable } from '@decision-ledger/contract/csv';
import { readRange } from '@decision-ledger/contract/time';
import type { Ledger } from '../../../platform/ledger.js';
import { readQuality } from '../../judgement/attribution/index.js';
import { readConsistent } from './consistent.js';

/** The route of the model answers with it as it is. */
export { readAttributionModel } from '../../judgement/attribution/index.js';

/**
 * How often suggestions are right, by the audits of events that were recorded in a range.
 * @throws LedgerError `validation_error` for an invalid range
 */
export async function readAttributionQuality(
  ledger: Ledger,
  { start, end }: QualityQuery,
): Promise<AttributionQuality> {
  const range = readRange(start, end);
  const { state, result } = await readConsistent(ledger, (reader) =>
    readQuality(reader, range, reader.clock.now()),
  );
  const { as_of, activity_seq } = state;
  return { as_of, activity_seq, ...result };
}

const COLUMNS = [
  ...['section', 'month', 'figure', 'value', 'low', 'high', 'units', 'effective_units'],
  ...['reason', 'as_of', 'activity_seq'],
] as const;

type Row = Partial<Readonly<Record<(typeof COLUMNS)[number], CsvCell>>>;

/** A row for each figure of attribution quality: of the label, of the whole, then of each month. */
function qualityTable(quality: AttributionQuality): Iterable<string> {
  const { by_month, as_of, activity_seq, label, ...total } = quality;
  const rows: Row[] = [
    { section: 'label', figure: label.state, ...label.precision },
    ...rowsOf(total).map((row) => ({ section: 'total', ...row })),
    ...by_month.flatMap(({ month, drift, ...own }) =>
      [...rowsOf(own), ...drift.map(driftRow)].map((row) => ({ section: 'month', month, ...row })),
    ),
  ];
  return csvTable(
    COLUMNS,
    rows.map((row) => ({ ...row, as_of, activity_seq })),
  );
}

function rowsOf({ precision, recall, calibration, reason, ...period }: QualityPeriod): Row[] {
  const counts = (['audits', 'answered', 'skipped', 'unanswered', 'represented'] as const).map(
    (figure): Row => ({ figure, value: period[figure] }),
  );
  const measured = [
    ...Object.entries(precision).map(([label, own]) => [`precision.${label}`, own] as const),
    ...Object.entries(recall).map(([label, own]) => [`recall.${label}`, own] as const),
  ].map(([figure, own]): Row => ({ figure, reason, ...own }));
  const shares = (['mean_share', 'observed', 'ece', 'ece_by_chance'] as const).map(
    (name): Row => ({
      figure: `calibration.${name}`,
      value: calibration?.[name] ?? null,
      units: calibration?.suggestions ?? null,
      reason,
    }),
  );
  const bins = (calibration?.bins ?? []).flatMap(
    ({ from, mean_share, observed, to: _, ...own }) => [
      { figure: `calibration.${from}.mean_share`, value: mean_share, units: own.units },
      { figure: `calibration.${from}.observed`, value: observed, ...own },
    ],
  );
  return [...counts, ...measured, ...shares, ...bins];
}

function driftRow({ metric, index, state, events }: QualityMonth['drift'][number]): Row {
  const reason = index === null ? state : null;
  return { figure: `drift.${metric}`, value: index, units: events, reason };
}

export const QUALITY_TABLE = { name: 'attribution-quality', print: qualityTable };
