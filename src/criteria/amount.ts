// Values of criteria in words, for chips and near misses.
import type { Unit } from './table.ts'

export const amountText = (unit: Unit, value: number): string => {
  switch (unit) {
    case 'dollars':
      return `$${Math.round(value).toLocaleString('en-US')}`
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
  unit === 'percent' ? `${by} ${by === 1 ? 'point' : 'points'}` : amountText(unit, by)
