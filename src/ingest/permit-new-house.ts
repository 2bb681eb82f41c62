// Decides whether a permit builds a house for one family. Additions, accessory structures, tenant work, several dwellings
// and trade work "for a new house" are not new houses.
import { accessoryUnit } from './permit-accessory-unit.ts'
import { anyOf, anyWord, inOrder } from './permit-pattern.ts'
import { systemFirst, systemWork } from './permit-systems.ts'
import { accessory, besideHouse, business, house, part, repairs, rooms, severalFamilies } from './permit-words.ts'

export interface NewHouse {
  words: readonly string[]
}

export const isNewHouse = (held: NewHouse | 'no'): held is NewHouse => held !== 'no'

/** A new house the description names: "construct new two-story residence". */
export const newHouseIn = (type: string, scope: string): NewHouse | undefined => {
  if (otherWork.test(type) || systemFirst.test(scope) || (smallerWork.test(type) && !/\b(?:new|erect)\b/.test(type)))
    return undefined
  for (const verb of scope.matchAll(builds)) {
    const after = scope.slice(verb.index + verb[0].length)
    const named = houseNoun.exec(after)
    if (!named || !isPlain(after.slice(0, named.index))) continue
    if (smallHouse.test(after.slice(0, named.index + named[0].length))) continue
    if (notTheHouse.test(after.slice(named.index + named[0].length))) continue
    if (named[0].startsWith('residential') && otherResidence.test(scope)) return undefined
    if (isTall(named[0], scope)) return undefined
    if (isForAnother(verb[0], scope.slice(0, verb.index))) continue
    const sentence = after.slice(0, sentenceEnd(after, named.index))
    if (severalFamilies.test(`${type} ${sentence}`) || severalFamilies.test(scope.slice(0, verb.index)))
      return undefined
    return { words: [verb[0], named[0]] }
  }
  if (/^new(?: construction| build)?\.?$/.test(scope) && oneFamily.test(type)) return { words: ['new'] }
  const turned = /\bnew home construction\b/.exec(scope) ?? usedAsHouse(scope)
  return turned ? { words: [turned[0]] } : undefined
}

/** "Erection of a structure for use as a single family dwelling". */
const usedAsHouse = (scope: string) =>
  /\b(?:erect|construct)/.test(scope) && !isExisting.test(scope) && !severalFamilies.test(scope)
    ? useAsHouse.exec(scope)
    : undefined
const useAsHouse = /\b(?:for use|to be used) as (?:an? |one )?(?:s\.?f\.?[dr]\b|(?:single|one|1)[- ]family)/

