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

const total = '(total|tot|gross|gr)?'
const count = '(num|number|n|no|nbr|nr|total|tot|#)?(of)?'
const land = '(parcel|land|lnd|lot|site|tax|legal|deed(ed)?|calc\\w*|gis|hd)'
const built = '(building|bldg)|(improvements?|imprvt|imprv|improve?|impr|imp|bld|bldng|imps)'

const table = {
  propertyType: home('propertyType', 'property type', {
    feeds: [
      '(property|prop|home|dwell(ing)?)(sub)?type(desc\\w*)?',
      '(property|land|prop|general|tax|par(cel)?|type)?use(type|desc\\w*|def\\w*|decode|class1?)|(property)?landuse(desc\\w*)?|prop(erty)?(class|use)(desc\\w*)?',
      '(building|bldg)(type|class(category|desc\\w*)?)|class(desc\\w*|dscrp)|lu(type|desc\\w*)|typedesc\\w*|usecodedesc\\w*|(category|building)code(desc\\w*)|dordesc|housetype|luc(desc\\w*)|dclasscn|residentialtype',
    ],
    reso: ['PropertySubType', 'PropertyType'],
  }),
  livingSqft: home('number', 'living area', {
    ...area(50, 1_000_000),
    median: [600, 6000],
    feeds: [
      '(sqft|sf)(tot(al)?)?liv(ing)?|(tot(al)?)?liv(ing)?(area|space|size)*(sqft|sqm|m2)?|arealiving|gla|tla|(tot)?sfla|sqftmain|underair(area|sqft)?|(tot(al)?)?h(ea)?te?d\\w*|heatsqft',
      `${total}res(iden(tial|ce))?(total)?(living|liv|flr|floor)?(area|ar|sqft|squarefeet)|livingspace(size|area)?|(building)?livingarea`,
      `${total}(building|bldg)?(fin(ished)?)?(liv(ing)?|lvg|livable)(area|ar|space)(sqft|sqm|m2)?|(area|sqft)(abg|above\\w*)|interior(sqft|area)`,
      '(res)?ab(o)?ve?(grade|grd|ground)(living)?(fin(ished)?)?(area|sqft)?|gba|squarefeetheated',
      '(building|bldg|total|tot|calculated)?(heated|fin(ished)?|conditioned)(area|size|sqft|sqm|squarefeet)+|finsqft|areafin(ished)?',
      '(tot(al)?|gross)?(buildings?|bldg?s?|house|struct(ure)?|home|prop(erty)?)((area|ar|size)?(sqft|sqm|squarefeet)|area|ar|size)(total)?|area(building|bldg)|sqftstrc|(tot(al)?)?floor(area|size)(sqft|sqm)?',
      '(gross|approx\\w*|apx|est\\w*|total|tot)?(size)?(sqft|sqfeet|squarefeet|squarefootage)(total|approx)?|sqm|size',
    ],
    reso: 'LivingArea',
  }),
  lotSqft: home('number', 'lot area', {
    ...area(50, 5_000_000_000),
    median: [2500, 400_000],
    feeds: [
      '(sqft|area)(lot|land)(sqft|acres|sqm)?|lot(size|sz|area)*(sqft|squarefeet|sqfeet|acres?|sqm|m2|ha|hectares|value)?',
      `(est\\w*|apx|approx\\w*|total|tot|ll)?${land}(size|area|ar|sqft|sqfoot(age)?|squarefeet|sqm|acres?|acreage|ac)(acres|sqft|sqm)?`,
      '(#|numberof|est|size|area|map|poly(gon)?|stat|rec(ord(ed)?)?|ass(es)?sed|assd|gross|apprx|survey(ed)?)?(acres?|acreage)(deed|gis|calc|total)?|totalsaleacres|acre(lot|area)|hectares|shapearea(stateplane|sqft)|(ttl)?lndareaacres|atacres|(tot(al)?|t|apx|approx)?(acres|acreage|ac|area)|acres?(deed|poly|gl)|area',
    ],
    reso: ['LotSizeSquareFeet', { field: 'LotSizeAcres', unit: 'acres' }],
    parcelFirst: true,
    description: 'Lot size, square feet',
  }),
  beds: home('number', 'bedrooms', {
    range: [0, 100],
    median: [0.5, 12],
    feeds: [
      `r?${count}(bed(rm|room)?s?|bedrms)(total|count|num|cnt)?`,
      `r?${count}(bdrms?|brs?|bds?|nbeds|rmbed)|bed(room)?s?abvgr`,
    ],
    reso: 'BedroomsTotal',
  }),
  baths: home('number', 'bathrooms', {
    range: [0, 100],
    median: [0.5, 12],
    feeds: [
      `${count}(bath(rm|room)?s?|bthrms?)(total|tot|count|num|cnt|totalinteger|totaldecimal)?`,
      `${count}ba|bths?|nbaths|totalbaths`,
    ],
    reso: ['BathroomsTotalDecimal', 'BathroomsTotalInteger'],
  }),
  yearBuilt: home('year', 'year built', {
    median: [1700, 2100],
    feeds: [
      '(act(ual)?|res|orig(inal)?|bldg?|building|prop(erty)?|impr?|pri(mary)?)*(year|yr|y)(prop(erty)?|orig(inal)?)?(built|blt|bulit|build)(act|1)?|built(year|yr|in)?|ayb',
      '(orig(inal)?)?(const(r|ruction|ructed)?|struct?|build|blt|dwell(ing)?)(year|yr|yoc)|constructed|orig(year|yr|yoc)|(year|yr)(const(r|ruct(ion|ed)?)?|impr|of(construction|built?))|yoc',
    ],
    reso: 'YearBuilt',
  }),
  yearRenovated: home('year', 'year renovated', {
    median: [1700, 2100],
    feeds: [
      '(year|yr)(renovated|remod(el(ed|led)?)?(add)?|reno|rmdl)|(last)?(renovation|remodel)(year|yr)|remodel|yearalter1',
    ],
    description: 'Year of the last major renovation',
    catalog: 6,
  }),
  stories: home('number', 'number of stories', {
    range: [0.5, 200],
    median: [0.5, 12],
    feeds: [
      `(final)?${count}(stories|storeys|floors|flrs|levels|story|stry)(total|count|cnt|no|num)?|floorcount|(bldg|building)(story|stories)|resfloors?`,
    ],
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
  lotWidthFt: lot('number', 'lot width', {
    ...length,
    median: [5, 3000],
    feeds: ['(lot|parcel)?(width|frontage|front)(ft)?'],
  }),
  lotDepthFt: lot('number', 'lot depth', { ...length, median: [10, 5000], feeds: ['(lot|parcel)?depth(ft)?'] }),
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
    median: [100, 5000],
    feeds: ['(sqft)?gar(age)?(tot(al)?)?(area|sqft|size)|sqftgar(age)?'],
    catalog: 7,
  }),
  basementSqft: home('number', 'basement area', {
    ...area(1, 100_000),
    zero: true,
    median: [100, 10_000],
    feeds: ['sqft(tot(al)?)?(basement|bsmt)|(total)?(basement|basemt|bsmt)(tot(al)?)?(area|sqft)'],
    reso: 'BelowGradeFinishedArea',
    catalog: 8,
  }),
  units: lot('integer', 'number of homes on the lot', {
    range: [1, 10_000],
    median: [1, 500],
    zero: true,
    feeds: [
      `${count}(dwell(ing)?|housing|liv(ing)?|res(idential)?|bldg)?(units|unts?)(count)?|unit(count|cnt)|unitqty|${count}(dwelling|living)unit|units(res\\w*)`,
      'totalunits|unitstotal',
    ],
    description: 'Homes on the parcel',
  }),
  fireplaces: lot('integer', 'fireplaces', {
    median: [1, 10],
    range: [1, 100],
    zero: true,
    feeds: ['(num|number)?(of)?(fireplaces?|frpl|fp)(cnt|count)?'],
  }),
  /** As the city names the district: "R-1", "R1-10". */
  zoning: lot('text', 'zoning district', {
    feeds: [
      'zone?(ing)?(code|cd|district|dist|class|type|designation)?1?(current|name)?|zn',
      '(primary|base|ms)zon(e|ing)|(property)?zon(e|ing)desc\\w*',
    ],
    description: 'Zoning district as the city names it',
  }),
  assessedLandUsd: lot('number', 'assessed value of the land', {
    ...assessed,
    feeds: [
      '(assessed|assd|asd|appr|cur(rent)?(year)?|roll|market|mkt|tax|tot(al)?)?(land|lnd)(assessed|assd|appraised|market|mkt|fmv)?(val|value|valuation|av|assess(ed|ment)?|appr(aisal|aised)?|assd|asmt|market|mkt|fmv|lv|mv|fullcash)(base|\\d{4})?',
      '(assess(ed|ment)?|assd|asd|av|emv|estfairmkt|appr?|apr|asmt(appr)?|certifiedtax|(mkt|market)(val)?|[fr]mv|fcv|val(ue)?|appraised|asr|cur(r|rent)?|ca)(land|lnd)|(assessed|actual)valueland(total)?|landtaxvaluedollarcnt',
    ],
    description: 'Assessed land value, dollars',
  }),
  assessedImprovementUsd: lot('number', 'assessed value of the building', {
    ...assessed,
    zero: true,
    feeds: [
      `(assessed|assd|asd|appr|cur(rent)?(year)?|roll|market|mkt|tax|tot(al)?)?(${built})(assessed|assd|appraised|market|mkt|fmv)?(val|value|valuation|av|assess(ed|ment)?|appr(aisal|aised)?|assd|asmt|market|mkt|fmv|lv|mv)(base|\\d{4})?`,
      `(assess(ed|ment)?|assd|asd|av|emv|estfairmkt|appr?|apr|asmt|(mkt|market)(val)?|[fr]mv|fcv|val(ue)?|appraised|asr|cur(r|rent)?|ca)(${built})|(assessed|actual)valueimpr?\\w*|structuretaxvaluedollarcnt|(struct(ure)?|dwelling)val(ue)?`,
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
