/** Six letters that tell one set of numbers from another: two fits on as many rows are two models. FNV-1a, 32 bits. */
export const fingerprint = (numbers: Iterable<number>): string => {
  let hash = 0x811c9dc5
  for (const number of numbers)
    for (const letter of `${number.toPrecision(9)} `) {
      hash ^= letter.charCodeAt(0)
      hash = Math.imul(hash, 0x01000193)
    }
  return (hash >>> 0).toString(36).padStart(7, '0').slice(-6)
}
