import { reason } from '../archive/open.js';
import type { Findings } from '../report/findings.js';
import type { Files } from './files.js';
import { type FirstPlace, firstPlaceOf, type Manifest, type Place, placeOf } from './manifest.js';
import { readJson, Shape } from './shape.js';

const STATEMENT = 'chain_verification.json';

/** What the service says that its own verification found is about the run of the manifest. */
export async function checkStatement(
  files: Files,
  manifest: Manifest,
  findings: Findings,
): Promise<void> {
  const text = await files.text(STATEMENT);
  if (text === null) return;
  try {
    const statement = new Shape(readJson(text));
    const differences = [
      ...compare(statement, 'the decisions', manifest.decisions),
      ...compare(statement.object('activity'), 'the activity', manifest.activity),
    ];
    statement.time('verification_timestamp');
    for (const difference of differences) {
      const message = `${STATEMENT} ${difference}.`;
      findings.fail('integrity', { code: 'statement_differs', file: STATEMENT, message });
    }
  } catch (error) {
    const message = `${STATEMENT} is not in its form: ${reason(error)}.`;
    findings.fail('integrity', { code: 'statement_shape', file: STATEMENT, message });
  }
}

interface Ends {
  readonly first: FirstPlace | null;
  readonly last: Place | null;
}

function* compare(statement: Shape, what: string, ends: Ends | null): Generator<string> {
  if (!statement.flag('is_valid') || statement.opt('first_broken_link') !== null) {
    yield `says that the chain of ${what} was broken when the bundle was made`;
  }
  const start = firstPlaceOf(statement.optObject('start'));
  const end = placeOf(statement.optObject('end'));
  const sameStart =
    start?.seq === ends?.first?.seq &&
    start?.hash === ends?.first?.hash &&
    start?.prevHash === ends?.first?.prevHash;
  if (!sameStart || end?.seq !== ends?.last?.seq || end?.hash !== ends?.last?.hash) {
    yield `names other ends of ${what} than the manifest`;
  }
  const records = start === null || end === null ? 0 : end.seq - start.seq + 1;
  if (statement.count('records_checked') !== records) {
    yield `counts other than ${records} records of ${what}`;
  }
}
