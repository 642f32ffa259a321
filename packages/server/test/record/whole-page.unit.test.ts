import { formatTimestamp } from '@decision-ledger/contract/time';
import { decisionWalk } from '@decision-ledger/proof/chain';
import { leafHash } from '@decision-ledger/proof/hash';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readMetadata, termsText } from '#server/domains/record/decisions/rules/metadata';
import { WholeForm, WholePage } from '#server/domains/record/decisions/whole-page';
import { uuidToId } from '#server/platform/ids';
import { json, number, text } from '../../../proof/test/support/arbitraries.js';
import { runs } from '../../../proof/test/support/runs.js';
import * as copies from './support/copied-decisions.js';

const { FIELDS, LEDGER, LEDGER_ID } = copies;
type Stored = copies.Stored;

const GENESIS = leafHash('genesis');

const name = fc.oneof(
  fc.constantFrom('pricing', 'a/b', 'é', '😀', 'a"b\\', '\u0001', '<agent>'),
  text,
);
const scalar = fc.oneof(text, number, fc.constantFrom(null, true, false, 0, -1.5, 1e21 / 1e6));
const object = json.map((value) => ({ value }));
const body = fc.record(
  {
    ...{ agent_id: name, action_type: name, inputs: object, outputs: object, alternatives: json },
    confidence: fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(0, 1, 1e-7)),
    metadata: fc.oneof(
      fc.dictionary(fc.string({ maxLength: 6 }), scalar, { maxKeys: 6, noNullPrototype: true }),
      fc.dictionary(text, scalar, { maxKeys: 90, size: 'max', noNullPrototype: true }),
      fc.dictionary(text, json, { maxKeys: 4, noNullPrototype: true }),
    ),
    human_in_loop: fc.boolean(),
    timestamp: fc.constantFrom('2026-04-16T09:30:00.000Z', '2024-02-29T23:59:59.999+02:00'),
  },
  { requiredKeys: ['agent_id', 'action_type', 'inputs', 'outputs', 'confidence'] },
);
const chain = fc
  .record({ bodies: fc.array(body, { minLength: 1, maxLength: 4 }), epoch: fc.constantFrom(1, 2) })
  .map(({ bodies, epoch }) => ({
    rows: copies.storedChain(bodies as never, epoch, GENESIS),
    epoch,
  }));

/** `id field` of each payload that was erased. */
type Erased = ReadonlySet<string>;
const NOTHING: Erased = new Set();
const keyOf = (row: Stored, field: string) => `${uuidToId('dec', row.uuid)} ${field}`;

/** Whether the walk, which words all findings, finds nothing; and where it ends. */
function walked(rows: readonly Stored[], epoch: number, erased: Erased) {
  const isErased = (id: string, field: string) => erased.has(`${id} ${field}`);
  const walk = decisionWalk({ ledger: LEDGER, epoch, seq: 0, hash: GENESIS }, { isErased });
  for (const row of rows) {
    try {
      if (walk.step(recordOf(row)) !== null) return null;
    } catch (error) {
      // A time that no text can state: the statement fails, and so does the verification.
      if (error instanceof RangeError) return null;
      throw error;
    }
    const metadata = readMetadata(row.metadata);
    const terms = termsText(LEDGER_ID, row.agent_id, row.action_type, metadata);
    if (terms !== `{${row.terms.join(',')}}` || row.epoch !== epoch) return null;
    if (FIELDS.some((field) => row[field] !== null && erased.has(keyOf(row, field)))) return null;
  }
  return { seq: walk.seq, hash: walk.hash, erased: walk.erased };
}

function recordOf(row: Stored) {
  const { seq, hash, entry, agent_id, action_type, confidence, human_in_loop } = row;
  const columns = {
    ...{ decision_id: uuidToId('dec', row.uuid), agent_id, action_type, confidence, human_in_loop },
    timestamp: formatTimestamp(row.timestamp),
    created_at: formatTimestamp(row.created_at),
  };
  const disclosures = Object.fromEntries(FIELDS.map((field) => [field, row[field]]));
  return { seq, hash, prevHash: row.prev_hash, entry, columns, disclosures };
}

function matched(rows: readonly Stored[], epoch: number, erased: Erased) {
  const page = new WholePage(new WholeForm(LEDGER_ID, LEDGER, epoch), { seq: 0, hash: GENESIS });
  for (const row of rows) page.take(copies.copied(row));
  const lacking = new Set(page.lacking.map(([id, field]) => `${id} ${field}`));
  const isExplained = [...lacking].every((key) => erased.has(key));
  const isKept = [...erased].every((key) => lacking.has(key));
  if (!page.isWhole || !isExplained || !isKept) return null;
  return { seq: page.seq, hash: page.hash, erased: page.erased };
}

it('A chain as the service stores it is whole, with and without what was erased', () => {
  fc.assert(
    fc.property(chain, fc.subarray([...FIELDS]), ({ rows, epoch }, fields) => {
      const [first, ...rest] = rows;
      if (first === undefined) return;
      const gone = fields.filter((field) => first[field] !== null);
      const left = { ...first, ...Object.fromEntries(gone.map((field) => [field, null])) };
      const erased = new Set(gone.map((field) => keyOf(first, field)));
      // An erasure of metadata takes its terms with it.
      const plain = copies.termsIn(
        termsText(LEDGER_ID, first.agent_id, first.action_type, undefined),
      );
      const all = [gone.includes('metadata') ? { ...left, terms: plain } : left, ...rest];
      const whole = walked(all, epoch, erased);
      expect(whole).not.toBeNull();
      expect(matched(all, epoch, erased)).toEqual(whole);
      if (gone.length > 0) expect(matched(all, epoch, NOTHING)).toBeNull();
    }),
    { numRuns: runs(300) },
  );
});

