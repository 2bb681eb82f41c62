// Values of criteria in words, for chips and near misses.
import type { Unit } from './table.ts'

export const amountText = (unit: Unit, value: number): string => {
  switch (unit) {
    case 'dollars':
      return `${value < 0 ? '−' : ''}$${Math.round(Math.abs(value)).toLocaleString('en-US')}`
    case 'percent':
      return `${value}%`
    case 'square feet':
      return `${value.toLocaleString('en-US')} sq ft`
    case 'days':
      return value === 1 ? '1 day' : `${value} days`
    case 'miles':
      return value === 1 ? '1 mile' : `${value} miles`
    default:
      return String(value)
  }
}

/** How much a value misses a criterion by. Two percentages differ by points. */
export const differenceText = (unit: Unit, by: number): string =>
  unit === 'percent' || unit === 'points' || unit === 'years'
    ? `${by} ${unit === 'years' ? 'year' : 'point'}${by === 1 ? '' : 's'}`
    : amountText(unit, by)

/**
 * How far a value misses a bound, to compare misses of different criteria: 5 points of return are as near as 5% of a price. A share
 * of a bound of 0.1% would call every return far, and one of the year 1900 every house near.
 */
export const missedShare = (unit: Unit, by: number, bound: number | string): number => {
  if (typeof bound === 'string') return by / 365
  return by / (unit === 'percent' || unit === 'points' || unit === 'years' ? 100 : Math.max(1, Math.abs(bound)))
}
