/**
 * A six-character hash (FNV-1a, 32 bits) of a model's numbers. It is part of the model's version: without it two fits on
 * the same number of rows would have the same version.
 */
export const fingerprint = (numbers: Iterable<number>): string => {
  let hash = 0x811c9dc5
  for (const number of numbers)
    for (const letter of `${number.toPrecision(9)} `) {
      hash ^= letter.charCodeAt(0)
      hash = Math.imul(hash, 0x01000193)
    }
  return (hash >>> 0).toString(36).padStart(7, '0').slice(-6)
}
