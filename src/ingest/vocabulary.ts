// Maps listing statuses and property types of RESO's Data Dictionary, Redfin and assessors to ours.
import { bareName } from '../common/suggest.ts'
import { type ListingStatus, listingStatuses, type PropertyType, propertyTypes } from '../domain/facts.ts'

/** Undefined for an unrecognized status; the row is then rejected and counted, never guessed. */
export const listingStatus = (raw: string): ListingStatus | undefined => statuses.get(bareName(raw))

export const propertyType = (raw: string): PropertyType | undefined =>
  kinds.get(bareName(raw.replace(/ for sale$/i, ''))) ?? described.find(([, words]) => words.test(raw))?.[0]

/** The longer words of assessors: "RESIDENTIAL - SINGLE FAMILY : 1 UNIT". The first that fits decides. */
const described: readonly (readonly [PropertyType, RegExp])[] = [
  ['land', /\b(vacant|unimproved)\b/i],
  ['other', /\b(commercial|stores?|offices?|retail|industrial|warehouse|hotel|motel|church|religious|schools?)\b/i],
  ['other', /\b(municipal|governmental|exempt|mobile|manufactured|parking|farm|agricultural|common area|dormitory)\b/i],
  ['condo', /\bcondo(minium)?s?\b|\bco-?op(erative)?s?\b/i],
  ['townhouse', /\b(town|row) ?(house|home)s?\b|\bzero lot line\b/i],
  ['multi_family', /\bmulti-? ?family\b|\b(du|tri|quad|quadru|four)-?plex\b|\bdup\b|\bapartments?\b/i],
  ['multi_family', /\b(two|three|four|[2-9](-\d+)?)[- ](family|(living )?units)\b/i],
  ['single_family', /\b(single|one|1)[- ]family\b|\bsf[rd]\b/i],
]

/** The words of feeds, separated by commas. RESO uses both "Active Under Contract" and "ActiveUnderContract". */
const table = <T extends string>(ours: readonly T[], theirs: Partial<Record<T, string>>): Map<string, T> =>
  new Map(ours.flatMap((word) => [word, ...(theirs[word]?.split(', ') ?? [])].map((each) => [bareName(each), word])))

const statuses = table<ListingStatus>(listingStatuses, {
  active: 'A, New, Back on Market, For Sale, Price Change',
  coming_soon: 'Coming Soon, CS, Pre On-Market',
  // An offer was accepted, whether or not showings continue.
  pending: 'Active Under Contract, Active Contingent, Contingent, Under Contract, Pending Do Not Show, P, U',
  sold: 'Closed, Closd, Past Sale, Recently Sold, S, C',
  // None of these is on the market, even though a home on hold may return.
  withdrawn: 'Canceled, Cancelled, Expired, Hold, Delete, Deleted, Off Market, Temporarily Off Market, W, X',
})

const kinds = table<PropertyType>(propertyTypes, {
  single_family:
    'Single Family, Singlfam, Sing Fam, Single Fam, Single Family Residence, Single Family Residential, Single-Family, Single Family ' +
    'Detached, Single Family Home, SFR, SFD, House, Detached, Residential Single Family, Cabin, Modular ' +
    'Home',
  condo: 'Condominium, Condo/Co-op, Co-op, Stock Cooperative, Apartment, Loft, Condo/Apt, Tenancy in Common',
  townhouse: 'Townhome, Town House, Row House, Attached',
  multi_family:
    'Multi Family, Multi-Family (2-4 Unit), Multi-Family (5+ Unit), Multi-Family, Duplex, Triplex, ' +
    'Quadruplex, Fourplex, Residential Income, Apartments, Own Your Own',
  land: 'Vacant Land, Unimproved Land, Lot, Lots and Land, Vacant, Vacant Lot',
  other:
    'Mobile/Manufactured Home, Mobile Home, Manufactured Home, Manufactured In Park, Manufactured On ' +
    'Land, Commercial, Commercial Sale, Business Opportunity, Farm, Ranch, Parking, Timeshare, Other',
})
