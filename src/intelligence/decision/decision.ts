// The decision about a home: which use it could bear most for, and whether that is enough for its price, in one sentence. The only
// place that turns returns and offers into advice. It is made when a home is read, from what the caller may see.
import { dollars, roundedDown, dollarsShort as usdShort } from '../../common/dollars.ts'
import { dayInWords } from '../../domain/day.ts'
import { isOnMarket, type PropertyType } from '../../domain/facts.ts'
import type { Decision, SchemeOffer } from '../../domain/findings/decision.ts'
import type { ExpectedPrice } from '../../domain/findings/proforma.ts'
import { schemeTable } from '../../domain/findings/scheme-kinds.ts'
import { bestUses, isFree, isSpoken, largest } from './best-use.ts'

export interface DecisionFacts {
  /** The day that was assessed; undefined if it was not yet. */
  readonly assessedOn: string | undefined
  /** Of the listing that the caller may see. */
  readonly status?: string | undefined
  readonly soldOn?: string | undefined
  readonly propertyType?: PropertyType | undefined
  readonly askingUsd?: number | undefined
  readonly expected?: ExpectedPrice | undefined
  readonly value?: { readonly value: number; readonly high: number } | undefined
  /** Why there is no value, as a sentence. */
  readonly noValue?: string | undefined
  /** No zoning rules are known. */
  readonly isUnzoned?: boolean | undefined
  readonly offers: readonly SchemeOffer[]
  /** Percent that the owner of a home that is not for sale wants above its value. */
  readonly premiumPct: number
  /** The caller's own assumptions are used. */
  readonly isOwn?: boolean
  /** Of the uses, only those that a row can compute again at own assumptions. */
  readonly isPartial?: boolean
}

/** A use that can bear less than this share of the price to beat is not near it. */
const nearShare = 0.85

export const decisionOf = (facts: DecisionFacts): Decision => {
  const bare = (text: string): Decision => ({ text, conditions: [], asOf: facts.assessedOn })
  if (facts.status === 'sold') return bare(facts.soldOn ? `Sold ${dayInWords(facts.soldOn)}.` : 'Sold.')
  if (facts.assessedOn === undefined) return bare('Not assessed yet.')
  if (facts.propertyType === 'condo') return bare('A condominium: we compute no other use.')
  const price = priceToBeat(facts)
  const hasOffers = facts.offers.some(isSpoken)
  const { best, ifApproved: granted } = bestUses(facts.offers)
  if (!price && facts.propertyType === 'land') {
    if (best ?? granted) return residualDecision(facts, (best ?? granted)!)
    if (hasOffers) return bare('No use we can compute earns its target at any price.')
  }
  if (!price || (!hasOffers && !facts.value)) return bare(`No estimate: ${reasonFor(facts)}.`)

  const chosen = best ?? granted
  const text = sentence(facts, price, best, granted)
  // The one that the sentence names.
  const { condition } = (!facts.isUnzoned && !isNear(price, best) && isNear(price, granted) ? granted : chosen) ?? {}
  const { usd, against } = price
  const low = best?.maximumOfferLow === undefined ? undefined : Math.max(0, best.maximumOfferLow)
  return {
    ...(chosen ? { scheme: chosen.kind, approval: chosen.approval, confidence: chosen.confidence } : {}),
    text: facts.isOwn
      ? `At your assumptions${facts.isPartial ? ', comparing only a new house, a renovation and renting' : ''}: ${lowerFirst(text)}`
      : text,
    ...(best && {
      worthUpTo: best.maximumOffer,
      worthUpToLow: low,
      room: { usd: best.maximumOffer - usd, low: low === undefined ? undefined : low - price.high, against },
    }),
    conditions: condition ? [condition] : [],
    asOf: facts.assessedOn,
  }
}

/** Of a lot without a price: only what its best use could bear is known of its value. */
const residualDecision = (facts: DecisionFacts, offer: SchemeOffer): Decision => {
  const { kind, approval, confidence, maximumOffer, maximumOfferLow, condition } = offer
  const more = largerThan(offer, facts.offers.filter(isFree))
  const upTo = (each: SchemeOffer) => `up to ${usdShort(roundedDown(each.maximumOffer))} ${schemeTable[each.kind].as}`
  const worth = `${isFree(offer) ? 'Worth' : `${onlyIf(offer)}: worth`} ${confidence === 'low' ? 'on thin evidence ' : ''}${upTo(offer)}`
  return {
    ...{ scheme: kind, approval, confidence },
    text: `${worth}${more ? `, or, on thin evidence, ${upTo(more)}` : ''}; it has no estimated value and no asking price to compare with.`,
    ...(isFree(offer) && { worthUpTo: maximumOffer, worthUpToLow: maximumOfferLow }),
    conditions: condition ? [condition] : [],
    asOf: facts.assessedOn!,
  }
}

export interface Price {
  /** The price to beat and its upper end. */
  usd: number
  high: number
  against: 'expected' | 'asking' | 'value'
  /** The price that the sentence names: never above the asking price. */
  named: number
  words: string
  /** The price to beat, also above the asking price. */
  beaten: string
}

