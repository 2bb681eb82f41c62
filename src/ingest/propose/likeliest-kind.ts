// Which data set the columns most probably are: the one whose own fields are found, although a required one may be missing. An address
// alone makes no parcels of permits without a number.
import type { Dataset } from '../../domain/facts.ts'
import { namesIn } from '../map.ts'
import { isListingSiteColumn } from './columns.ts'
import type { Draft } from './draft.ts'
import { soldShare } from './sales.ts'

interface Kind {
  /** Fields that other data sets do not have, or have with other columns. */
  own: readonly string[]
  /** Fields without which nothing can be loaded; of each list, one is enough. */
  required: readonly (readonly string[])[]
  /** Fields that together prove what a row is. */
  proofs: readonly (readonly string[])[]
}
export const kinds: Readonly<Record<Dataset, Kind>> = {
  permits: {
    own: ['permitId', 'projectType', 'description', 'issuedOn', 'appliedOn', 'valuation', 'contractor'],
    required: [['permitId'], ['projectType', 'description']],
    proofs: [
      ['permitId', 'issuedOn'],
      ['permitId', 'appliedOn'],
      ['permitId', 'projectType', 'description'],
    ],
  },
  listings: {
    own: ['listingId', 'status', 'priceUsd', 'listedOn'],
    required: [['listingId'], ['status'], ['address', 'apn']],
    proofs: [['listingId', 'status', 'priceUsd']],
  },
  sales: {
    own: ['soldOn', 'priceUsd', 'saleId'],
    required: [['soldOn'], ['priceUsd'], ['saleId', 'address', 'apn']],
    proofs: [['soldOn', 'priceUsd']],
  },
  // Sales have parcel numbers and lots too: nothing proves parcels.
  parcels: { own: ['apn', 'zoning'], required: [['apn', 'address']], proofs: [] },
  rents: {
    own: ['amountUsd', 'bedrooms', 'statistic'],
    required: [['zip', 'county'], ['bedrooms'], ['amountUsd'], ['asOf']],
    proofs: [['bedrooms', 'amountUsd']],
  },
}

/** Evidence for or against a data set other than its own fields, with its points. */
const signs: readonly (readonly [Dataset, points: number, applies: (draft: Draft) => boolean])[] = [
  ['permits', -2, ({ has }) => !['permitId', 'issuedOn', 'appliedOn', 'valuation', 'contractor'].some(has)],
  ['parcels', 1, ({ fields }) => fields.some(({ rule }) => rule === 'geometry.depthFt')],
  // Permits, sales and other records of an address have these fields too.
  ['parcels', -1.5, ({ fields }) => fields.every(({ field }) => placeFields.test(field))],
  ['listings', -5, (draft) => soldShare(draft) > 0.9],
  [
    'listings',
    2.5,
    (draft) => (draft.has('priceUsd') || isUnclear(draft, 'priceUsd')) && draft.columns.some(isListingSiteColumn),
  ],
  ['sales', 1.5, ({ columns }) => columns.some(({ name }) => partyNames.test(name))],
]
const placeFields = /^(address|city|zip|county|lat|lng|sourceUrl|modifiedAt)$/
const partyNames = /^(buyer|seller|grantor|grantee)s?(\W|_)*(name|\d|$)/i
const isUnclear = ({ unclear }: Draft, field: string) => unclear.some((each) => each.field === field)

/** Required fields without a column. */
export const missingFields = ({ holds, has }: Draft): string[] =>
  kinds[holds].required.filter((any) => !any.some(has)).map((any) => any.join(' or '))

const score = (draft: Draft): number => {
  const { own, proofs } = kinds[draft.holds]
  const points = signs.map(([kind, points, applies]) => (kind === draft.holds && applies(draft) ? points : 0))
  return (
    own.filter(draft.has).length +
    0.75 * own.filter((field) => isUnclear(draft, field)).length -
    1.5 * missingFields(draft).length +
    (proofs.some((proof) => proof.every(draft.has)) ? 1.5 : 0) +
    points.reduce((sum, each) => sum + each, 0)
  )
}

/** The draft that scores best. */
export const likeliest = (drafts: readonly Draft[]): Draft =>
  drafts.reduce((best, draft) => (score(draft) > score(best) ? draft : best))

/** Up to four columns that show what the rows are, with their fields. */
export const evidence = ({ holds, fields }: Draft): string => {
  const { own, proofs } = kinds[holds]
  return fields
    .filter(({ field, rule }) => namesIn(rule).length > 0 && (own.includes(field) || proofs[0]?.includes(field)))
    .slice(0, 4)
    .map(({ field, rule }) => `${namesIn(rule).join(', ')} (${field})`)
    .join(', ')
}
