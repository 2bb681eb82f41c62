/** Linear between the points of a curve, which are in order of x; constant beyond them. */
export const interpolated = (curve: readonly (readonly [number, number])[], at: number): number => {
  for (let k = 0; k < curve.length; k++) {
    const [x1, y1] = curve[k]!
    const [x0, y0] = curve[k - 1] ?? curve[k]!
    if (at <= x1) return x1 === x0 ? y1 : y0 + ((y1 - y0) * (at - x0)) / (x1 - x0)
  }
  return curve.at(-1)![1]
}
