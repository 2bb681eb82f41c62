// Steps for the kind of work of permits, which feeds often keep in several columns.
import { nameKey, nameRank, workKind } from '../column-names.ts'
import { describing } from './candidates.ts'
import { areCodes, areHomeTypes, type Column, rankOf } from './columns.ts'
import type { Draft, Step } from './draft.ts'

/** "New / Building Permit / Single Family". */
export const joinKindsOfWork: Step = (draft) => {
  if (draft.holds !== 'permits') return
  const type = draft.find('projectType')
  const named = kindColumns(draft)
  if (!type) return draft.addJoined('projectType', named.length > 0 ? named : shortText(draft), { separator: ' / ' })
  if (typeof type.rule !== 'string' || named.length === 0) return
  const join = [type.rule, ...named.map(({ name }) => name)]
  for (const name of join) draft.used.add(name)
  type.rule = { join, separator: ' / ' }
}

/** Up to four unused columns of words for the kind of work. */
const kindColumns = ({ filled, used }: Draft): Column[] => {
  const keys = filled.map(({ name }) => nameKey(name))
  const isKind = (column: Column) =>
    !used.has(column.name) &&
    rankOf(column, [workKind]) >= 0 &&
    column.distinct > 1 &&
    column.distinct <= 200 &&
    !areCodes(column.values) &&
    // A column named "type" may hold types of homes.
    !(nameRank(column.name, ['type|category']) === 0 && areHomeTypes(column)) &&
    // "WORK_CODE" beside "WORK_CODE_DESC".
    !keys.some((key) => key.startsWith(`${nameKey(column.name)}de`))
  return filled.filter(isKind).slice(0, 4)
}

/** "Erect" or "Addition" beside a longer text. */
const shortText = ({ filled, used }: Draft): Column[] =>
  describing(filled)
    .filter(
      ({ name, distinct, values }) =>
        !used.has(name) && distinct > 1 && distinct < Math.min(50, values.length / 2) && !areCodes(values),
    )
    .slice(0, 1)

/** The estimate counts where the permit has no valuation. */
export const addEstimate: Step = (draft) => {
  const value = draft.find('valuation')
  const other = draft.unusedNamed('(est(imated)?)(project)?(cost|value)')
  if (!value || !other || typeof value.rule !== 'string') return
  draft.used.add(other.name)
  value.rule = [value.rule, other.name]
}