/** A new house by the project type ("SFD", "Residential - New / Single Family Residence"), unless the description differs. */
export const newHouseByType = (type: string, scope: string): NewHouse | 'no' | undefined => {
  const word = typeWord.exec(type)
  if (!word || otherWork.test(type) || accessoryNoun.test(type.replace(besidesHouse, ''))) return undefined
  const isOneFamily = oneFamily.test(type)
  if (smallerWork.test(type) || severalFamilies.test(type)) return 'no'
  if (isOneFamily ? severalHomes.test(scope) : severalFamilies.test(scope)) return 'no'
  if (systemFirst.test(scope) || (temporaryPower.test(scope) && !livingArea.test(scope))) return 'no'
  const named = firstNamed.exec(scope)
  if (named?.groups?.house?.startsWith('residential') && otherResidence.test(scope)) return 'no'
  if (named?.groups?.house && !isOneFamily && isTall(named.groups.house, scope)) return 'no'
  // "SFD with attached ADU" is a house; "ADU behind SFD" is not.
  const unit = accessoryUnit.exec(scope)
  if (unit && !(named?.groups?.house && named.index < unit.index)) return 'no'
  // "3,400 sq ft of living area, 570 sq ft garage" describes a house; "detached garage" does not.
  if (named?.groups?.other && !(isOneFamily && (named.index > 60 || livingArea.test(scope)))) return 'no'
  const isHouse = named?.groups?.house !== undefined && !isExisting.test(scope)
  const area = livingArea.exec(scope)
  // Without "new", a type like "Single Family Dwelling" may be the kind of property only.
  if (!/\bnew\b/.test(type) && scope !== '' && !isHouse && !area && !houseParts.test(scope) && !built.test(scope))
    return 'no'
  // "New construction": 4 sinks and a water heater.
  if (systemWork.test(scope) && !isHouse && !area && !houseParts.test(scope)) return 'no'
  if (!/\bnew\b/.test(type) && repairWork.test(scope)) return 'no'
  if (isOneFamily || isHouse) return { words: [word[0]] }
  if (!/\bresidential\b/.test(type) || nonHouse.test(scope) || systemWork.test(scope)) return 'no'
  return { words: area ? [word[0], area[0]] : [word[0]] }
}
/** "New dwelling & detached garage". */
const besidesHouse = /(?<=\b(?:dwelling|house|home|residence) ?)(?:&|\+|and\b|with\b|w\/).*$/
const temporaryPower = /\btemp(?:orary)?\.? (?:power|pole|post|electric\w*)\b/
/** "4 bedroom", "2-story", "lot 12 plan B": the usual description of a new house. */
const houseParts = anyWord`
  bed ?rooms?|br|[0-9]-?bd|stor(y|ies)|framing|foundation|slab
  lot [0-9]+|plan [0-9a-z]+|model|master plan|production|tract
`
const built = anyWord`new|construct|build|erect`
export const repairWork = anyWord`
  repairs?|replac\w+|remodel\w*|alter\w*|renovat\w*|re-?roof\w*|windows?|upgrade|convert\w*|damage\w*
`
const nonHouse = new RegExp(inOrder`
  \b${anyOf`
    (storage|utility|metal|pole|farm|agricultural|office|pre-?fab\w*) (building|structure)
    walls?|steps|stairs?|ramp|court|kiosk|pavilion|clubhouse|amenity|lift
  `}\b(?! permit)
`)
const smallHouse = new RegExp(`\\b(?:${accessory})(?![a-z])$`)
const severalHomes = anyWord`
  town ?-?(house|home)s?|condo(minium)?s?|apartments?|triplex|four ?plex|mixed[- ]use|retail
  ([3-9]|[1-9][0-9]+)[- ]?(family|units)
`
const livingArea = /\b(living|heated|conditioned)( (and|&) cooled)?( (area|space|sq|square|sf))?\b/

/** Types of buildings that are not houses, and of other work. */
const otherWork = anyWord`
  commercial|non-?residential|multi ?-?family|tenant|occupancy|change|moving|other than
`
const smallerWork = anyWord`additions?|${repairs}|improvement|accessory|maintenance`

const builds = new RegExp(
  anyOf`
    \b(new|construct(ing|ion of)?|build(?!ing)|erect(ing|ion of)?|proposed)(?![a-z])
    \(n\)
    \b(install|placement|place|set)(?= (an? |of |new )*(manufactured|modular|prefab\w*) home)
    \breplacement(?= (single family )?(dwelling|house|home|residence)( (on|with|after)\b|[,.;(]|$))
  `,
  'g',
)
const houseNoun = new RegExp(inOrder`
  \b(${house}|(single|one|1) (dwelling|residential) units?(?= (building|house)| ?[.,;]| ?$))(?![a-z])
`)
/** "Hotel/residential building", "residential building of type R-2". */
const otherResidence = anyWord`r-[12]|hotel|hostel|dormitory|senior|assisted|mercantile|office|child ?care`

/** "Residence building, 5 stories"; "4-story single family dwelling" is a house. */
const isTall = (named: string, scope: string): boolean =>
  !/famil|s\.?f\.?[drh]/.test(named) && manyStories.test(scope) && !oneDwelling.test(scope)
const oneDwelling = /\b(?:single|one|1)\)?[- ](?:famil|(?:dwelling|residential|unit)\b)/
const manyStories = anyWord`([4-9]|[1-9][0-9]|four|five|six|seven|eight|nine|ten)\)?[- ]*stor(y|ies)`

