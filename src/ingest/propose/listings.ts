// Steps for columns of listings whose names say too little: their values show what they hold.
import { listingStatus } from '../vocabulary.ts'
import { areHomeTypes, type Column, isListingSiteColumn, share } from './columns.ts'
import type { Step } from './draft.ts'
import { readColumn } from './read-column.ts'

/** "soldDate": "for sale". */
export const addStatusByValues: Step = (draft) => {
  if (draft.holds === 'listings' && draft.has('priceUsd'))
    draft.addByValues('status', ({ values }) => share(values, isStatus) === 1)
}
const isStatus = (text: string): boolean => text.length > 3 && listingStatus(text) !== undefined

/** Long numbers, different in every row. Numbers that count the rows are no ids. */
export const addRowId: Step = (draft) => {
  const [field, ...others] =
    draft.holds === 'permits' ? ['permitId', 'projectType', 'description'] : ['listingId', 'priceUsd']
  if (!others.some(draft.has) || draft.has(field!)) return
  const isId = ({ all, distinct, values }: Column) => distinct === all.length && share(values, /\d{5}/) === 1
  const id = draft.unusedNamed('id', isId)
  if (id) draft.add(field!, [id], id.name)
}

/** On websites, the area of a home with bedrooms is that of the house. */
export const addListingArea: Step = (draft) => {
  const isOfSite = draft.holds === 'listings' || (draft.holds === 'sales' && draft.columns.some(isListingSiteColumn))
  if (!isOfSite || !draft.has('beds') || draft.has('livingSqft')) return
  const area = draft.unusedNamed('area|sizes?')
  const read = area && readColumn('listings', 'livingSqft', area)
  if (read && 'rule' in read) draft.add('livingSqft', [area], read.rule, { note: 'in square feet, by its values' })
}

export const addTypeByValues: Step = (draft) => draft.addByValues('propertyType', areHomeTypes)
