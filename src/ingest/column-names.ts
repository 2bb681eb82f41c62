// The fields that a source can map, with their type and the names that feeds use for them. A name is compared in lower case without
// separators: "Issued_Date", "IssuedDate" and "issued date" are all `issueddate`. Patterns match whole names; the earlier one is the
// better match.

import { valueAt } from '../common/typed.ts'
import { type FactName, factTable, homeFactNames, lotFactNames } from '../domain/fact-table.ts'
import { type Dataset, overlayNames } from '../domain/facts.ts'

export type FieldType = 'text' | 'long' | 'number' | 'integer' | 'date' | 'boolean' | 'list' | 'tristate' | 'outline'
type Fields = Readonly<Record<string, readonly [FieldType, ...patterns: string[]]>>

const place = {
  market: ['text'],
  city: [
    'text',
    '(true)?(situs|site|property|original|postal)?city(name)?',
    'jurisdiction(name)?',
    'town(name)?|suburb',
    'muni\\w*',
  ],
  zip: ['text', '(true)?(situs|site|property|original)?zip(5|code)?', '(postal|post)code|zip(or)?postalcode'],
  county: ['text', 'county(name|nm|orparish)?'],
  apn: [
    'text',
    '(site|situs|county)?apn',
    'assessors?(parcel)?(number|no|id|#)',
    '(key)?parcel(number|no|num|id|nbr)|taxkey|pin1',
    'tax ?parcel(id|number|no|#)?',
    '(map)?par(cel)?id',
    'ain|(pams)?pin|mapblklot|blklot|bbl|parcel|locid|folio(number)?',
    'pid',
    'printkey|pvanum(ber)?|(tax)?roll(number|no|num)(formatted)?|blocklot\\w*',
    'prop(erty)?id',
  ],
  address: [
    'text',
    '(true)?(full|site|situs|property|street|original|permit|project|job|parcel|unparsed|primary)*addr(ess)?(1|line1|full)?',
    'street(address|addr)?|premise(s)?(address|addr)?|prop(erty)?(addr|street|loc)\\w*|addr(ess)?ofproperty',
    'siteaddressintersection|(situs|site|full)(address)?(string|str)|fullstr|propertylocation|prcllocn|situs|location|locationaddress',
  ],
  lat: ['number', 'latt?(itude)?(wgs84)?', 'y|ycoord(inate)?|gpsy|geolat'],
  lng: ['number', 'lo?ng(t?itude)?(wgs84)?|lon', 'x|xcoord(inate)?|gpsx|geolon(g)?'],
  sourceUrl: ['long', '(record|permit|web|source)?(url|link)'],
  modifiedAt: [
    'text',
    '(last)?modif\\w*',
    '(last)?updated?(at|on|date)?|date(last)?updated|lastedit(ed)?(date)?',
    '(current)?statusdate',
  ],
} satisfies Fields
/** Facts and their older names. */
const facts = (names: readonly FactName[]): Fields =>
  Object.fromEntries(
    names.flatMap((name): [string, Fields[string]][] => {
      const { type, alias, feeds } = factTable[name]
      const read = type === 'year' ? 'integer' : type === 'propertyType' ? 'text' : type
      return [[name, [read, ...(feeds ?? [])]], ...(alias ? [[alias, [read]] as [string, Fields[string]]] : [])]
    }),
  )
const home = facts(homeFactNames)