/** Changes a text at a place: removes, repeats or replaces a character. */
const edit = fc
  .record({
    at: fc.nat(),
    by: fc.constantFrom(
      ...'"\\{}[]:,.-+0123456789eaA_ \u0001\u007fé😀',
      '',
      '""',
      'null',
      '\\u0000',
      '"__proto__":1,',
    ),
    removed: fc.nat({ max: 2 }),
  })
  .map(({ at, by, removed }) => (value: string) => {
    const place = at % (value.length + 1);
    // The database stores whole characters only.
    return Buffer.from(value.slice(0, place) + by + value.slice(place + removed)).toString();
  });

const hash = fc.oneof(
  fc.constantFrom(GENESIS, '', '00'),
  fc.nat().map((n) => leafHash(`${n}`)),
);
const ms = fc.constantFrom(
  0,
  1,
  -1,
  253_402_300_800_000,
  -62_167_219_200_001,
  8.64e15 + 1,
  1_800_000_000_013,
);

/** Changes one column of a row. */
const change: fc.Arbitrary<(row: Stored) => Stored> = fc.oneof(
  fc
    .record({ column: fc.constantFrom('entry', 'agent_id', 'action_type'), edit })
    .map((made) => (row: Stored) => ({
      ...row,
      [made.column]: made.edit(row[made.column as 'entry']),
    })),
  fc
    .record({ field: fc.constantFrom(...FIELDS), edit: fc.option(edit) })
    .map((made) => (row: Stored) => ({
      ...row,
      [made.field]: made.edit?.(row[made.field] ?? '["AAAAAAAAAAAAAAAAAAAAAA","inputs",1]') ?? null,
    })),
  fc
    .record({
      terms: fc.array(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), { maxLength: 3 }),
      keep: fc.nat(),
    })
    .map(({ terms, keep }) => (row: Stored) => ({
      ...row,
      terms: [...row.terms.slice(0, keep % (row.terms.length + 1)), ...terms],
    })),
  fc.record({ seq: fc.integer({ min: -1, max: 6 }) }).map(assign),
  fc.record({ epoch: fc.integer({ min: -1, max: 3 }) }).map(assign),
  fc.record({ confidence: fc.oneof(fc.double(), fc.constantFrom(-0, 0, Number.NaN)) }).map(assign),
  fc.record({ human_in_loop: fc.boolean() }).map(assign),
  fc.record({ timestamp: ms }).map(assign),
  fc.record({ created_at: ms }).map(assign),
  fc.record({ hash }).map(assign),
  fc.record({ prev_hash: hash }).map(assign),
  fc
    .constantFrom('dec', 'led')
    .map((salt) =>
      assign({ uuid: `01890a5d-ac96-774b-bcce-${Buffer.alloc(6, salt).toString('hex')}` }),
    ),
);

function assign(columns: Partial<Stored>): (row: Stored) => Stored {
  return (row) => ({ ...row, ...columns });
}

/** How far a forger adapts what follows from a changed column. */
const adapt: Readonly<Record<string, (row: Stored) => Stored>> = {
  nothing: (row) => row,
  hash: (row) => ({ ...row, hash: leafHash(row.entry) }),
  entry: (row) => sealedOrSame(row),
  everything: (row) => {
    const terms = termsText(LEDGER_ID, row.agent_id, row.action_type, readMetadata(row.metadata));
    return sealedOrSame({ ...row, terms: copies.termsIn(terms) });
  },
};

function sealedOrSame(row: Stored): Stored {
  try {
    return copies.sealed(row);
  } catch (error) {
    // A column that no entry can state.
    if (error instanceof TypeError || error instanceof RangeError) return row;
    throw error;
  }
}

it('Nothing is whole that the walk finds broken, whatever is changed and however well it is adapted', () => {
  let [whole, broken] = [0, 0];
  fc.assert(
    fc.property(
      chain,
      fc.array(change, { minLength: 1, maxLength: 2 }),
      fc.constantFrom(...Object.keys(adapt)),
      fc.boolean(),
      ({ rows, epoch }, changes, how, isErasureRecorded) => {
        const target = rows.at(-1);
        if (target === undefined) return;
        const forged = adapt[how]?.(changes.reduce((row, apply) => apply(row), target)) ?? target;
        const erased = new Set(
          isErasureRecorded
            ? FIELDS.filter((f) => forged[f] === null).map((f) => keyOf(forged, f))
            : [],
        );
        const all = [...rows.slice(0, -1), forged];
        const found = walked(all, epoch, erased);
        const quick = matched(all, epoch, erased);
        if (found === null) broken += 1;
        if (quick === null) return;
        whole += 1;
        expect(quick).toEqual(found);
      },
    ),
    { numRuns: runs(6000) },
  );
  // Both kinds were made.
  expect(whole).toBeGreaterThan(runs(100));
  expect(broken).toBeGreaterThan(runs(1000));
});
