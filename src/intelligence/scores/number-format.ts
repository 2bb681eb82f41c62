// How numbers are written inside explanations: "3,010 sq ft", "$1,250,000", "44%", "1 house".

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
const short = new Intl.NumberFormat('en-US', { maximumFractionDigits: 4 })

export const sqft = (value: number): string => `${wholeNumber(value)} sq ft`

/** A loss is written "−$454,085", with a minus sign in front of the dollar sign. */
export const usd = (value: number): string => (value < 0 ? `−$${wholeNumber(-value)}` : `$${wholeNumber(value)}`)

/** At most four decimals. */
export const decimal = (value: number): string => {
  if (Number.isInteger(value) && value >= 0) return wholeNumber(value)
  const text = String(value)
  // As short as it is written: Intl, which is slow, would write the same.
  return value >= 0.0001 && value < 1000 && text.length - text.indexOf('.') <= 5 ? text : short.format(value)
}

/** "0.4 miles", with one decimal. */
export const miles = (value: number): string => `${value.toFixed(1)} ${value.toFixed(1) === '1.0' ? 'mile' : 'miles'}`

/** A fraction as a percentage: 0.153 is "15%". */
export const percent = (fraction: number, decimals = 0): string => {
  const text = Math.abs(100 * fraction).toFixed(decimals)
  return `${fraction < 0 && Number(text) !== 0 ? '−' : ''}${text}%`
}

/** "1 house", "2 houses"; a plural that is not formed with -s is given. */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${decimal(count)} ${count === 1 ? one : many}`

/** Every home of a market is explained, and Intl is slow: whole numbers below a million are written without it. */
export const wholeNumber = (value: number): string => {
  const rounded = Math.round(value)
  if (!(value >= 0 && rounded < 1e6)) return whole.format(value)
  if (rounded < 1000) return String(rounded)
  return `${Math.floor(rounded / 1000)},${String(rounded % 1000).padStart(3, '0')}`
}

/** A legal limit is never rounded up; the margin absorbs binary fractions (0.32·4,720 is 1,510.4). */
export const roundDown = (value: number): number => Math.floor(value + 1e-6)
