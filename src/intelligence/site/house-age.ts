import { plural } from '../scores/number-format.ts'

/** Zero for a house that is still to be finished. */
export const houseAgeYears = (yearBuilt: number, year: number): number => Math.max(0, year - yearBuilt)

/** Always the real age, even if a model uses a capped age. */
export const builtSentence = (yearBuilt: number, year: number): string =>
  `Built in ${yearBuilt}, ${plural(houseAgeYears(yearBuilt, year), 'year')} old`
