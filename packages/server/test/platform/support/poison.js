// @ts-check
/** The decisions that followers of tests cannot take: one in `every` is passed over, one stops before the first. */
export const POISON = { every: 97, first: 60 };
