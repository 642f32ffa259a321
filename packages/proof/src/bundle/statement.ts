import type { JsonValue } from '../json.js';
import { type ChainPoint, parseChainPoint, parseRunStart, type RunStart } from './manifest.js';
import { Shape } from './shape.js';

/** The service's verification result for a run of a chain. */
export interface ChainResult {
  readonly is_valid: boolean;
  readonly records_checked: number;
  /** The first broken record and the reason; null if all are valid. */
  readonly first_broken_link: object | null;
  readonly start: RunStart | null;
  readonly end: ChainPoint | null;
}

/** chain_verification.json: the run of decisions and the activity chain. */
export interface ChainStatement extends ChainResult {
  /** Number of erased fields in the run of decisions. */
  readonly erased_fields: number;
  /** RFC 3339, UTC with milliseconds. */
  readonly verification_timestamp: string;
  readonly activity: ChainResult;
}

/** `hasBrokenLink`: whether `first_broken_link` names a record. */
export type ParsedResult = Omit<ChainResult, 'first_broken_link'> & {
  readonly hasBrokenLink: boolean;
};

/**
 * Reads the parts of chain_verification.json that can be compared with a manifest.
 * @throws ShapeError
 * @example
 * ```ts
 * import { readFile } from 'node:fs/promises';
 * import { readJson } from '@decision-ledger/proof/bundle/shape';
 * import { parseStatement } from '@decision-ledger/proof/bundle/statement';
 *
 * const text = await readFile('chain_verification.json', 'utf8');
 * const { decisions, activity } = parseStatement(readJson(text));
 * const isValid = decisions.is_valid && activity.is_valid;
 * ```
 */
export function parseStatement(value: JsonValue): {
  readonly decisions: ParsedResult;
  readonly activity: ParsedResult;
} {
  const shape = new Shape(value);
  const decisions = parseResult(shape);
  const activity = parseResult(shape.object('activity'));
  shape.time('verification_timestamp');
  return { decisions, activity };
}

function parseResult(shape: Shape): ParsedResult {
  return {
    is_valid: shape.flag('is_valid'),
    hasBrokenLink: shape.opt('first_broken_link') !== null,
    start: parseRunStart(shape.optObject('start')),
    end: parseChainPoint(shape.optObject('end')),
    records_checked: shape.count('records_checked'),
  };
}
