/** Numbers from 0 to 1 that follow from a seed (xorshift32). */
export function seeded(seed: number): () => number {
  let state = seed * 2_654_435_761 || 1;
  const next = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
  for (let n = 0; n < 20; n += 1) next();
  return next;
}
