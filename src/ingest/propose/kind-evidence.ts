// Reasons why a file may not hold the data set that is proposed for it. Columns for a number, a day and an address are no proof:
// complaints, parking signs and licenses have them too. If there is a reason, the operator is asked. The mapping for the likeliest data
// set is shown with the question, but only where the fields are found that make it that data set and no column shows other data.
import type { Dataset } from '../../domain/facts.ts'
import { fieldReader } from '../field-path.ts'
import { namesIn } from '../map.ts'
import { permitStatus } from '../permit-status.ts'
import { isNull, readBoolean, readNumber } from '../values.ts'
import { listingStatus } from '../vocabulary.ts'
import type { ProposedMapping } from './propose-mapping.ts'

/** Transfers for this or less, often between relatives, are not sales. */
export const nominalUsd = 100

type Row = Readonly<Record<string, unknown>>
/** The mapping and the rows, with what the checks of all data sets ask. */
interface Evidence {
  rows: readonly Row[]
  names: readonly string[]
  missing: readonly string[]
  /** The rows have an address, a parcel number or a point. */
  isPlaced: boolean
  has: (field: RegExp) => boolean
  /** Has the field, or a column for it that cannot be read. */
  finds: (field: RegExp) => boolean
  /** The names of the columns of the fields. */
  columns: (field: RegExp) => string[]
  /** Facts of homes and lots that were found. */
  facts: number
  priceRule: unknown
  /**
   * The first column of that name, as a reason that the rows are other data: a fifth of them say more than yes and no, and a status is a
   * word for the state of a case.
   */
  shows: (what: string, words: RegExp) => Other | undefined
}
interface Other {
  other: string
}
interface Judged {
  doubts: (string | Other | false | undefined)[]
  /** The data set that the rows most probably are, if the fields are found that make it that one. */
  likely?: Dataset | false
  /** Parcels with their last sale: both data sets. */
  isRoll?: boolean
}
export interface Verdict {
  /** Why the rows may not be what the mapping says; empty if they are. */
  doubts: string[]
  likely?: Dataset
  isRoll: boolean
}

const share = (texts: readonly unknown[], words: RegExp) =>
  texts.filter((text) => words.test(String(text))).length / texts.length

export const judgeKind = (mapping: ProposedMapping, rows: readonly Row[]): Verdict => {
  const { holds, fields, unclear, missing } = mapping
  const names = [...new Set(rows.flatMap(Object.keys))]
  const columns = (field: RegExp) => fields.flatMap((each) => (field.test(each.field) ? namesIn(each.rule) : []))
  const has = (field: RegExp) => fields.some((each) => field.test(each.field))
  const licenses = missing.length > 0 ? [] : columns(/^contractorLicense$/)
  const measured = fields.filter(({ rule }) => !String(rule).startsWith('geometry.'))
  const facts = [...measured, ...unclear].filter(({ field }) => aFact.test(field))
  const says = (name: string) => {
    const values = rows.map((row) => row[name]).filter((value) => !isFlag(value))
    const ofCases = /status$/i.test(name) ? values.filter((value) => isState(String(value))) : values
    return values.length >= 0.2 * rows.length && ofCases.length > 0.3 * values.length
  }
  const evidence: Evidence = {
    ...{ rows, names, missing, has, columns },
    isPlaced: has(/^(address|apn|lat)$/) || mapping.point !== undefined,
    priceRule: fields.find(({ field }) => field === 'priceUsd')?.rule,
    finds: (field) => has(field) || unclear.some((each) => field.test(each.field)),
    facts: new Set(facts.map(({ field }) => field)).size,
    shows: (what, words) =>
      names
        .filter((name) => words.test(name) && !licenses.includes(name) && says(name))
        .map((name) => ({ other: `the column ${name} shows ${what}` }))[0],
  }
  const rent = holds === 'permits' || holds === 'rents' ? undefined : rented(evidence, unclear)
  const { doubts, likely, isRoll = false } = judges[holds](evidence)
  const found = [rent, ...doubts].filter((doubt) => doubt !== undefined && doubt !== false)
  return {
    doubts: [...new Set(found.map((doubt) => (typeof doubt === 'string' ? doubt : doubt.other)))],
    isRoll,
    ...(likely && found.every((doubt) => typeof doubt === 'string') ? { likely } : {}),
  }
}
const isState = (word: string) => permitStatus(word) !== 'unknown' || listingStatus(word) !== undefined
const aFact =
  /^(livingSqft|lotSqft|yearBuilt|beds|baths|stories|units|zoning|assessed\w+|propertyType|outline|lot\w+Ft)$/
