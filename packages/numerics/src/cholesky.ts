/**
 * Solves a system with a symmetric positive definite matrix (Cholesky), given row by row.
 *
 * @returns null if the matrix is not positive definite
 * @example
 * ```ts
 * import { solveCholesky } from '@decision-ledger/numerics/cholesky';
 *
 * // 4x + 2y = 8 and 2x + 3y = 8
 * const solution = solveCholesky(Float64Array.of(4, 2, 2, 3), Float64Array.of(8, 8));
 * solution?.at(1)?.toFixed(6); // => '2.000000'
 * ```
 */
export function solveCholesky(matrix: Float64Array, right: Float64Array): Float64Array | null {
  const size = right.length;
  const lower = new Float64Array(size * size);
  const value = (column: Float64Array, place: number) => column[place] ?? 0;
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column <= row; column += 1) {
      let sum = value(matrix, row * size + column);
      for (let k = 0; k < column; k += 1) {
        sum -= value(lower, row * size + k) * value(lower, column * size + k);
      }
      if (row === column && !(sum > 1e-10 * value(matrix, row * size + row))) return null;
      lower[row * size + column] =
        row === column ? Math.sqrt(sum) : sum / value(lower, column * size + column);
    }
  }
  const solution = Float64Array.from(right);
  for (let row = 0; row < size; row += 1) {
    let sum = value(solution, row);
    for (let k = 0; k < row; k += 1) sum -= value(lower, row * size + k) * value(solution, k);
    solution[row] = sum / value(lower, row * size + row);
  }
  for (let row = size - 1; row >= 0; row -= 1) {
    let sum = value(solution, row);
    for (let k = row + 1; k < size; k += 1) {
      sum -= value(lower, k * size + row) * value(solution, k);
    }
    solution[row] = sum / value(lower, row * size + row);
  }
  return solution;
}
