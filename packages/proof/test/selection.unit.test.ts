import {
  filterCommitment,
  filterDisclosure,
  filterTexts,
  matchesFilter,
  parseSelection,
  readWithheldActivityLine,
  readWithheldLine,
  type SelectionFilter,
} from '@decision-ledger/proof/bundle/selection';
import { readJson, Shape } from '@decision-ledger/proof/bundle/shape';
import { commitmentOf } from '@decision-ledger/proof/commitment';
import { describe, expect, it } from 'vitest';

const SALT = 'AAAAAAAAAAAAAAAAAAAAAA';
const COLUMNS = { agent_id: 'a', action_type: 'refund', human_in_loop: false, confidence: 0.5 };

describe('The filter of a bundle', () => {
  it.each<[SelectionFilter, boolean]>([
    [{ agent_id: 'a' }, true],
    [{ agent_id: 'A' }, false],
    [{ action_type: 'refund', human_in_loop: false }, true],
    [{ human_in_loop: true }, false],
    [{ min_confidence: 0.5, max_confidence: 0.5 }, true],
    [{ min_confidence: 0.51 }, false],
    [{ max_confidence: 0.49 }, false],
    [{ metadata: { customer: 'C-17' } }, true],
    [{ metadata: { customer: 'c-17' } }, false],
    [{ metadata: { n: '17', s: '17' } }, true],
    [{ metadata: { n: '17.0' } }, false],
    [{ metadata: { yes: 'true', nothing: 'null' } }, true],
    [{ metadata: { list: '[]' } }, false],
    [{ metadata: { absent: 'x' } }, false],
    [{ metadata: { toString: 'x' } }, false],
  ])('%j matches as the list does: %s', (filter, matches) => {
    const metadata = readJson(
      '{"customer":"C-17","list":[],"n":17,"nothing":null,"s":"17","yes":true}',
    );
    expect(matchesFilter(filter, COLUMNS, metadata)).toBe(matches);
  });

  it('Without metadata, no condition on them is met', () => {
    for (const metadata of [null, 'text', []]) {
      expect(matchesFilter({ metadata: { n: '1' } }, COLUMNS, metadata)).toBe(false);
      expect(matchesFilter({ agent_id: 'a' }, COLUMNS, metadata)).toBe(true);
    }
  });

  it('A text matches itself, and the scalar that it writes', () => {
    expect(filterTexts('1e3')).toEqual(['"1e3"']);
    expect(filterTexts('1000')).toEqual(['"1000"', '1000']);
    expect(filterTexts('"')).toEqual(['"\\""']);
  });

  it('Its commitment does not depend on the order of its members', () => {
    const one = { agent_id: 'a', metadata: { b: '1', a: '2' } };
    const other = { metadata: { a: '2', b: '1' }, agent_id: 'a' };
    const disclosure = `["${SALT}","filter",{"agent_id":"a","metadata":{"a":"2","b":"1"}}]`;
    expect(filterDisclosure(SALT, one)).toBe(disclosure);
    expect(filterCommitment({ salt: SALT, filter: other })).toBe(commitmentOf(disclosure));
  });
});

describe('The selection in a manifest', () => {
  const text = (filter: string, more = '') =>
    `{"filter":${filter},"salt":"${SALT}","in_range":5,"withheld":4,"erased":0${more}}`;
  const read = (json: string) => parseSelection(new Shape(readJson(json)));

  it('It is read as it is written', () => {
    const filter = { agent_id: 'a', human_in_loop: true, metadata: { customer: 'C-17' } };
    expect(read(text(JSON.stringify(filter)))).toEqual({
      filter,
      ...{ salt: SALT, in_range: 5, withheld: 4, erased: 0 },
    });
  });

  it.each([
    ['{}', 'no member'],
    ['{"start":"2026-01-01"}', 'not an allowed member'],
    ['{"metadata":{"n":5}}', 'not a string'],
    ['{"human_in_loop":"yes"}', 'not true or false'],
  ])('The filter %s is refused', (filter, reason) => {
    expect(() => read(text(filter))).toThrow(reason);
    expect(() => read(text('{"agent_id":"a"}', ',"more":1'))).toThrow('not an allowed member');
  });
});

describe('Lines of withheld records', () => {
  const hash = 'ab'.repeat(32);

  it('A line of withheld.ndjson is a place and a hash, and nothing else', () => {
    expect(readWithheldLine(`[7,"${hash}"]`)).toEqual({ seq: 7, hash });
    const wrong = [
      `[07,"${hash}"]`,
      `[0,"${hash}"]`,
      `[7, "${hash}"]`,
      `[7,"${hash}",1]`,
      `[9007199254740993,"${hash}"]`,
    ];
    for (const line of [...wrong, `[7,"${hash.toUpperCase()}"]`, `[7,"${hash}"],`, '']) {
      expect(readWithheldLine(line), line).toBeNull();
    }
  });

  it('A line of activity.ndjson is a hash alone', () => {
    expect(readWithheldActivityLine(`"${hash}"`)).toBe(hash);
    expect(readWithheldActivityLine(hash)).toBeNull();
  });
});