/** Facts that offices, schools and hotels do not have. */
const aHomeFact = /^(lotSqft|beds|baths|zoning|assessed\w+|outline)$/
/** "RENTAL": "N" is a fact of a home, not what the file lists. */
const isFlag = (value: unknown): boolean => isNull(value) || typeof readBoolean(value) === 'boolean'

const permits = ({ rows, names, missing, isPlaced, has, finds, columns, shows }: Evidence): Judged => {
  const works = columns(/^(projectType|description)$/)
  const texts = rows.map((row) => (works.length > 0 ? works : names).map((name) => row[name] ?? '').join(' '))
  const work = share(texts, buildingWork)
  const isNamed = names.some((name) => /permit|^bldg/i.test(name))
  const isWork =
    missing.length === 0 &&
    (has(/^valuation$/) ||
      names.some((name) => /contractor|builder/i.test(name)) ||
      (isNamed && work >= 0.5 && has(/^issuedOn$/)))
  const describes = `${work < 0.5 ? 'only ' : ''}${Math.round(100 * work)}% of the rows describe building work`
  const signs = [
    isNamed,
    work >= 0.2,
    work >= 0.5,
    finds(/^valuation$/),
    has(/^(contractor|architect)/),
    finds(/^(issued|applied|finaled)On$/),
    has(/^(units|sqft)$/),
  ].filter(Boolean)
  const isWeak = signs.length < 3 || (!has(/^(valuation|contractor|sqft|units)/) && work < 0.1)
  const doubts = [
    !isPlaced && 'its permits have no address or parcel number',
    (isWeak || missing.length > 0) && !isNamed
      ? `no column names a permit, and ${describes}`
      : isWeak && `${describes}, and no other column shows it`,
    !isNamed && share(texts, complaints) > 0.2 && { other: 'many of its rows describe complaints' },
    !has(/^(valuation|contractor)/) && share(texts, rentals) > 0.3 && { other: 'many of its rows describe rentals' },
    !isWork && shows('inspections', /^inspection/i),
    !isWork && !isNamed && shows('cases or licenses', caseColumns),
  ]
  return { doubts, likely: isPlaced && missing.length === 0 && work >= 0.2 && 'permits' }
}

/** Most rows have a text in the column that matches. */
const says = (rows: readonly Row[], name: string, text: RegExp): boolean =>
  share(
    rows.map(fieldReader(name)).filter((value) => !isNull(value)),
    text,
  ) > 0.5

