// The step for rents with a column per number of bedrooms.
import { nameKey } from '../column-names.ts'
import type { Draft, Step } from './draft.ts'
import { readAmounts } from './read-amounts.ts'

/** Each column is a source of its own; this one proposes the first. */
export const useFirstRent: Step = (draft) => {
  if (draft.holds !== 'rents' || draft.has('amountUsd')) return
  const found = rentColumns(draft)
  const [first] = found
  if (!first || found.length < 2) return
  draft.add('amountUsd', [first.column], first.column.name)
  const constants = {
    bedrooms: first.bedrooms,
    ...(/fmr/i.test(first.column.name) ? { statistic: 'fair_market' } : {}),
  }
  for (const [field, constant] of Object.entries(constants))
    draft.fields.push({ field, rule: { constant }, examples: [], confidence: 'medium' })
  for (const { column } of found) draft.used.add(column.name)
  draft.rentColumns = found.map(({ column, bedrooms }) => ({ column: column.name, bedrooms }))
}

/** "fmr_2", "SAFMR 2BR", "rent_2_bedroom", "Two-Bedroom": a rent for each number of bedrooms. */
const rentColumns = ({ filled }: Draft) =>
  filled.flatMap((column) => {
    const { name, values } = column
    const key = nameKey(name)
    const digit = /^(?:sa|area)?(?:fmr|(?:median)?rent(?:br)?|br)(\d)(?:br|bdr?m?|bed(?:room)?s?)?$/.exec(key)?.[1]
    const word = /^(efficiency|studio|(?:one|two|three|four)bed)(?:room)?s?$/.exec(key)?.[1]
    if (!digit && !word) return []
    const read = readAmounts('amountUsd', name, values)
    return 'rule' in read && read.rule === name
      ? [{ column, bedrooms: digit ? Number(digit) : 1 + numerals.indexOf(word!) }]
      : []
  })
const numerals = ['onebed', 'twobed', 'threebed', 'fourbed']
