// The fields that a source can map, with their type and the names that feeds use for them. A name is compared in lower case without
// separators: "Issued_Date", "IssuedDate" and "issued date" are all `issueddate`. Patterns match whole names; the earlier one is the
// better match.

import { valueAt } from '../common/typed.ts'
import { type FactName, factTable, homeFactNames, lotFactNames } from '../domain/fact-table.ts'
import { type Dataset, overlayNames } from '../domain/facts.ts'

export type FieldType = 'text' | 'long' | 'number' | 'integer' | 'date' | 'boolean' | 'list' | 'tristate' | 'outline'
type Fields = Readonly<Record<string, readonly [FieldType, ...patterns: string[]]>>

/** Says that a column is about the home, not about its owner. */
const site =
  '(true|full|situs|site|prop(erty)?|prprty|ph(y(s(ical)?)?)?|loc(ation)?|par(cel)?|prcl|prem(ises?)?|original|orig|primary|main|job(site)?|work(site)?|construction|e911|adr|s)'
const coordinate =
  '(prop(erty)?|site|situs|parcel|cent(roid|er)?|intpt|geo(code)?|point|gis|map(ped)?|loc(ation)?|wgs(84)?|dd|x|y)?'
const place = {
  market: ['text'],
  city: [
    'text',
    `(${site}+(street|unparsed)?(addr(ess)?)?|streetaddress)(city|cty)(name|nm|decode)?|ctyname`,
    '(postal|usps|mailing)?city(name|nm|decode|town|town(name|nm))?',
    'ctu(name)?|place(name)?|jurisdiction(name)?|locality',
    'town(ship)?(name)?|suburb|mun(i|icipality)?(name|desc\\w*|nm)?',
    'muni\\w*|boro(ugh)?|situscommunity|siteaddr2|citytown(code)?',
  ],
  zip: [
    'text',
    `(${site}+(street)?(addr(ess)?)?|streetaddress)zip(5|1|cd|code)?1?`,
    '(postal|geo)?zip(5|1|cd|code|num|code5)?|(postal|post)code|zip(or)?postalcode|zcta5?',
    'statezip|siteaddr3',
  ],
  county: ['text', '(county|cnty)(name|nm|orparish)?|coname|parish(name)?'],
  apn: [
    'text',
    '(site|situs|county)?apn(formatted|num(ber)?|(print|sort)(format)?|d|dash|full)?|(print|sort)parcel',
    'assessors?(parcel)?(number|no|id|#)',
    '(key)?(county)?parcel(id)?(number|no|num|id|nbr|#)(raw)?|taxkey|pin1[04]?|(county)?pinnum(ber)?|mainparcel|parcelnumb',
    'tax ?(parcel|map|lot)(id|number|nbr|num|no|#)?|taxid(number|no|#)?|span|stanpar',
    '(map|low)?(par(cel?)?|prcl)(id|no|num(b|ber)?|key)|gpin|(county|parcel|gis|nc|tax)pin|pidn|printkey|geo(graphic)?id',
    'ain|(pams)?pin|mapblklot|blklot|bbl|(tax)?(map|par(cel)?)?mblu?|parcel|folio(number|no|num|#)?|ssl|sbl#?|tms(#|num)?|[a-z]{1,2}cad(id|num)|tmk|(map)?taxlot|tmparcel|upi|strap|tlid|sched(ule)?(num(ber)?|no)?|parcelid14',
    'pid|pvanum(ber)?|(tax)?roll(number|no|num)(formatted)?|blocklot\\w*|map(block)?lot',
    '(opa|tax|property|parcel|real)?(account|acct)(number|num|no|nbr|id|#)?|acct',
    'prop(erty)?(id|no|num(ber)?)|(pin|parcel)list|map(number|no)',
    'locid|reid|realestate(number|no|num|nbr|id|#)|re#|altkey|lrsn|keyno',
  ],
  address: [
    'text',
    'addressstreet',
    `(${site}|permit|project|job)+(street|unparsed)?(address|addrs?|adrs?|adress|add)(full|all|1|line1|l1)?|${site}+(street|str)full`,
    'addr(ess)?(full)?|(street|unparsed|display|complete)(address|addr)(1|full)?|(full|address)?street(line1?)?|situs|display|fulladdress|addressfull|adrs?|loc',
    'prop(erty)?(street|loc)\\w*|addr(ess)?of(property|work)|(primary|work|job|permit|project)?location(addr\\w*)?',
    'siteaddressintersection|adrlabel|(situs|site|full|par)(address|addr)?(string|str|all)|fullstr|situsfull|prcllocn|streetfullname|situsline1?',
    '(st)?addr(ess)?(1|line1?|l1)?|(formatted|listing|home)address',
  ],
  lat: ['number', `${coordinate}lat(t?itude)?(wgs84|perm|dd|deg)?`, 'y|ycoord(inate)?|gpsy'],
  lng: ['number', `${coordinate}(lo?ng(t?itude)?|lon)(wgs84|perm|dd|deg)?`, 'x|xcoord(inate)?|gpsx'],
  sourceUrl: [
    'long',
    '(record|permit|web|source|property|detail|realtor|zillow|redfin|assessor|parcel|listing)?(url|link)|href|homedetails',
  ],
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

/** Of several sales of a home, the newest. */
const newest = '(l(ast)?|current|latest|(most)?recent|salessegment1)?(market|valid)?'

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
    listingId: ['text', '(mls)?(listing|list|ml|mls)(id|key|number|num|no|#)|mls', 'zpid|adid'],
    status: ['text', '(listing|standard|mls|current|sale|ad)?status', '(home)?statustype|homestatus'],
    priceUsd: [
      'number',
      '(list(ed|ing)?|ask(ing)?)price(usd)?|lp',
      '(current|unformatted|search|total|home)?pric(es?|ing)(usd|raw|value)?',
    ],
    originalPriceUsd: ['number', 'orig(inal)?(list)?price'],
    listedOn: [
      'date',
      'list(ed|ing)?(contract)?(date|dt|on)(received)?|date(listed|posted)|onmarketdate|posted(date|on)',
    ],
    pendingOn: ['date', 'pending(date|on)'],
    soldOn: ['date', '(last|actual)?(close|closing|sold|sale|selling|coe|closeofescrow)(date|on|dt)|(date|dt)sold'],
    soldPriceUsd: ['number', '(close|closing|sold|sale|selling)(price|prc)|pricesold'],
    remarks: ['long', '(public|listing|marketing)?remarks|(listing|property)?description(text)?|overview|text'],
    photoUrls: ['list'],
    listingUrl: ['long', '(listing)url'],
    visionAnalysis: ['long'],
  },
  sales: {
    ...place,
    ...home,
    saleId: [
      'text',
      'sale(s)?(id|no|number|key|docu?(ment)?(no|num|number)?)',
      '(doc|document|deed|recording|instrument|excise\\w*|transaction)(id|no|num|number|nbr)',
      'mls(number|num|id|no|#)?|(listing|list|ml)(id|number|num|no|#)|etn',
    ],
    soldOn: [
      'date',
      `${newest}(actual)?(sales?|sal|sold|closed?|closing|selling|coe|closeofescrow|ls|sale?trans|tran(s|saction)?|market|settle(d|ment)?|purch(ase)?)1?(date|dat|dt|dte|on)1?|(date|dt)(sold|ofsale|ofsold|sale)|saledate`,
      `${newest}(sale)?(transfer|xfer|tra|document|doc|deed|conveyance|rec(ord)?(ing|ed)?|reception|(sale)?inst(rument)?)(date|dt|on)1?|daterecorded|dateoftransfer`,
      'date(time)?|sold',
    ],
    priceUsd: [
      'number',
      `${newest}(tot(al)?|gross|net)?(sales?|sal|sold|clos(e|ing)|sell(ing)?|sl|ls|trans(fer|action)?|conveyance|purch(ase)?)1?(price|prc|amt|amount|val(ue)?)1?(usd)?|priceusd`,
      '(latest|total|current)?prices?(value|raw)?|(salessegment1|total|sale)*consid(er(ation)?)?(1|amt|amount)?|considr1?|amount|sold(for|at)|price(sold|paid)|s(p|price)',
    ],
    listPriceUsd: ['number', '(list(ed|ing)?|asking)price(usd)?|lp'],
    listedOn: ['date', 'list(ed|ing)?(contract)?(date|on)|datelisted'],
    daysOnMarket: ['integer', '(cumulative|total)?days(on)?(market|mkt|mls|zillow)|(a|c|cumulative)?dom'],
    remarks: ['long', '(public)?remarks|listingdescription|text'],
  },
  permits: {
    ...place,
    permitId: [
      'text',
      '(building|bldg|per)?permit(number|num|no|id|nbr|#)?|(per|perm|pmt|prmt|bp)(num|no|nbr|number|#)|permitnumberc',
      '(record|case|folder|file|application|app|ap|appl|approval|tracking|permit(case|record))(permit)?(number|num|no|id|nbr|#)|project(number|num|no|id|nbr|#)|(b1)?altid',
      '(bldgpermit|pcispermit)(number|no|#)?|job(filing)?(number|no|id|#)|numstring|permitrecord|application|ref(erence)?(number|no|#)?',
    ],
    projectType: [
      'text',
      '(permit|per)(type|category|kind)(def\\w*|desc\\w*|name)|actiontype|permittypemapped|typedesc\\w*',
      '(work|project|job|construction|improvement)(type|class|desc)(desc\\w*)?|type(of)?(work|construction|improvement)|(work|nature)ofwork',
      '(permit|record|case|application|appl|ap|approval|folder)type|permit(category|kind|subtype)|jobcategory|typeofpermit|pertype',
      'category|type|classification|subtype',
    ],
    permitClass: ['text'],
    description: [
      'long',
      '(proposed|b1)?(work|permit|project|job|full|short|detailed|brief|record|case|appl(ication)?|construction)?(work)?desc(r|ription)?(ofwork|ofproject)?1?',
      '(approved)?scope(ofwork|desc\\w*)?|purpose|comments?|permitfor|work|remarks|(construction|work|permit|project)?notes|(proposed|authorized)work|workproposed|(permit|project|work)details',
      'projectname|proposeduse|additionaldesc\\w*',
    ],
    valuation: [
      'text',
      'revised(cost|value)',
      '(est\\w*|declared|job|project|const(r|ruct(ion)?)?|permit|total|work|market|calc\\w*|contract|building|bldg|improvement)*(valuation|jobvalue|valu|value)(usd|ofwork|num|amount|amt)?',
      '(amt|total)?(est\\w*|const(r|ruct(ion)?)?|project|job|reported|work|total)(project|total|contractor|job)?costs?(dec|of(work|const\\w*|project))?',
      'cost(approx\\w*|est\\w*|ofwork|ofconst\\w*)?|constr?val|valueof(work|const\\w*)|(project|contract)amount|initialcost|accepted(value|valuation)|amount|tot(al)?val',
    ],
    sqft: [
      'number',
      '(total|tot|building|bldg|floor|project|permit|gross|new|added|proposed|living|res|heated)*(sqft|sqfeet|squarefoot(age)?|squarefeet|(floor)?area(sqft)?)(total)?',
      'totalnewadd(sqft|footage)|bldgarea',
    ],
    units: [
      'integer',
      '(net|new)?(dwelling|housing|residential|res)un(its?)?(added|net|new|impact|total)?|(net)?units(added|net)|netunits(permitted)?',
      'newunits(permitted)?|duchanged|(new)?dus?(added)?|unitcount|dwellings',
      '(number|num|no|total|#)?(of)?(residential|dwelling|housing|new)*units',
    ],
    contractor: [
      'text',
      '(general|full|prime)?contr(actors?)?1?(name|used|company\\w*|business\\w*|dba|full\\w*|firm|trade\\w*)?|builder(name)?|companyname|permittees?(business|company)?name|licensedprof\\w*|gc',
    ],
    contractorLicense: [
      'text',
      '(contractors?|permittees?)?lic(ense)?(no|num|number|nbr|#)|contractor(state)?lic\\w*|cslb\\w*',
    ],
    architect: ['text', 'architect(name)?|designer|engineername'],
    appliedOn: [
      'date',
      '(date)?(permit|application)?(appl(y|ied|ic(ation)?)?|filed?|filing|submit(ted|tal)?|received|intake|entered|added)(start|in)?(date|dt|on)?|indate|apdttm',
      '(date)?(record|permit|case)?open(ed)?(date)?|(date)?(approval)?created?(date|on)?|(permit)?creationdate|processed(date)?',
    ],
    issuedOn: [
      'date',
      '(date)?(per|permit)?issued?(permit)?(date(time)?|dt|on)?|(permit)?issuance(date)?|(date|dt)(approval)?issued?|iss(d|dttm|date)',
      'approved?(date)',
      '(permit)?date|dateofpermit',
    ],
    finaledOn: [
      'date',
      '(date)?(per(mit)?)?(final(ed|ized?)?|complet(ed?|ion)|closed?|finished|signoff|cofo)(date|dt|on)|date(cofo|final\\w*|(approval)?closed?|completed)|finaled|closed|completed|(co|cofo|certificateofoccupancy)(issued(date)?|issuedate|date)',
    ],
    status: [
      'text',
      '(permit|current|record|case|project|appl(ication)?|folder)?status(current|desc\\w*|name)?(mapped)?',
      'permit(appr\\w*|stat\\w*|stage)|stat',
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
  '(permit)?(work|project|job|record|case|application|folder|construction|residential|structure)?(sub)?(type|class|category)' +
  '(def\\w*|desc\\w*|name|mapped)?|use(group)?(label|type|code|desc\\w*|name|class|of(the)?b(uildin|ld)g)?|commercial(or)?residential' +
  '|type(of)?(work|use|structure)|designation|classification|occupancy(type|class|group)?(desc\\w*)?|landuse|sub(work)?desc(ription)?'

/** Parts of an address that feeds keep apart, in their order. */
export const addressParts: readonly string[] = [
  `${site}*(street|house|st|str|adr|addr(ess)?|civic|a)(house)?(number|num|no|nbr|nr|#)(lo|low|start|from)?|(situs|site|loc|prem|s)?(number|num|nbr)|locno|(address|addr|number|num)(start|low|lo|from)|${site}startnumber`,
  `${site}*(street|house|st|str|addr)?(house)?(number|num|no)(suffix|sfx)`,
  `${site}*(street|st|str|adr|addr)?(street)?(pre)?(dir|direction|predir)(one|1)?|sdir|${site}*(street|st|str|addr)(pfx|prefix|prefx)`,
  `${site}*(street|st|str|adrstr|addrstr|addressstreet)(full)?(name|nam|nm)?|(full|site|prem|situs)(street)?na(me?)|locate|addrst|streetnameandway|${site}+addr(ess)?`,
  `${site}*(street|st|str|adr|addr(ess)?)(name|pos)?(suffix|sufix|suff?|type|sfx|mode|typ|sf)|(situs|site|prem)?(suffix|mode)`,
  `${site}*(street|st|str|addr)?(name)?(pos?t?|suff?(ix)?)dir(ection)?|${site}*(street|st)dir(ection)?(suff?(ix)?|post)`,
  `${site}*(addr(ess)?)?(str(eet)?)?(unit|apt|unt|apartmentunit)(number|num|no|id|#)?`,
  'unit(suffix|sfx)',
]

/** The patterns of a field. */
export const namesOf = (holds: Dataset, field: string): readonly string[] => feedFields[holds][field]?.slice(1) ?? []

export const nameKey = (column: string): string => column.toLowerCase().replace(/[^a-z0-9#]/g, '')

/** Position of the first pattern that matches the whole name, or -1. "Bldg SF" is "Bldg SqFt". */
export const nameRank = (column: string, patterns: readonly string[]): number => {
  const key = nameKey(column).replace(/sf$|(?:(?<!f)in)?(?:sqr?ft|sqfoot|square(?:ft|foot))$/, 'sqft')
  return patterns.findIndex((pattern) => compiled(pattern).test(key))
}

/**
 * Alternative readings of each column name, the most certain first: without "(SDAT field 89)"; without the name of its table
 * ("vns num bedrm", "LAT_JOB") or a word that adds nothing ("Interior_Bedrooms"); complete again where a shapefile has cut it to ten
 * letters ("PROP_ADDRE").
 */
export const nameReadings = (names: readonly string[]): ((name: string) => string[]) => {
  const words = new Map(names.map((name) => [name, wordsOf(name)]))
  const starts = Map.groupBy(names, (name) => words.get(name)![0]?.toLowerCase())
  const ends = Map.groupBy(names, (name) => words.get(name)!.at(-1)?.toLowerCase())
  const beginnings = Map.groupBy(names, (name) => beginning(words.get(name)!))
  const keys = new Set(names.map(nameKey))
  // "architect_name" beside "architect_city": a person, not a table.
  const isTableWord = (word: string, like: ReadonlyMap<string | undefined, readonly string[]>) =>
    !qualifierWords.test(word) &&
    (ignorableWords.test(word) || (like.get(word.toLowerCase())!.length > 2 && !keys.has(`${nameKey(word)}name`)))
  const isCut = names.every((name) => name.length <= 10 || name.startsWith('geometry'))
  return (name) => {
    const all = words.get(name) ?? []
    if (name.startsWith('geometry.')) return []
    const rest =
      all.length < 2
        ? []
        : [
            isTableWord(all[0]!, starts) ? all.slice(1) : [],
            // In "area_retail", "area_office" and "area_total" the last word says which area it is.
            isTableWord(all.at(-1)!, ends) &&
            !placeWords.test(all.at(-1)!) &&
            beginnings.get(beginning(all))!.length < 3
              ? all.slice(0, -1)
              : [],
          ]
    const bare = rest.map((each) => each.join(' ')).filter((each) => each && !ambiguousNames.test(nameKey(each)))
    const key = nameKey(name)
    const whole = isCut && name.length === 10 ? cutWords.flatMap((word) => completed(key, word)) : []
    const named = name.replace(/\(.*\)/, '')
    // "location.county.name": also "county.name"; "zoning.zone_code": also "zone_code".
    const inTable = [...named.matchAll(/\.(?=\w)|__|--/g)].flatMap(({ 0: mark, index }) =>
      isQualified(named.slice(0, index).replace(/description|zoning/gi, '')) ? [] : named.slice(index + mark.length),
    )
    // "Bedrooms1": the first building.
    const first =
      /[a-z]1$/i.test(named) && !ambiguousNames.test(nameKey(named.slice(0, -1))) ? [named.slice(0, -1)] : []
    return [named, ...inTable, ...bare, ...whole, ...first]
  }
}
const beginning = (words: readonly string[]): string => words.slice(0, -1).join(' ').toLowerCase()
const wordsOf = (name: string): string[] =>
  name
    .replace(/\(.*\)/, '')
    .replace(/([a-z])(?=[A-Z])/g, '$1 ')
    .split(/[^A-Za-z0-9#]+/)
    .filter(Boolean)
/** Words that say whose value it is, which part it measures, or that it is not the value of today. */
const qualifierWords =
  /^(own(er)?s?|co|tax(payer)?|mail(ing)?|m|cont(r(actors?)?)?|applicant|agent|business|buyer|seller|customer|client|architect|engineer|designer|developer|builder|broker|lender|tenant|lessee|vendor|licensee|permittee|representative|attorney|trustee|firm|company|plumber|electrician|grant(or|ee)|contact|billing|pri(or)?|prev(ious)?|prv|pre|old|former|garage|gar|basement|bsmt|attic|deck|porch|pool|land|lot|building|bldg|impr\w*|sales?|list|assess\w*|apprais\w*|market|mkt|price|amount|valuation|cost|fee|min|max|avg|mean|median|log|pct|percent|adj|existing|proposed|removed|new|eff(ective)?|units?|total|tot|legal|school|zoning|zip|year|yr|date|num|number|no|is|has|est\w*|second|other|change|diff|type|class|code|id|status|name|value|area|desc\w*|flag|category|city|state|work)$/i
/** Whether a word of the name says that the value is not the home's own of today. */
export const isQualified = (name: string): boolean => wordsOf(name).some((word) => qualifierWords.test(word))
/** Words that say nothing about the value. */
const ignorableWords =
  /^(interior|exterior|condition|approval|job|project|record|parcel|prop(erty)?|situs|site|home|house|dwelling|res(idential)?|addr(ess)?|location|loc|geo|gis|current|cur|latest|main|primary|reported|nr|details?|info|general|physical|official|result|data|hdpdata|homeinfo)$/i
/** At the end of a name these say what it holds: "contractor_address" is not a contractor. */
const placeWords = /^(addr(ess)?|location|loc|site|situs)$/i
/** Names that fit several fields when nothing else is left of them. */
const ambiguousNames =
  /^(area|size|sqft|type|id|number|no|num|nbr|code|class|dates?|name|value|val|price|total|count|line\d*|key|flag|year|yr|month|mo|use|category|amount|units?|owner|sf|status\w*date|description|desc|x|y)$/
const cutWords =
  'address number area value city code price type description built acres acreage square feet footage name date improvement municipality zip units stories district living land bedrooms bathrooms zoning'.split(
    ' ',
  )
const completed = (key: string, word: string): string[] =>
  Array.from(word.slice(2), (_, at) => word.slice(0, at + 2)).flatMap((start) =>
    key.endsWith(start) ? [key + word.slice(start.length)] : [],
  )

const expressions = new Map<string, RegExp>()
const compiled = (pattern: string): RegExp =>
  valueAt(expressions, pattern, () => new RegExp(`^(?:${pattern.replace(/[ _]/g, '')})$`))
