import { type DisclosedLeaf, readDisclosedLeaf } from '../presentation/format.js';
import { readJson, Shape } from './shape.js';

/**
 * The text of activity.proofs.json: records of the activity chain, with their places in its log.
 *
 * @example
 * ```ts
 * import { activityProofsText } from '@decision-ledger/proof/bundle/activity-proofs';
 *
 * activityProofsText([]); // => '{"records":[\n]}\n'
 * ```
 */
export function activityProofsText(records: readonly DisclosedLeaf[]): string {
  const lines = records.map(
    ({ entry, index, path, data }) => `\n${JSON.stringify({ entry, index, path, data })}`,
  );
  return `{"records":[${lines.join(',')}\n]}\n`;
}

/**
 * Reads activity.proofs.json. Nothing in it is verified.
 *
 * @throws GateError, ShapeError
 * @example
 * ```ts
 * import { readActivityProofs } from '@decision-ledger/proof/bundle/activity-proofs';
 *
 * readActivityProofs('{"records":[]}'); // => []
 * ```
 */
export function readActivityProofs(text: string): DisclosedLeaf[] {
  const shape = new Shape(readJson(text));
  const records = shape
    .array('records')
    .map((value, at) => readDisclosedLeaf(value, `records[${at}]`));
  shape.done();
  return records;
}