type PriceFacts = Pick<DecisionFacts, 'status' | 'askingUsd' | 'expected' | 'value' | 'premiumPct'>

export const priceToBeat = ({ status, askingUsd, expected, value, premiumPct }: PriceFacts): Price | undefined => {
  if (isOnMarket(status) && askingUsd !== undefined) {
    const asking = { usd: askingUsd, high: askingUsd, against: 'asking' as const }
    const atAsking = { named: askingUsd, words: askingWords(askingUsd) }
    if (!expected) return { ...asking, ...atAsking, beaten: usdShort(askingUsd) }
    const beaten = { usd: expected.p50, high: expected.p90, against: 'expected' as const }
    const p50 = usdShort(expected.p50)
    return expected.p50 > askingUsd
      ? { ...beaten, ...atAsking, beaten: `${p50}, the expected price` }
      : { ...beaten, named: expected.p50, words: `the expected price of ${p50}`, beaten: p50 }
  }
  if (!value) return undefined
  const factor = 1 + premiumPct / 100
  const usd = Math.round(value.value * factor)
  const high = Math.round(value.high * factor)
  return { usd, high, against: 'value', named: usd, words: 'that price', beaten: 'that price' }
}

const reasonFor = ({ noValue, status, askingUsd }: DecisionFacts): string => {
  if (noValue) return lowerFirst(noValue.replace(/\.$/, ''))
  return isOnMarket(status) && askingUsd === undefined ? 'it has no price' : 'its value is not known'
}

type Found = SchemeOffer | undefined

const sentence = (facts: DecisionFacts, price: Price, best: Found, granted: Found): string => {
  const said = facts.isUnzoned ? unzonedSentence(facts, price, best) : useSentence(facts, price, best, granted)
  if (price.against !== 'value') return said
  const plus = facts.premiumPct > 0 ? ` (plus ${facts.premiumPct}%)` : ''
  return `If it could be bought at its estimated value of ${usdShort(facts.value!.value)}${plus}: ${lowerFirst(said)}`
}

const isNear = ({ usd }: Price, offer: Found): boolean => offer !== undefined && offer.maximumOffer >= nearShare * usd

const useSentence = (facts: DecisionFacts, price: Price, best: Found, granted: Found): string => {
  if (best && isNear(price, best)) return `${worksClause(facts, price, best)}.`
  if (granted && isNear(price, granted)) return onlyIfSentence(facts, price, granted)
  return nearestSentence(facts, price, best, granted)
}

/** "Works at the expected price of $1.36M: 18% as a new house, $140K below what it could bear" */
const worksClause = (facts: DecisionFacts, price: Price, offer: SchemeOffer): string => {
  const { as } = schemeTable[offer.kind]
  const works = offer.confidence === 'low' ? 'Works, on thin evidence, at' : 'Works at'
  const loses = offer.workLoses ? `; ${losing}` : ''
  if (offer.maximumOffer < price.usd)
    return `${works} ${orLess(facts, offer)} ${as}, ${below(facts, price, offer)}${loses}`
  const room = offer.maximumOffer - price.named
  const bearing = room < 500 ? 'as much as it could bear' : `${usdShort(room)} below what it could bear`
  const returned =
    price.named === price.usd && price.against === 'expected' ? offer.returnAtExpectedPct : offer.returnPct
  const beyond = price.named < price.usd ? `; it is expected to sell for ${usdShort(price.usd)}, more than it asks` : ''
  const mark = price.against === 'value' ? ',' : ':'
  return `${works} ${price.words}${mark} ${returned === undefined ? '' : `${Math.round(returned)}% `}${as}, ${bearing}${beyond}${loses}`
}

const losing = 'the work costs more than it adds'

/** `orLess` of a use whose work may cost more than it adds, which makes the price no figure of the work. */
const atMost = (facts: DecisionFacts, offer: SchemeOffer): string =>
  `${orLess(facts, offer)}${offer.workLoses ? ` (${losing})` : ''}`

/** Never above the asking price. Rounded down, so that the sum named still earns the target. */
const orLess = ({ askingUsd, status }: DecisionFacts, { maximumOffer }: SchemeOffer): string =>
  isOnMarket(status) && askingUsd !== undefined && maximumOffer >= askingUsd
    ? `${askingWords(askingUsd)} or less`
    : `${usdShort(roundedDown(maximumOffer))} or less`

/** To the dollar where a short form would be another price: $2,245,000 is less than $2.25M. */
const askingWords = (usd: number): string =>
  `the asking price of ${roundedDown(usd) === usd ? usdShort(usd) : dollars(usd)}`

const below = (facts: DecisionFacts, price: Price, offer: SchemeOffer): string => {
  const { askingUsd = Number.POSITIVE_INFINITY, status } = facts
  const most = isOnMarket(status) ? Math.min(offer.maximumOffer, askingUsd) : offer.maximumOffer
  const pct = Math.max(1, Math.round(100 * (1 - most / price.usd)))
  return `${pct}% below ${price.against === 'value' ? 'it' : `the ${price.against} price`}`
}

