// How much of a model's context an answer takes.

/** Claude Code refuses results over 25,000 tokens; other clients cut lower. */
export const maxResultTokens = 18_000

/** On the high side: JSON runs at three to four characters a token, other scripts at one or more tokens a character. */
export const estimateTokens = (text: string): number => {
  let ascii = 0
  let other = 0
  for (let index = 0; index < text.length; index++) {
    if (text.charCodeAt(index) < 128) ascii++
    else other++
  }
  return Math.ceil(ascii / 3.5 + other * 1.5)
}

/** The most leading items whose rendering fits, at least none. */
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
