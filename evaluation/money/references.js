/** The ways in which people and programs write the same reference. */
const SPELLINGS = [
  (/** @type {string} */ text) => text,
  (/** @type {string} */ text) => text.toLowerCase(),
  (/** @type {string} */ text) => text.replaceAll('-', ''),
  (/** @type {string} */ text) => text.replaceAll('-', ' '),
  (/** @type {string} */ text) => text.replaceAll('-', '_'),
  (/** @type {string} */ text) => text.replaceAll('-', '/'),
  (/** @type {string} */ text) => `#${text}`,
];

/**
 * One of the spellings; most are as the shop prints it. Ids of Stripe are never spelled: they are copied.
 * @param {import('../random.js').Random} random
 * @param {string} reference
 */
export function spell(random, reference) {
  if (isOfStripe(reference) || random.chance(0.5)) return reference;
  return random.pick(SPELLINGS)(reference);
}

/** @param {string} reference */
const isOfStripe = (reference) => /^(ch|pi|re|du|po)_/.test(reference);

/** What a reference names: two of one kind that differ name two things. @param {string} reference */
const kindOf = (reference) => /^[a-z]+_|^[A-Z]+|^\d/.exec(reference)?.[0] ?? '';

/**
 * @param {readonly string[]} some
 * @param {readonly string[]} others
 */
export const isShared = (some, others) => some.some((reference) => others.includes(reference));

/**
 * Whether both name a thing of one kind, and not the same one.
 * @param {readonly string[]} some
 * @param {readonly string[]} others
 */
export function isContradicted(some, others) {
  if (isShared(some, others)) return false;
  const kinds = some.map((one) => orderKind(kindOf(one)));
  return others.some((other) => kinds.includes(orderKind(kindOf(other))));
}

/** Orders have two forms of numbers. @param {string} kind */
const orderKind = (kind) => (/^\d$/.test(kind) ? 'A' : kind);
