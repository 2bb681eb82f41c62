// How numbers are written inside explanations: "3,010", "$1,250,000", "44 %".

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
const short = new Intl.NumberFormat('en-US', { maximumFractionDigits: 4 })

export const sqft = (value: number): string => `${grouped(value)} sqft`
export const usd = (value: number): string => `$${grouped(value)}`
export const plain = (value: number): string =>
  Number.isInteger(value) && value >= 0 && value < 1000 ? String(value) : short.format(value)

/** Intl is exact and slow; whole numbers below a million are most of what a market's explanations hold. */
export const grouped = (value: number): string => {
  const rounded = Math.round(value)
  if (!(value >= 0 && rounded < 1e6) || Math.abs(value - rounded) === 0.5) return whole.format(value)
  if (rounded < 1000) return String(rounded)
  return `${Math.floor(rounded / 1000)},${String(rounded % 1000).padStart(3, '0')}`
}

/** A legal limit is never rounded up; the margin absorbs binary fractions (0.32·4,720 is 1,510.4). */
export const roundDown = (value: number): number => Math.floor(value + 1e-6)
