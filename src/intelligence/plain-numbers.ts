// How numbers are written inside explanations: "3,010", "$1,250,000", "44 %".

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
const short = new Intl.NumberFormat('en-US', { maximumFractionDigits: 4 })

export const sqft = (value: number): string => `${whole.format(value)} sqft`
export const usd = (value: number): string => `$${whole.format(value)}`
export const plain = (value: number): string => short.format(value)

/** A legal limit is never rounded up; the margin absorbs binary fractions (0.32·4,720 is 1,510.4). */
export const roundDown = (value: number): number => Math.floor(value + 1e-6)