/** The fields a configuration may map, by data set. */
export const feedFields: Readonly<Record<Dataset, Fields>> = {
  parcels: {
    ...place,
    ...home,
    recordId: ['text'],
    ...facts(lotFactNames),
    outline: ['outline'],
    ...Object.fromEntries(overlayNames.map((name) => [`overlay.${name}`, ['tristate'] as const])),
  },
  listings: {
    ...place,
    ...home,
    listingId: ['text', 'listing(id|key|number|no)|mls(number|num|id|no|#)?'],
    status: ['text', '(listing|standard|mls|current)?status'],
    priceUsd: ['number', '(list|listing|asking)price(usd)?', '(current)?price(usd)?'],
    originalPriceUsd: ['number', 'original(list)?price'],
    listedOn: ['date', 'list(ed|ing)?(contract)?(date|on)|datelisted|onmarketdate'],
    pendingOn: ['date', 'pending(date|on)'],
    soldOn: ['date', '(close|closing|sold|sale)(date|on)|datesold'],
    soldPriceUsd: ['number', '(close|closing|sold|sale)price'],
    remarks: ['long', '(public)?remarks|description|listingdescription'],
    photoUrls: ['list'],
    listingUrl: ['long', '(listing)url'],
    visionAnalysis: ['long'],
  },
  sales: {
    ...place,
    ...home,
    saleId: [
      'text',
      'sale(s)?(id|no|number|key)',
      '(doc|document|deed|recording|instrument|excise\\w*|transaction)(id|no|num|number|nbr)',
      'mls(number|num|id|no|#)?',
    ],
    soldOn: [
      'date',
      '(last)?(sales?|sold|close|closing|ls|transaction)(date|dt|on)|date(sold|ofsale|ofsold)',
      '(transfer|deed|recording|recorded)(date|dt|on)',
      'date(time)?',
    ],
    priceUsd: [
      'number',
      '(last)?(sales?|sold|close|closing|ls|transfer|transaction)(price|prc|amt|amount)1?(usd)?|priceusd',
      'price|consideration|amount',
    ],
    listPriceUsd: ['number', '(list|listing|asking)price(usd)?'],
    listedOn: ['date', 'list(ed|ing)?(contract)?(date|on)|datelisted'],
    daysOnMarket: ['integer', '(cumulative)?daysonmarket|c?dom'],
    remarks: ['long', '(public)?remarks|listingdescription'],
  },
  permits: {
    ...place,
    permitId: [
      'text',
      'permit(number|num|no|id|nbr|#)?',
      '(record|case|folder|file|application|app)(permit)?(number|num|no|id|nbr|#)',
      'bldgpermit(number|no)?|job(number|no|id|#)',
    ],
    projectType: [
      'text',
      'permit(type|category)(def\\w*|desc\\w*|name)|actiontype',
      '(work|project|job|construction)(type|class|desc)(desc\\w*)?',
      '(permit|record)type|permitcategory|typeofpermit',
      'category|type',
    ],
    permitClass: ['text'],
    description: [
      'long',
      '(work|permit|project|job|full|short)?description(ofwork)?',
      'scope(ofwork)?|workdesc(ription)?|projectdesc|purpose|comments|projectname',
    ],
    valuation: [
      'text',
      'revised(cost|value)',
      '(est\\w*|declared|job|project|const(ruct(ion)?)?|permit|total|work)*(valuation|jobvalue|valu|value)(usd)?',
      '(est\\w*|const(ruct(ion)?)?|project|job|reported)(project)?cost|cost(approx\\w*|est\\w*)?',
    ],
    sqft: [
      'number',
      '(total|building|bldg|floor|project|permit|gross)?(sqft|squarefoot(age)?|squarefeet|(floor)?area(sqft)?)',
    ],
    units: [
      'integer',
      '(net|new)?(dwelling|housing|residential|res)un(its?)?(added|net|new)?|(net)?units(added|net)|netunits(permitted)?',
      'newunits(permitted)?',
      '(number|num|no)?(of)?units',
    ],
    contractor: ['text', '(general)?contractor(s)?1?(name|company\\w*|business\\w*)?|builder(name)?|companyname'],
    contractorLicense: ['text', '(contractors?)?lic(ense)?(no|num|number|nbr)|contractor(state)?lic\\w*|cslb\\w*'],
    architect: ['text', 'architect(name)?|designer|engineername'],
    appliedOn: [
      'date',
      '(date)?(applied|application|appl|filed|filing|submitted|submittal|received|intake|entered)(date|dt|on)?|indate',
      'opened?(date)?|created?(date|on)?|(permit)?creationdate',
    ],
    issuedOn: [
      'date',
      '(date)?(permit)?issued?(date(time)?|dt|on)?|issuance(date)?|dateissued',
      'approved?(date)',
      '(permit)?date',
    ],
    finaledOn: ['date', '(date)?(final(ed|ized)?|completed?|completion|closed?|finished|signoff|cofo)(date|dt|on)'],
    status: [
      'text',
      '(permit|current|record|project|application|folder)?status(current|desc\\w*)?',
      'permit(appr\\w*|stat\\w*|stage)',
    ],
  },
  rents: {
    market: ['text'],
    zip: place.zip,
    county: place.county,
    rentId: ['text', 'rent(al)?id'],
    bedrooms: ['integer', ...home.beds!.slice(1)],
    amountUsd: ['number', '(monthly|asking|median)?rent(amount|price|usd)?'],
    asOf: ['date', '(rented|listed)?date|asof(date)?|month'],
    statistic: ['text'],
    sourceUrl: ['long'],
    modifiedAt: ['text'],
  },
}

/** Columns that together give the kind of work: "New / Building Permit / Single Family". */
export const workKind =
  '(permit|work|project|job|record|folder|construction|residential)?(sub)?(type|class|category|desc)(def\\w*|desc\\w*|name)?|usegroup(label|desc\\w*|name)'

/** Parts of an address that feeds keep apart, in their order. */
export const addressParts: readonly string[] = [
  '(situs|site|street|house|st|addr(ess)?|civic)?(house)?(number|num|no|nbr|#)|housenum(ber)?',
  '(situs|site|street|house|st)?(house)?(number|num|no)(suffix|sfx)',
  '(situs|site|street|st)?(pre)?(street)?(dir|direction|predir)(one|1)?',
  '(situs|site)?(street|st)(name)?',
  '(situs|site)?(street|st)(suffix|type|sfx)|suffix',
  '(situs|site|addr)?unit(number|num|no)?|apt(no)?',
  'unit(suffix|sfx)',
]

/** The patterns of a field. */
export const namesOf = (holds: Dataset, field: string): readonly string[] => feedFields[holds][field]?.slice(1) ?? []

export const nameKey = (column: string): string => column.toLowerCase().replace(/[^a-z0-9#]/g, '')

/** Position of the first pattern that matches the whole name, or -1. "Bldg SF" is "Bldg SqFt". */
export const nameRank = (column: string, patterns: readonly string[]): number => {
  const key = nameKey(column).replace(/sf$/, 'sqft')
  return patterns.findIndex((pattern) => compiled(pattern).test(key))
}
const expressions = new Map<string, RegExp>()
const compiled = (pattern: string): RegExp =>
  valueAt(expressions, pattern, () => new RegExp(`^(?:${pattern.replace(/[ _]/g, '')})$`))