const parcels = ({ names, missing, has, columns, facts, shows }: Evidence): Judged => {
  const isNumbered = columns(/^apn$/).some((name) => !ambiguousNumber.test(name.replace(/[^a-z#]/gi, '')))
  const isHome = has(/^(livingSqft|lotSqft|yearBuilt|baths|assessed)/)
  // Homes with a price or the number of a website, without the day of a sale, are most often offered.
  const offer = isNumbered ? undefined : shows('listings or sales', offerColumns)?.other
  const doubts = [
    !isHome &&
      shows('permits or licenses without a kind of work', has(/^apn$/) ? /^applicant/i : /^(applicant|expir)|permit/i),
    !has(/^apn$/) && shows('cases or licenses', isHome ? /plaintiff|defendant/i : violations),
    !has(/^apn$/) && shows('homes for rent', rentNames),
    shows('work with a permit', /contractor/i),
    missing.length > 0 && 'it has no addresses',
    has(/^apn$/) && !has(/^(?!apn$)/) && names.length > 1 && 'it has only parcel numbers',
    !isHome && shows('what happened to a parcel, not what it is', /\bbid|_bid|lien|civil.?case|foreclos/i),
    offer,
    facts < 2 && isNumbered && !has(/^lotSqft$/) && shows('what happened to a parcel, not what it is', eventColumns),
    !isNumbered && (facts < 2 || !has(aHomeFact))
      ? `it has no parcel numbers${has(/^apn$/) ? ' that are named so' : ''} and ${facts === 0 ? 'no' : 'too few'} facts about homes`
      : undefined,
  ]
  const isOffered = offer !== undefined && facts > 1 && has(aHomeFact)
  const isOwned = has(/^address$/) && names.some((name) => rollColumns.test(name))
  return { doubts, likely: isOffered ? 'listings' : isOwned && 'parcels' }
}

const sales = ({ rows, names, isPlaced, has, finds, columns, facts, shows }: Evidence): Judged => {
  const named = [...columns(/^(soldOn|priceUsd|saleId)$/), ...names.filter((name) => partyColumns.test(name))]
  const [apn, sold, price] = [/^apn$/, /^soldOn$/, /^priceUsd$/].map((field) => columns(field)[0])
  const isPaid = (amount: unknown) => typeof amount === 'number' && amount > nominalUsd
  const paid =
    rows.filter((row) => !isNull(row[sold!]) && (!price || isPaid(readNumber(row[price])))).length / rows.length
  const hasOwners =
    facts > 1 && names.some((name) => rollColumns.test(name)) && !names.some((name) => partyColumns.test(name))
  const areOnce = new Set(rows.map((row) => row[apn!])).size > 0.98 * rows.length
  const areLast = [sold, price].every((name) => /^(last|latest|ls)/i.test(name ?? ''))
  const isSale = named.some((name) => saleNames.test(name) || says(rows, name, /^(last )?sold\b/i))
  const doubts = [
    !finds(/^soldOn$/) && 'it has no sale dates',
    !finds(/^priceUsd$/) && 'it has no sale prices',
    !isSale && !(has(/^apn$/) && facts > 3) && 'no column says that its days and amounts are of sales',
    !isPlaced && facts < 2 && 'it has no addresses, parcel numbers or facts about homes',
    shows('work with a permit', /contractor/i),
    !has(/^apn$/) && shows('cases or licenses', /plaintiff|defendant/i),
  ]
  const isPriced = has(/^priceUsd$/) && (has(/^soldOn$/) || isSale)
  return {
    doubts,
    likely: isPriced && (isPlaced || facts > 1) && 'sales',
    isRoll: hasOwners && has(/^(apn|address)$/) && (areLast || (areOnce && paid < 0.8)),
  }
}

const listings = ({ rows, names, missing, has, finds, columns, facts, shows }: Evidence): Judged => {
  const isOffer =
    names.some(
      (name) =>
        share(
          rows.map((row) => row[name] ?? ''),
          /\bfor[ -]sale\b/i,
        ) > 0.4,
    ) ||
    columns(/^priceUsd$/).some((name) => /list|ask/i.test(name)) ||
    columns(/^listingId$/).some((name) => /mls|zpid/i.test(name))
  const sold = has(/^status$/) ? undefined : names.find((name) => says(rows, name, /^sold\b/i))
  const doubts = [
    sold && `the column ${sold} says that the homes are sold`,
    !finds(/^priceUsd$/) ? 'it has no prices' : !has(/^priceUsd$/) && missing.length > 0 && 'its prices cannot be read',
    !has(/^(listingId|address|apn)$/) && 'it has no listing numbers or addresses',
    facts === 0 && !(isOffer && has(/^(address|apn)$/)) && 'it has no facts about homes',
    facts === 0 && shows('cases or licenses', violations),
  ]
  return { doubts, likely: (isOffer || facts > 1) && finds(/^(priceUsd|listingId)$/) && 'listings' }
}

const rented = ({ rows, names, has, priceRule }: Evidence, unclear: ProposedMapping['unclear']): Other | undefined => {
  // Rents in plain numbers are no prices.
  if (typeof priceRule === 'string' || (priceRule !== undefined && has(/^soldOn$/))) return undefined
  const monthly = names.find(
    (name) =>
      !/fee|dues|assoc|freq|payment|pmt|mortgage|hoa|tax/i.test(name) &&
      share(
        rows.map((row) => row[name] ?? ''),
        rentWords,
      ) > 0.4,
  )
  // A price of $2,200 is the rent of a month.
  const small = unclear.find(
    ({ field, reason }) =>
      field === 'priceUsd' && !has(/^soldOn$/) && /unit is not clear.* (\d|1\d),\d{3}$/.test(reason),
  )
  return monthly
    ? { other: `the column ${monthly} shows homes for rent` }
    : small && { other: `the column ${small.column} shows homes for rent: ${small.reason}` }
}

const judges: Readonly<Record<Dataset, (evidence: Evidence) => Judged>> = {
  ...{ permits, parcels, sales, listings },
  rents: ({ missing }) => ({ doubts: [missing.includes('zip or county') && 'its rents have no ZIP code or county'] }),
}

/** Numbers of accounts and websites, which are also those of customers. */
const ambiguousNumber = /^(prop(erty)?(id|no|num(ber)?)|.*acc(oun)?t.*|pid|locid|map(number|no)|.*list)$/i
/** Columns of a case, fee or registration of a parcel. */
const eventColumns =
  /case|complain|violat|inspect|licen[cs]e|permit|regist|lien|owed|\bdue|expir|fil(ed|ing)|(open|clos|issu|start|end)\w*[\W_]*date|status$/i
/** Columns of websites and brokers. */
const offerColumns = /zpid|mls|hoa|zestimate|agent|broker|price/i
/** Columns of county rolls. */
const rollColumns = /owner|taxpayer|mail|situs|exempt|assess|apprais|cash.?value/i
const partyColumns = /^(buyer|seller|grantor|grantee)/i
const saleNames = /sale|sold|sell|sal_|clos|deed|transfer|record|consid|convey|buyer|grant|recept|doc|purchas|^ls|mls/i
/** Columns of cases that have a number, a day and an address as permits have. */
const caseColumns =
  /violat|complain|citation|offen[sc]e|plaintiff|defendant|foreclos|incident|crime|(?<!micro)film|event.?name|^license/i
const complaints = /illegal|unsafe|without (a )?permit|complain|violat|overgrown|\bweeds\b|\bjunk\b|\btrash\b/i
const rentals = /\boccupants?\b|\brentals?\b|lodging/i
const violations = /plaintiff|defendant|violat|complain|^licen[cs]e/i
const buildingWork =
  /build(?!ings?$)|bldg|constr|alter|remodel|renov|addi?tion|demo|roof|electr|plumb|mech|hvac|furnace|water heater|dwelling|famil|\bsf[dr]\b|duplex|townho|\bdeck|\bpool\b|solar|photovolt|window|siding|foundation|garage(?! sale)|carport|fence|retaining|tenant (improve|finish)|kitchen|bath|interior|sewer|grading|\badu\b|\bnew[ /-]+(resid|commer|home|house|struct)|(resid|commer)\w*[ /-]+(new|add|alt|rem|repair|trade)/i
const rentNames =
  /^((monthly|asking|median)?[ _-]?rent(al)?[ _-]?(price|amount|usd)?|(security[ _-]?)?deposit|tenants?|landlord|lease[ _-]?(id|term|date|type)?|host[ _-]?(id|name)|minimum[ _-]?nights)$/i
const rentWords = /\bfor[ _-]?rent\b|\/ ?mo(nth)?\b|\bper month\b|^(monthly|rented)$/i
