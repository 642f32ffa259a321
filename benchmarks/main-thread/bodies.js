// Bodies that are as large as a limit allows in one respect each, whatever the operation.

/** @typedef {{ what: string, body: string }} Body */

/** @param {number} count @param {(n: number) => string} item */
const repeat = (count, item) => Array.from({ length: count }, (_, n) => item(n)).join();

/**
 * @param {number} bytes
 * @param {number} members
 * @param {number} values
 * @param {number} depth
 * @returns {Body[]}
 */
export function maximalBodies({ bytes, members, values, depth }) {
  const fitting = (/** @type {number} */ size) => Math.floor((bytes - 100) / size);
  const named = Math.min(members, fitting(11)) - 1;
  const many = Math.min(values, fitting(2)) - 10;
  const member = (/** @type {number} */ n) => `"${String(n).padStart(6, 'k00000')}":1`;
  return [
    { what: 'unknown members', body: `{${repeat(named, member)}}` },
    { what: 'members with a duplicate', body: `{${repeat(named, member)},${member(0)}}` },
    { what: 'members with escapes', body: `{"\\u0061":1,${repeat(named - 1, member)}}` },
    {
      what: 'members with one escape each',
      body: `{${repeat(Math.min(named, fitting(14)), (n) => `"\\u00e9${String(n).padStart(5, '0')}":1`)}}`,
    },
    {
      what: 'objects in an array',
      body: `{"a":[${repeat(Math.min(many, fitting(3)), () => '{}')}]}`,
    },
    {
      what: 'objects with a member',
      body: `{"a":[${repeat(Math.min(named, fitting(8)), () => '{"a":1}')}]}`,
    },
    { what: 'numbers in an array', body: `{"a":[${repeat(many, () => '1')}]}` },
    {
      what: 'numbers of 17 digits',
      body: `{"a":[${repeat(Math.min(values - 10, fitting(20)), () => '0.1234567890123456')}]}`,
    },
    { what: 'one text', body: `{"a":"${'x'.repeat(bytes - 100)}"}` },
    { what: 'one text of escapes', body: `{"a":"${'\\u00e9'.repeat(fitting(6))}"}` },
    { what: 'a text of three-byte characters', body: `{"a":"${'€'.repeat(fitting(3))}"}` },
    {
      what: 'nesting',
      body: `{"a":[${repeat(fitting(2 * depth), () => '['.repeat(depth - 2) + ']'.repeat(depth - 2))}]}`,
    },
    { what: 'nesting without end', body: '['.repeat(bytes - 100) },
    { what: 'white space', body: `{}${' '.repeat(bytes - 100)}` },
    { what: 'a mistake at the end', body: `{${repeat(named, member)}` },
    { what: 'one name', body: `{"${'x'.repeat(bytes - 100)}":1}` },
  ];
}
