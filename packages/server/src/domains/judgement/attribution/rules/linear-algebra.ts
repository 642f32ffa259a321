/**
 * Solves A·x = b for a symmetric positive definite matrix, by Cholesky's decomposition.
 * @param matrix rows
 */
export function solvePositive(
  matrix: readonly (readonly number[])[],
  b: readonly number[],
): number[] {
  const size = b.length;
  const lower = matrix.map(() => new Array<number>(size).fill(0));
  const at = (row: number, column: number) => lower[row]?.[column] ?? 0;
  for (let row = 0; row < size; row++) {
    for (let column = 0; column <= row; column++) {
      let sum = matrix[row]?.[column] ?? 0;
      for (let k = 0; k < column; k++) sum -= at(row, k) * at(column, k);
      const own = lower[row];
      if (own === undefined) continue;
      own[column] =
        row === column ? Math.sqrt(Math.max(sum, Number.MIN_VALUE)) : sum / at(column, column);
    }
  }
  const forward: number[] = [];
  for (let row = 0; row < size; row++) {
    let sum = b[row] ?? 0;
    for (let k = 0; k < row; k++) sum -= at(row, k) * (forward[k] ?? 0);
    forward.push(sum / at(row, row));
  }
  const solution = new Array<number>(size).fill(0);
  for (let row = size - 1; row >= 0; row--) {
    let sum = forward[row] ?? 0;
    for (let k = row + 1; k < size; k++) sum -= at(k, row) * (solution[k] ?? 0);
    solution[row] = sum / at(row, row);
  }
  return solution;
}
