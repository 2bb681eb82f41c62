// Steps for the days, prices and ids of sales.
import { nameKey, namesOf } from '../column-names.ts'
import { namesIn } from '../map.ts'
import { listingStatus } from '../vocabulary.ts'
import { type Column, rankOf, share } from './columns.ts'
import { type Draft, leaveOutIf, type Step } from './draft.ts'
import { readAmounts } from './read-amounts.ts'

/** "SOLD BY OWNER APR 11, 2025", "Sold 04/11/2025". */
export const addDayByValues: Step = (draft) => {
  const [sold] =
    draft.holds !== 'sales' || draft.has('soldOn') ? [] : draft.unused(({ values }) => share(values, isSoldOn) > 0.8)
  if (sold) draft.add('soldOn', [sold], { field: sold.name, pattern: soldOn, date: 'mdy' }, { note: 'by its values' })
}
const soldOn = '^(?:last )?sold\\b.*?(\\d{1,2}/\\d{1,2}/\\d{2,4}|[a-z]{3,9}\\.? \\d{1,2}, \\d{4})'
const isSoldOn = new RegExp(soldOn, 'i')

/** Any other price of a file of sales, unless its name says that it is not what was paid. */
export const addPriceByName: Step = (draft) => {
  if (draft.holds !== 'sales' || !draft.has('soldOn') || draft.has('priceUsd')) return
  const isPrice = ({ name, values }: Column) =>
    !/list|ask|orig|per ?sq|\bper\b|[$/]|tax|assess|prev|prior|min|max|med|avg/i.test(name) &&
    'rule' in readAmounts('priceUsd', name, values)
  const price = draft.unusedNamed('\\w+price', isPrice)
  if (price) draft.add('priceUsd', [price], price.name)
}

/** Some rolls have only the year and the month of a sale. */
export const joinMonthOfSale: Step = (draft) => {
  if (draft.holds !== 'sales' || draft.has('soldOn')) return
  const year = draft.unusedNamed('(yr|year)(sold|ofsale|sale)?|(sold|sale)(yr|year)1?')
  const month = draft.unusedNamed('(mo|month)(sold|ofsale|sale)?|(sold|sale)(mo|month)1?')
  if (year && month)
    draft.add(
      'soldOn',
      [year, month],
      { join: [year.name, month.name], separator: '-' },
      { note: 'only the month is known; the first of the month is used' },
    )
}

/** "event": sales beside price changes. */
export const leaveOutUnsold: Step = (draft) => {
  const events = draft.holds === 'sales' ? draft.filled.find(isPartlySold) : undefined
  if (events) draft.leaveOut('soldOn', `${events.name} says that not every row is sold`)
}
/** Single letters may be any code; unknown words may be kinds of sales. */
const isPartlySold = ({ name, values }: Column): boolean =>
  /event|status/i.test(name) &&
  share(values, (word) => word.length > 3 && listingStatus(word) === 'sold') > 0.05 &&
  share(values, (word) => word.length > 1 && (unsoldEvent.test(word) || (listingStatus(word) ?? 'sold') !== 'sold')) >
    0.1
const unsoldEvent = /^((de|re)?list|price|pending|contingent|not?\b|unsold)/i

/** A feed of active listings with a few sold ones has the day in those rows only. */
export const leaveOutEarlierSale = leaveOutIf(
  'soldOn',
  'hardly any row is sold: it is the day of an earlier sale',
  (draft) => {
    const soldRows = soldShare(draft) * draft.rows.length
    const days = draft.columnFor('soldOn')?.values.length ?? 0
    return draft.holds === 'listings' && soldRows < 0.05 * draft.rows.length && days > 2 * soldRows
  },
)
/** The share of the listings whose status is sold; NaN without a status. */
export const soldShare = (draft: Draft): number =>
  share(draft.columnFor('status')?.values ?? [], (word) => listingStatus(word) === 'sold')

export const leaveOutUndatedSoldPrice = leaveOutIf(
  'soldPriceUsd',
  'without the day of the sale it may be the asking price',
  (draft) => draft.holds === 'listings' && !draft.has('soldOn'),
)

/** A file of sales often has no id of the sale: the parcel and the day identify it. */
export const nameSale: Step = (draft) => {
  if (draft.holds !== 'sales' || draft.has('saleId')) return
  const isId = ({ name, distinct, values }: Column) => nameKey(name) === 'id' && distinct > 0.5 * values.length
  const id = draft.filled.find(isId)
  const apn = draft.find('apn')
  const day = draft.columnFor('soldOn')?.name
  if (id && !apn && day && share(id.values, /^\s*\d{6,14}\s*$/) === 1)
    draft.add('apn', [id], id.name, { note: 'ids of this length are usually parcel numbers' })
  const parts = apn && !Array.isArray(apn.rule) ? namesIn(apn.rule) : []
  // Ids that appear twice are no ids of sales. A parcel number may appear twice: a parcel is sold again.
  const isOnce = id && id.distinct === id.values.length
  const number = id && (isOnce || parts.length === 0) ? [id.name] : parts
  const first = draft.filled.find(({ name }) => name === number[0])
  if (!first) return
  if (isOnce) draft.add('saleId', [first], first.name)
  else if (day) draft.add('saleId', [first], { join: [...number, day], separator: '-' })
}

/** A roll of parcels keeps no prices; the operator learns why the column is not mapped. */
export const reportUndatedPrice: Step = (draft) => {
  const price = draft.filled.find((column) => rankOf(column, namesOf('sales', 'priceUsd')) >= 0)
  if (draft.holds === 'parcels' && price && !draft.used.has(price.name))
    draft.unclear.push({
      ...{ field: 'priceUsd', column: price.name, reason: 'a price without the day of the sale is not used' },
    })
}