/** Words between "new" and "house" that keep the sense; anything else names another object. */
const isPlain = (between: string): boolean => {
  if (otherObject.test(between)) return false
  const unknown = between
    .replace(/[^a-z\s]/g, ' ')
    .split(/\s+/)
    .filter((word) => word.length > 1 && !plain.test(word))
  return unknown.length <= 2
}
const otherObject = new RegExp(anyOf`
  \.\s|\(e\)|\bw/
  \b(existing|exist|extg|ext|the|additions?|add|replace\w*|remodel|attached to)(?![a-z])
  \b(to|for|at|in|on|from|behind|inside|within|under|onto|with)(?![a-z])
  \b(second(ary)?|2nd|guest|auxiliary|companion|granny|d?adu|units)(?![a-z])
  \b(${accessory}|${business}|${part})(?![a-z])
`)
const plain = new RegExp(inOrder`
  ^${anyOf`
    an?|one|two|three|four|five|no|of|and|over|each|first|total|approx\w*|new|proposed|main|primary|private
    story|stories|storey|storied|stry|sty|st|level|levels|floors?|split|basement|crawl|space|foot|high|tall
    bed|beds|bedrooms?|baths?|br|ba|sq|ft|sqft|sf|square|living|heated|conditioned|area
    wood|frame|framed|brick|masonry|stucco|stone|steel|type|vb|va|ii|iii|iv
    modular|prefab\w*|manufactured|manufacturer|mobile|double|wide|custom|spec|detached|attached
    single|family|residential|resid|construction|building|unit|lot
  `}$
`)
/** "Single family residence addition", "house garage": the house is not what is built. */
const notTheHouse = new RegExp(anyOf`
  ^[ -]*((?!and |with |[0-9])\w+ )?(additions?|remodel\w*|alterations?|renovation|repairs?|${rooms}|${part})(?![a-z])(?<!,.*)
  ^ (accessory|garages?|carports?|decks?|sheds?|sales|office|trailer)\b
  ^ units?\b(?! building| ?[.,;]| ?$)
`)
/** "Fire sprinklers for new residence" is trade work; "permit for new residence" is not. */
const isForAnother = (verb: string, before: string): boolean => {
  if (!/\b(new|proposed|construction of|erection of)$/.test(verb) && verb !== '(n)') return false
  const sentence = before.split(/\.\s|,| and (?!the\b)/).at(-1)!
  if (!/\b(for|serving|at|in|on|to|of|into)( an?| the| one)* $/.test(sentence)) return false
  const left = sentence.replace(permitWords, '')
  return left.length > 0
}
const permitWords = new RegExp(
  anyOf`
    \b(permits?|application|plans?|plan check|proposal|proposed|request|requesting|obtain|phase|work|scope|project|consists)\b
    \b(building|bldg|residential|construction|construct|build|demo\w*|new|site|lot)\b
    \b(to|for|of|in|on|at|a|an|the|and|is|one)\b
    [^a-z]
  `,
  'g',
)
const sentenceEnd = (text: string, from: number): number => {
  const end = /\.\s/.exec(text.slice(from))
  return end ? from + end.index : text.length
}

const typeWord = /\bs\.?f\.?[dr]\b|\bnew\b|\bsingle[- ]?family dwelling\b/
const oneFamily = /\b(s\.?f\.?[dr]\b|(single|one|1) ?-?family|houses?|homes?|residences?|single[- ]dwelling)/
const isExisting = new RegExp(inOrder`
  (\bexisting|\bexist\.?|\(e\)) ([a-z0-9-]+ ){0,3}?
  (house|home|residen|dwelling|sf[dr]|single|one|building|bldg|structure|duplex)
`)
const accessoryNoun = new RegExp(`\\b(?:${besideHouse})(?![a-z])`)
/** The first thing a description names: the house, or something smaller. */
const firstNamed = new RegExp(inOrder`
  \b(
  (?<house>(?<!\b(of|to|at|for|behind|existing) (the )?)(${house})|(one|1) (dwelling )?unit|modular(?! class| office| building))
  |(?<other>${anyOf`
    additions?|add(ing)?(?![a-z])|adu|remodel\w*|renovat\w*|alterations?|legaliz\w+|convert\w*|repair\w*|revis\w+|tenant
    (?<!\b(with|w/) ?(an? |attached |[0-9]-?car )*)(${accessory})
  `})
  )(?![a-z])
`)
