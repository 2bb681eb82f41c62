/** In whole dollars: "$1,250,000". */
export const dollars = (usd: number): string => `$${Math.round(usd).toLocaleString('en-US')}`

/** $3.42M, $2.6M, $880K: where exact dollars are hard to compare. */
export const dollarsShort = (value: number): string => {
  const size = Math.abs(value)
  const sign = value < 0 ? '−' : ''
  if (size >= 995_000) return `${sign}$${Number((size / 1e6).toFixed(size >= 9_950_000 ? 1 : 2))}M`
  if (size >= 1_000) return `${sign}$${Math.round(size / 1e3)}K`
  return `${sign}$${Math.round(size)}`
}

/** To the digits of `dollarsShort`: the price named for an offer must still earn its target. */
export const roundedDown = (usd: number): number => {
  const step = usd >= 9_950_000 ? 1e5 : usd >= 995_000 ? 1e4 : 1e3
  return Math.floor(usd / step) * step
}
