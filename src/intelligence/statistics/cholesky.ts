// Solves symmetric, positive definite systems of linear equations, as in ridge regressions and Newton steps.

/**
 * Solves matrix · x = right. Only the lower triangle of `matrix` (row by row, `size` × `size`) is read, and it is overwritten with its
 * Cholesky factor.
 */
export const solveCholesky = (matrix: Float64Array, right: ArrayLike<number>, size: number): Float64Array => {
  for (let i = 0; i < size; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = matrix[i * size + j]!
      for (let p = 0; p < j; p++) sum -= matrix[i * size + p]! * matrix[j * size + p]!
      matrix[i * size + j] = i === j ? Math.sqrt(Math.max(sum, 1e-12)) : sum / matrix[j * size + j]!
    }
  }
  const x = Float64Array.from(right)
  for (let i = 0; i < size; i++) {
    for (let p = 0; p < i; p++) x[i]! -= matrix[i * size + p]! * x[p]!
    x[i] = x[i]! / matrix[i * size + i]!
  }
  for (let i = size - 1; i >= 0; i--) {
    for (let p = i + 1; p < size; p++) x[i]! -= matrix[p * size + i]! * x[p]!
    x[i] = x[i]! / matrix[i * size + i]!
  }
  return x
}
