// Compares spellings of names.

/** Typing errors between two texts: insertions, deletions, replacements and swaps of two neighboring letters. */
export const editDistance = (a: string, b: string): number => {
  let older: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let least = Math.min(row[j - 1]! + 1, last[j]! + 1, last[j - 1]! + (same ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) least = Math.min(least, older[j - 2]! + 1)
      row.push(least)
    }
    older = last
    last = row
  }
  return last[b.length]!
}

/** Typing errors that a name of this length may have and still be recognized. */
export const allowedErrors = (length: number): number => (length <= 3 ? 0 : length <= 5 ? 1 : length <= 8 ? 2 : 3)

/** The same words but for typing errors and spaces. */
export const similarWords = (a: readonly string[], b: readonly string[]): boolean => {
  const [left, right] = [a.join(''), b.join('')]
  const allowed = Math.min(2, allowedErrors(Math.min(left.length, right.length)))
  return Math.abs(left.length - right.length) <= allowed && editDistance(left, right) <= allowed
}
