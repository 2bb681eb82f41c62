// Steps for parcel numbers.
import { isListingSiteColumn } from './columns.ts'
import { leaveOutIf, type Step } from './draft.ts'

export const leaveOutWebsiteNumber = leaveOutIf(
  'apn',
  'it may be a number of the website, not of the county',
  (draft) =>
    /^prop(erty)?(id|no|num(ber)?)$/.test(draft.keyFor('apn')) &&
    draft.columns.some(isListingSiteColumn) &&
    !draft.columns.some(({ name }) => countyColumn.test(name)),
)
/** Columns of county rolls, which also have columns for tax agents and links. */
const countyColumn = /situs|owner|taxpayer|legal|apprais|exempt/i

/** A parcel number in several columns: a block and a lot, which are numbered in each borough, or a major and a minor number. */
export const joinParcelNumber: Step = (draft) => {
  const [borough, block, lot, major, minor] = ['boro(ugh)?(code)?', 'block', 'lot', 'major', 'minor'].map((pattern) =>
    draft.unusedNamed(pattern),
  )
  if (block && lot) draft.addJoined('apn', [borough, block, lot], { separator: '/' })
  if (minor) draft.addJoined('apn', [major, minor], { separator: '-' })
}