const onlyIfSentence = (facts: DecisionFacts, price: Price, offer: SchemeOffer): string => {
  const noun = `${offer.confidence === 'low' ? 'on thin evidence ' : ''}${schemeTable[offer.kind].noun}`
  const would =
    offer.maximumOffer >= price.usd
      ? `${noun} would then earn its target at ${price.words}`
      : `${noun} would then work at ${orLess(facts, offer)}, ${below(facts, price, offer)}`
  const open = facts.offers.filter((each) => each.kind === 'rent' || isFree(each))
  const now = largest(open, (each) => each.maximumOffer)
  const thus = !isNear(price, now)
    ? 'no use does'
    : now!.kind === 'rent'
      ? 'only renting it out does'
      : 'no use does with enough evidence'
  return `${onlyIf(offer)}: ${would}${offer.workLoses ? `; ${losing}` : ''}. Without that, ${thus}.`
}

/** The first sentence of a condition that begins so; what a law says of other things is no condition of the sentence. */
const onlyIf = ({ condition, approval }: SchemeOffer): string =>
  /^Only if .*?(?=\.( |$))/.exec(condition?.text ?? '')?.[0] ??
  (approval === 'discretionary' ? 'Only if it is approved' : 'Only if its conditions are met')

/** Names the use that the figures are of, and the one that could bear more on thin evidence, by approval or by renting. */
const nearestSentence = (facts: DecisionFacts, price: Price, best: Found, granted: Found): string => {
  const lead = [best, granted].find((each) => each && each.maximumOffer >= 1_000)
  const more = largerThan(lead, facts.offers)
  const noUse = (how = '') => `No use we can compute ${how}earns its target near ${price.beaten}`
  if (!lead && !more) return `${noUse()}.`
  const marksOf = (offer: SchemeOffer): string =>
    [
      offer.confidence === 'low' && offer.kind !== 'rent' ? 'on thin evidence' : '',
      isFree(offer) || offer.kind === 'rent' ? '' : lowerFirst(onlyIf(offer)),
    ]
      .filter((mark) => mark !== '')
      .join(' and ')
  const nearest = (offer: SchemeOffer, named = atMost): string => {
    const marks = marksOf(offer)
    return `${marks && `, ${marks},`} ${schemeTable[offer.kind].noun}, at ${named(facts, offer)}`
  }
  if (!more || !isNear(price, more)) {
    if (lead?.workLoses && more?.workLoses)
      return `${noUse()}; the nearest is${nearest(lead, orLess)}, or${nearest(more, orLess)}; in both, ${losing}.`
    const or = lead && more ? `, or${nearest(more)}` : ''
    return `${noUse()}; the nearest is${nearest((lead ?? more)!)}${or}.`
  }
  const how =
    more.kind === 'rent' ? 'by building or selling ' : more.confidence === 'low' ? 'with enough evidence ' : ''
  const marks = marksOf(more)
  const would = `${marks && `${marks} `}${schemeTable[more.kind].noun} would, at ${atMost(facts, more)}`
  return `${noUse(how)}; ${lead ? `the nearest is${nearest(lead)}; ` : ''}${would}.`
}

/** Without keeping a home, which has no target, and uses that the law does not clearly allow. */
const largerThan = (lead: Found, offers: readonly SchemeOffer[]): Found =>
  largest(
    offers.filter(
      (each) =>
        (each.kind === 'rent' || isSpoken(each)) && each.maximumOffer >= Math.max(1_000, (lead?.maximumOffer ?? 0) + 1),
    ),
    ({ maximumOffer }) => maximumOffer,
  )

const unzonedSentence = (facts: DecisionFacts, price: Price, best: Found): string => {
  const isOther = best !== undefined && best.kind !== 'renovate'
  const intro = `No zoning rules are known here, so ${isOther ? 'a new house is' : 'new buildings are'} not computed`
  const said = isOther
    ? best
    : ['renovate', 'rent'].flatMap((kind) => facts.offers.find((each) => each.kind === kind) ?? [])[0]
  return said ? `${intro}; ${useClause(facts, price, said)}.` : `${intro}.`
}

const useClause = (facts: DecisionFacts, price: Price, offer: SchemeOffer): string => {
  const { doing } = schemeTable[offer.kind]
  if (isNear(price, offer)) return lowerFirst(worksClause(facts, price, offer))
  const only = offer.confidence === 'low' && offer.kind !== 'rent' ? 'only, on thin evidence,' : 'only'
  const most = offer.maximumOffer >= 1_000 ? `, ${only} at ${atMost(facts, offer)}` : ''
  return `${doing} does not earn its target near ${price.named < price.usd ? price.beaten : price.words}${most}`
}

const lowerFirst = (text: string): string => `${text[0]!.toLowerCase()}${text.slice(1)}`
