// The facts of a home and its lot, one row each, in the order in which they are served. Everything else is read from this table:
// the fields that a source may map, the names of feed columns, the checks of a row, staging and select lists, the served shape
// and labels. A new fact needs its row here and its column in the tables.
import { keysOf } from '../common/typed.ts'

interface Row {
  /** `home`: in parcels, listings and sales. `lot`: in parcels only. */
  of: 'home' | 'lot'
  /** A year is an integer from 1600 to three years from now. */
  type: 'number' | 'integer' | 'year' | 'boolean' | 'text' | 'propertyType'
  unit?: 'square feet' | 'feet' | 'percent' | 'dollars' | '0 to 100'
  /** A number out of its range is unknown. */
  range?: readonly [min: number, max: number]
  /** Accepts 0 beside the range: no garage, no view. For other facts, 0 is how feeds write an unknown value. */
  zero?: true
  /** A plausible median. A column with another one has another unit. */
  median?: readonly [min: number, max: number]
  /** The names that feeds use, as in `ingest/column-names.ts`. */
  feeds?: readonly string[]
  /** The rule for feeds that follow the RESO Data Dictionary 2.0; of several, the first that gives a value. */
  reso?: string | readonly (string | { field: string; unit: 'acres' })[]
  /** An older name, which sources may still map and answers still have. */
  alias?: string
  /** Land is measured by the assessor and rounded by agents. Every other fact comes from the listing first. */
  parcelFirst?: true
  /** As served. */
  description: string
  /** In a sentence such as "Missing: price, lot width." */
  label: string
  /** Place among the house facts of GET /v1/fields. */
  catalog?: number
}

