// Steps for the areas of house and lot, and for the outline of the lot.
import { leaveOutIf, type Step } from './draft.ts'
import { outlineDiffers } from './field-evidence.ts'

/** Values alone show no unit beside a house that is measured in square meters. */
export const leaveOutLotBesideMeters = leaveOutIf(
  'lotSqft',
  'the unit is not clear: the living area is in square meters',
  (draft) =>
    draft.find('livingSqft')?.note?.startsWith('in square meters') &&
    draft.find('lotSqft')?.note === 'in square feet, by its values',
)

/** "SQFT" in parcels without a fact of the house, and "property size" without bedrooms and baths. */
export const leaveOutVagueLivingArea = leaveOutIf(
  'livingSqft',
  'its name does not say whether it is the area of the lot or of the house',
  (draft) => {
    const name = draft.keyFor('livingSqft')
    const isHouse =
      ['beds', 'baths', 'yearBuilt', 'stories', 'priceUsd'].some((field) => draft.has(field)) ||
      draft.unusedNamed('full\\w*ba\\w*') !== undefined
    return (
      (draft.holds === 'parcels' && !isHouse && /^(size)?(sqft|squarefeet|squarefootage)$/.test(name)) ||
      (!draft.has('beds') && !draft.has('baths') && /^prop(erty)?(size|area|sqft)$/.test(name))
    )
  },
)

export const leaveOutVagueLotArea = leaveOutIf(
  'lotSqft',
  'the name does not say what area it is or in which unit',
  (draft) => draft.keyFor('lotSqft') === 'area' && !draft.filled.some(({ name }) => namesAcres.test(name)),
)
export const namesAcres = /acre/i

/** The outline gives the lot size where no column does, and takes precedence over a column, which may be rounded. */
export const useOutline: Step = (draft) => {
  if (draft.holds !== 'parcels' || draft.unclear.some(({ reason }) => reason === outlineDiffers)) return
  const isFilled = (column: string) => draft.filled.some(({ name }) => name === column)
  if (!isFilled('geometry.areaSqft')) return
  const lot = draft.find('lotSqft')
  if (lot && !Array.isArray(lot.rule)) lot.rule = ['geometry.areaSqft', lot.rule]
  for (const [field, rule] of outlineColumns)
    if (isFilled(rule) && !draft.has(field))
      draft.fields.push({ field, rule, examples: [], confidence: 'high', note: 'from the outline' })
}
const outlineColumns = [
  ['lotSqft', 'geometry.areaSqft'],
  ['lotWidthFt', 'geometry.widthFt'],
  ['lotDepthFt', 'geometry.depthFt'],
] as const
