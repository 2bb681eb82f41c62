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

type Rest = Omit<Row, 'of' | 'type' | 'label' | 'description'> & { description?: string }
/** Served as its label and unit, unless it has another description. */
const fact =
  <Of extends Row['of']>(of: Of) =>
  <Type extends Row['type']>(type: Type, label: string, rest: Rest): Row & { of: Of; type: Type } => {
    const served = `${label.charAt(0).toUpperCase()}${label.slice(1)}${rest.unit ? `, ${rest.unit}` : ''}`
    return { of, type, label, description: served, ...rest }
  }
const home = fact('home')
const lot = fact('lot')
const area = (min: number, max: number) => ({ unit: 'square feet', range: [min, max] }) as const
const length = { unit: 'feet', range: [1, 50_000] } as const
const rating = { unit: '0 to 100', range: [0, 100] } as const
const assessed = { unit: 'dollars', range: [1, 10_000_000_000], median: [5_000, 9_000_000] } as const

const table = {
  propertyType: home('propertyType', 'property type', {
    feeds: [
      '(property|prop|home|dwelling)(sub)?type(desc\\w*)?',
      '(property|land|prop)?use(type|desc\\w*)|landuse|prop(erty)?class',
      '(building|bldg)(type|class(category)?)|(category|building)code(desc\\w*)|dordesc|housetype',
    ],
    reso: ['PropertySubType', 'PropertyType'],
  }),
  livingSqft: home('number', 'living area', {
    ...area(50, 1_000_000),
    median: [600, 6000],
    feeds: [
      'sqftliving|living(area)?(sqft|sqm|m2)?|res(idential)?(living)?(area|sqft|squarefeet)|livingspace(size|area)?|above(grade|grd|ground)(area|sqft)|(tot(al)?|gross|gr)?(liv(ing)?|lvg|livable)area(sqft|sqm|m2)?|arealiving|gla|tla',
      '(building|bldg|total)?(heated|finished|conditioned)(area|sqft|sqm)|finsqft',
      '(building|bldg|bld|house|structure)(area|sqft|sqm|size|squarefeet)(total)?',
      'gross(sqft|squarefeet)|(total)?sqft|sqm|squarefeet|squarefootage|size',
    ],
    reso: 'LivingArea',
  }),
  lotSqft: home('number', 'lot area', {
    ...area(50, 5_000_000_000),
    median: [2500, 400_000],
    feeds: [
      'sqftlot|lot(size|area)?(sqft|squarefeet|acres?|sqm|m2|ha|hectares)?',
      '(est\\w*)?(parcel|land|lnd|lot|site|tax|deed(ed)?|calc\\w*|gis)(size|area|sqft|sqfoot|squarefeet|sqm|acres?|acreage)(acres|sqft|sqm)?',
      'acres|acreage|acrelot|hectares|shapearea(stateplane|sqft)|(ttl)?lndareaacres',
    ],
    reso: ['LotSizeSquareFeet', { field: 'LotSizeAcres', unit: 'acres' }],
    parcelFirst: true,
    description: 'Lot size, square feet',
  }),
  beds: home('number', 'bedrooms', {
    range: [0, 100],
    median: [0.5, 12],
    feeds: ['(num|number|n|total)?(of)?bed(rm|room)?s?(total|count|num)?', 'bdrms?|br|nbeds|bed(room)?s?abvgr'],
    reso: 'BedroomsTotal',
  }),
  baths: home('number', 'bathrooms', {
    range: [0, 100],
    median: [0.5, 12],
    feeds: ['(num|number|n|total)?(of)?bath(room)?s?(total|count|num|totalinteger|totaldecimal)?', 'ba|nbaths'],
    reso: ['BathroomsTotalDecimal', 'BathroomsTotalInteger'],
  }),
  yearBuilt: home('year', 'year built', {
    median: [1700, 2100],
    feeds: ['(actual)?(year|yr)(built|blt|bulit)|built(year|yr)|ayb|constructionyear'],
    reso: 'YearBuilt',
  }),
  yearRenovated: home('year', 'year renovated', {
    feeds: ['(year|yr)(renovated|remod(el(ed|led)?)?(add)?|reno)|(renovation|remodel)(year|yr)'],
    description: 'Year of the last major renovation',
    catalog: 6,
  }),
  stories: home('number', 'number of stories', {
    range: [0.5, 200],
    median: [0.5, 12],
    feeds: ['(num|number|n|no)?(of)?(stories|storeys|floors|levels)(total|count)?|floorcount'],
    // Not StoriesTotal, which counts the stories of the whole building, for example of a tower.
    reso: 'Stories',
    alias: 'storeys',
    description: 'Stories',
    catalog: 5,
  }),
  quality: home('number', 'construction quality', {
    ...rating,
    feeds: ['grade|quality|bldggrade|construction(grade|quality)'],
    description: 'Construction quality: the assessor’s grade, 0 to 100',
    catalog: 1,
  }),
  /** UAD C1 to C6 are 95, 85, 70, 55, 35, 15. */
  condition: home('number', 'condition', {
    ...rating,
    feeds: ['condition|bldgcondition|overallcond(ition)?'],
    description: 'Condition as the source rates it, on the scale of conditionScore',
    catalog: 2,
  }),
  view: home('number', 'view', {
    ...rating,
    feeds: ['view|viewrating'],
    description: 'View as the source rates it: 0 none, 100 the best',
    catalog: 3,
  }),
  waterfront: home('boolean', 'waterfront location', {
    feeds: ['(is)?waterfront(yn)?'],
    reso: 'WaterfrontYN',
    description: 'Whether it is on the water',
    catalog: 4,
  }),
  lotWidthFt: lot('number', 'lot width', { ...length, feeds: ['(lot|parcel)?(width|frontage)(ft)?'] }),
  lotDepthFt: lot('number', 'lot depth', { ...length, feeds: ['(lot|parcel)?depth(ft)?'] }),
  cornerLot: lot('boolean', 'corner lot', { description: 'Whether it is a corner lot' }),
  slopePct: lot('number', 'slope', {
    unit: 'percent',
    range: [0, 300],
    feeds: ['(avg|average)?slope(pct|percent)?'],
    description: 'Average slope, percent',
  }),
  garageSqft: home('number', 'garage area', {
    ...area(1, 100_000),
    zero: true,
    feeds: ['(sqft)?garage(area|sqft|size)|sqftgarage'],
    catalog: 7,
  }),
  basementSqft: home('number', 'basement area', {
    ...area(1, 100_000),
    zero: true,
    feeds: ['sqftbasement|(total)?(basement|basemt|bsmt)(tot(al)?)?(area|sqft)'],
    reso: 'BelowGradeFinishedArea',
    catalog: 8,
  }),
  units: lot('integer', 'number of homes on the lot', {
    range: [1, 10_000],
    zero: true,
    feeds: ['(num|number|no|n)?(of)?(dwelling|housing|living|residential)?units?(count)?', 'totalunits'],
    description: 'Homes on the parcel',
  }),
  fireplaces: lot('integer', 'fireplaces', { range: [1, 100], zero: true, feeds: ['(num|number)?(of)?fireplaces?'] }),
  /** As the city names the district: "R-1", "R1-10". */
  zoning: lot('text', 'zoning district', {
    feeds: ['zon(e|ing)(code|district|class|designation)?(current|name)?', '(primary|base|ms)zon(e|ing)'],
    description: 'Zoning district as the city names it',
  }),
  assessedLandUsd: lot('number', 'assessed value of the land', {
    ...assessed,
    feeds: ['(assessed)?land(assessed)?(val|value|av)(\\d{4})?|assessedland|(assessed|actual)valueland(total)?'],
    description: 'Assessed land value, dollars',
  }),
  assessedImprovementUsd: lot('number', 'assessed value of the building', {
    ...assessed,
    zero: true,
    feeds: [
      '(assessed)?(bldg|building|improvements?|impr?|imp)(assessed)?(val|value)(\\d{4})?|assessedimprovements?|(assessed|actual)valueimpr?\\w*',
    ],
    description: 'Assessed improvement value, dollars',
  }),
} satisfies Readonly<Record<string, Row>>

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