const table = {
  propertyType: {
    of: 'home',
    type: 'propertyType',
    feeds: [
      '(property|prop|home|dwelling)(sub)?type(desc\\w*)?',
      '(property|land|prop)?use(type|desc\\w*)|prop(erty)?class',
      '(building|bldg)(type|class(category)?)|(category|building)code(desc\\w*)|dordesc|housetype',
    ],
    reso: ['PropertySubType', 'PropertyType'],
    description: 'Property type',
    label: 'property type',
  },
  livingSqft: {
    of: 'home',
    type: 'number',
    unit: 'square feet',
    range: [50, 1_000_000],
    median: [600, 6000],
    feeds: [
      'sqftliving|living(area)?(sqft|sqm|m2)?|(total|gross|gr)?(liv(ing)?|livable)area(sqft|sqm|m2)?|gla|tla',
      '(building|bldg|total)?(heated|finished|conditioned)(area|sqft|sqm)|finsqft',
      '(building|bldg|bld|house|res|structure)(area|sqft|sqm|size|squarefeet)(total)?',
      'gross(sqft|squarefeet)|(total)?sqft|sqm|squarefeet|squarefootage|size',
    ],
    reso: 'LivingArea',
    description: 'Living area, square feet',
    label: 'living area',
  },
  lotSqft: {
    of: 'home',
    type: 'number',
    unit: 'square feet',
    range: [50, 5_000_000_000],
    median: [2500, 400_000],
    feeds: [
      'sqftlot|lot(size|area)?(sqft|squarefeet|acres?|sqm|m2|ha|hectares)?',
      '(parcel|land|lot|site|tax|deed(ed)?|calc\\w*|gis)(size|area|sqft|squarefeet|sqm|acres?|acreage)(acres|sqft|sqm)?',
      'acres|acreage|acrelot|hectares|shapearea(stateplane|sqft)',
    ],
    reso: ['LotSizeSquareFeet', { field: 'LotSizeAcres', unit: 'acres' }],
    parcelFirst: true,
    description: 'Lot size, square feet',
    label: 'lot area',
  },
  beds: {
    of: 'home',
    type: 'number',
    range: [0, 100],
    median: [0.5, 12],
    feeds: ['(num|number|n|total)?(of)?bed(room)?s?(total|count|num)?', 'bdrms?|br|nbeds|bed(room)?s?abvgr'],
    reso: 'BedroomsTotal',
    description: 'Bedrooms',
    label: 'bedrooms',
  },
  baths: {
    of: 'home',
    type: 'number',
    range: [0, 100],
    median: [0.5, 12],
    feeds: ['(num|number|n|total)?(of)?bath(room)?s?(total|count|num|totalinteger|totaldecimal)?', 'ba|nbaths'],
    reso: ['BathroomsTotalDecimal', 'BathroomsTotalInteger'],
    description: 'Bathrooms',
    label: 'bathrooms',
  },
  yearBuilt: {
    of: 'home',
    type: 'year',
    median: [1700, 2100],
    feeds: ['(actual)?(year|yr)(built|blt|bulit)|built(year|yr)|ayb|constructionyear'],
    reso: 'YearBuilt',
    description: 'Year built',
    label: 'year built',
  },
  yearRenovated: {
    of: 'home',
    type: 'year',
    feeds: ['(year|yr)(renovated|remod(el(ed|led)?)?(add)?|reno)|(renovation|remodel)(year|yr)'],
    description: 'Year of the last major renovation',
    label: 'year renovated',
    catalog: 6,
  },
  stories: {
    of: 'home',
    type: 'number',
    range: [0.5, 200],
    median: [0.5, 12],
    feeds: ['(num|number|n|no)?(of)?(stories|storeys|floors|levels)(total|count)?|floorcount'],
    // Not StoriesTotal, which counts the stories of the whole building, for example of a tower.
    reso: 'Stories',
    alias: 'storeys',
    description: 'Stories',
    label: 'number of stories',
    catalog: 5,
  },
  quality: {
    of: 'home',
    type: 'number',
    unit: '0 to 100',
    range: [0, 100],
    feeds: ['grade|quality|bldggrade|construction(grade|quality)'],
    description: 'Construction quality: the assessor’s grade, 0 to 100',
    label: 'construction quality',
    catalog: 1,
  },
  /** UAD C1 to C6 are 95, 85, 70, 55, 35, 15. */
  condition: {
    of: 'home',
    type: 'number',
    unit: '0 to 100',
    range: [0, 100],
    feeds: ['condition|bldgcondition|overallcond(ition)?'],
    description: 'Condition as the source rates it, on the scale of conditionScore',
    label: 'condition',
    catalog: 2,
  },
  view: {
    of: 'home',
    type: 'number',
    unit: '0 to 100',
    range: [0, 100],
    feeds: ['view|viewrating'],
    description: 'View as the source rates it: 0 none, 100 the best',
    label: 'view',
    catalog: 3,
  },
  waterfront: {
    of: 'home',
    type: 'boolean',
    feeds: ['(is)?waterfront(yn)?'],
    reso: 'WaterfrontYN',
    description: 'Whether it is on the water',
    label: 'waterfront location',
    catalog: 4,
  },
  lotWidthFt: {
    of: 'lot',
    type: 'number',
    unit: 'feet',
    range: [1, 50_000],
    feeds: ['(lot|parcel)?(width|frontage)(ft)?'],
    description: 'Lot width, feet',
    label: 'lot width',
  },
  lotDepthFt: {
    of: 'lot',
    type: 'number',
    unit: 'feet',
    range: [1, 50_000],
    feeds: ['(lot|parcel)?depth(ft)?'],
    description: 'Lot depth, feet',
    label: 'lot depth',
  },
  cornerLot: { of: 'lot', type: 'boolean', description: 'Whether it is a corner lot', label: 'corner lot' },
  slopePct: {
    of: 'lot',
    type: 'number',
    unit: 'percent',
    range: [0, 300],
    feeds: ['(avg|average)?slope(pct|percent)?'],
    description: 'Average slope, percent',
    label: 'slope',
  },
  garageSqft: {
    of: 'home',
    type: 'number',
    unit: 'square feet',
    range: [1, 100_000],
    zero: true,
    feeds: ['(sqft)?garage(area|sqft|size)|sqftgarage'],
    description: 'Garage area, square feet',
    label: 'garage area',
    catalog: 7,
  },
  basementSqft: {
    of: 'home',
    type: 'number',
    unit: 'square feet',
    range: [1, 100_000],
    zero: true,
    feeds: ['sqftbasement|(total)?(basement|bsmt)(area|sqft)'],
    reso: 'BelowGradeFinishedArea',
    description: 'Basement area, square feet',
    label: 'basement area',
    catalog: 8,
  },
  units: {
    of: 'lot',
    type: 'integer',
    range: [1, 10_000],
    zero: true,
    feeds: ['(num|number|no|n)?(of)?(dwelling|housing|living|residential)?units?(count)?', 'totalunits'],
    description: 'Homes on the parcel',
    label: 'number of homes on the lot',
  },
  fireplaces: {
    of: 'lot',
    type: 'integer',
    range: [1, 100],
    zero: true,
    feeds: ['(num|number)?(of)?fireplaces?'],
    description: 'Fireplaces',
    label: 'fireplaces',
  },
  /** As the city names the district: "R-1", "R1-10". */
  zoning: {
    of: 'lot',
    type: 'text',
    feeds: ['zon(e|ing)(code|district|class|designation)?(current|name)?', '(primary|base|ms)zon(e|ing)'],
    description: 'Zoning district as the city names it',
    label: 'zoning district',
  },
  assessedLandUsd: {
    of: 'lot',
    type: 'number',
    unit: 'dollars',
    range: [1, 10_000_000_000],
    median: [5_000, 9_000_000],
    feeds: ['(assessed)?land(assessed)?(val|value)(\\d{4})?|assessedland'],
    description: 'Assessed land value, dollars',
    label: 'assessed value of the land',
  },
  assessedImprovementUsd: {
    of: 'lot',
    type: 'number',
    unit: 'dollars',
    range: [1, 10_000_000_000],
    zero: true,
    median: [5_000, 9_000_000],
    feeds: ['(assessed)?(bldg|building|improvements?|impr?|imp)(assessed)?(val|value)(\\d{4})?|assessedimprovements?'],
    description: 'Assessed improvement value, dollars',
    label: 'assessed value of the building',
  },
} as const satisfies Readonly<Record<string, Row>>

type Table = typeof table
export type FactName = keyof Table
export type HomeFact = { [Name in FactName]: Table[Name]['of'] extends 'home' ? Name : never }[FactName]
export type LotFact = Exclude<FactName, HomeFact>
/** The entry of a fact in the column `type`. */
export type FactType<Name extends FactName> = Table[Name]['type']

export const factTable: Readonly<Record<FactName, Row>> = table
export const factNames = keysOf(table)
export const homeFactNames = factNames.filter((name): name is HomeFact => factTable[name].of === 'home')
export const lotFactNames = factNames.filter((name): name is LotFact => factTable[name].of === 'lot')

/** One column of the table, for the facts that have a value in it. */
export const factColumn = <Column extends keyof Row>(
  column: Column,
  names: readonly FactName[] = factNames,
): Record<string, NonNullable<Row[Column]>> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = factTable[name][column]
      return value === undefined ? [] : [[name, value]]
    }),
  )
