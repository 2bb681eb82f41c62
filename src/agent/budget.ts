// Estimates how much of a model's context a response takes.

/** Claude Code rejects results over 25,000 tokens; other clients have lower limits. */
export const maxResultTokens = 18_000

/** A high estimate: JSON has three to four characters per token, other scripts one or more tokens per character. */
export const estimateTokens = (text: string): number => {
  let ascii = 0
  let other = 0
  for (let index = 0; index < text.length; index++) {
    if (text.charCodeAt(index) < 128) ascii++
    else other++
  }
  return Math.ceil(ascii / 3.5 + other * 1.5)
}

/** The largest number of leading items whose rendering fits. */
export const largestFit = (count: number, fits: (count: number) => boolean): number => {
  if (fits(count)) return count
  let [low, high] = [0, count]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (fits(middle)) low = middle
    else high = middle
  }
  return low
}
