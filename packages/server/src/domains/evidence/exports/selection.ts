import type { DecisionQuery } from '@decision-ledger/contract/decision';
import { invalidField } from '@decision-ledger/contract/errors';
import type { ExportBody } from '@decision-ledger/contract/export';
import { EXPORT_TYPES, takesFilter } from '@decision-ledger/proof/bundle/format';
import {
  filterDisclosure,
  parseFilter,
  type SelectionFilter,
} from '@decision-ledger/proof/bundle/selection';
import { readJson, Shape } from '@decision-ledger/proof/bundle/shape';
import { commitmentOf, parseDisclosure } from '@decision-ledger/proof/commitment';
import type { Scope } from '../../../platform/principal.js';
import type { RandomPool } from '../../../platform/random.js';
import { type Choice, choiceOf, readDecisionFilter } from '../../record/decisions/index.js';
import type { ExportRow } from './store/exports.js';

/** What the filter of an export chooses of its range. */
export interface RunSelection {
  readonly filter: SelectionFilter;
  readonly salt: string;
  readonly choice: Choice;
}

type StoredFilter = Pick<ExportRow, 'filter' | 'filter_commitment'>;

/**
 * The filter of a request, as it is stored.
 * @throws LedgerError `validation_error`
 */
export function commitToFilter(
  random: RandomPool,
  { export_type, filter: asked }: ExportBody,
): StoredFilter {
  if (asked === undefined) return { filter: null, filter_commitment: null };
  if (!takesFilter(export_type)) {
    const types = EXPORT_TYPES.filter(takesFilter).join(', ');
    const problem = `does not go with the export_type ${export_type}: leave it out, or use ${types}`;
    throw invalidField('filter', problem);
  }
  const { metadata = {}, ...rest } = asked;
  const filter = { ...rest, ...(Object.keys(metadata).length > 0 && { metadata }) };
  if (Object.keys(filter).length === 0) {
    throw invalidField('filter', 'needs at least one condition: add one, or omit the filter');
  }
  if ((filter.min_confidence ?? 0) > (filter.max_confidence ?? 1)) {
    throw invalidField('filter.min_confidence', 'must not be above max_confidence');
  }
  const disclosure = filterDisclosure(random.base64url(16), filter);
  return { filter: disclosure, filter_commitment: commitmentOf(disclosure) };
}

/** What the activity chain has of a filter: its values may be personal data, and stay there for good. */
export function committedFilter({ filter_commitment }: Pick<ExportRow, 'filter_commitment'>) {
  return filter_commitment === null ? {} : { filter_commitment };
}

/** The filter of an export, as long as it is stored; null without one. */
export function storedFilter({ filter }: Pick<ExportRow, 'filter'>) {
  if (filter === null) return null;
  const { salt, value } = parseDisclosure(filter, 'filter');
  return { salt, filter: parseFilter(new Shape(readJson(value))) };
}

/** What an unfinished export shows; null if it shows everything of its range. */
export function readSelection(scope: Scope, row: ExportRow): RunSelection | null {
  const stored = storedFilter(row);
  if (stored !== null) {
    return { ...stored, choice: choiceOf(scope, readDecisionFilter(queryOf(stored.filter))) };
  }
  if (row.filter_commitment === null) return null;
  throw new Error('the filter of an unfinished export is missing');
}

/** The filter as the query of GET /decisions, so that both find the same decisions. */
function queryOf({ metadata = {}, ...rest }: SelectionFilter): DecisionQuery {
  const members = Object.entries(metadata).map(([key, text]) => [`metadata.${key}`, text]);
  return { ...rest, ...Object.fromEntries(members) };
}
