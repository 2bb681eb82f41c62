// Decides whether a permit builds a house for one family or several dwellings (apartments, townhouses, duplexes), and by which
// words. Additions, accessory structures, tenant work and trade work "for a new house" are neither.
import { accessoryUnit } from './permit-accessory-unit.ts'
import { anyOf, anyWord, type ClassifiedPermit, classified, inOrder, matched } from './permit-pattern.ts'
import { systemFirst, systemWork } from './permit-systems.ts'
import { accessory, besideHouse, business, house, part, repairs, rooms, several } from './permit-words.ts'

/** A new house the description names: "construct new two-story residence". */
export const newHouseIn = (type: string, scope: string): ClassifiedPermit | undefined => {
  if (otherWork.test(type) || systemFirst.test(scope) || (smallerWork.test(type) && !/\b(?:new|erect)\b/.test(type)))
    return undefined
  for (const verb of scope.matchAll(builds)) {
    const before = scope.slice(0, verb.index)
    const after = scope.slice(verb.index + verb[0].length)
    const named = houseNoun.exec(after)
    const end = named && named.index + named[0].length
    if (!end || otherObject.test(after.slice(0, end)) || isForAnother(before) || notTheHouse.test(after.slice(end)))
      continue
    const sentence = after.slice(named.index).split(/\.\s/)[0]
    return severalOrShops.test(`${type} ${after.slice(0, named.index)}${sentence}`) || isTall(named[0], scope)
      ? undefined
      : classified('new_house', verb[0], named[0])
  }
  return matched(
    'new_house',
    /\bnew home construction\b/.exec(scope) ??
      (oneFamily.test(type) ? /^new(?=( construction| build)?\.?$)/.exec(scope) : null),
  )
}

/** A new house by the project type ("SFD", "Residential - New / Single Family Residence"), unless the description differs. */
export const newHouseByType = (type: string, scope: string): ClassifiedPermit | undefined => {
  const word = typeWord.exec(type)
  if (!word || otherWork.test(type) || notHouseType.test(type.replace(besidesHouse, ''))) return undefined
  const isOneFamily = oneFamily.test(type)
  if (smallerWork.test(type) || severalOrShops.test(type) || systemFirst.test(scope)) return undefined
  if ((isOneFamily ? severalHomes : severalOrShops).test(scope)) return undefined
  const named = firstNamed.exec(scope)
  if (named?.groups?.house && !isOneFamily && isTall(named.groups.house, scope)) return undefined
  // "SFD with attached ADU" is a house; "ADU behind SFD" is not.
  const unit = accessoryUnit.exec(scope)
  if (unit && !(named?.groups?.house && named.index < unit.index)) return undefined
  // "3,400 sq ft of living area, 570 sq ft garage" describes a house; "detached garage" does not.
  const isKind = word.groups?.kind !== undefined && !/\bnew\b/.test(type)
  const described = isKind ? wholeHouse.exec(scope) : (livingArea.exec(scope) ?? houseParts.exec(scope))
  if (named?.groups?.other && !(isOneFamily && (named.index > 60 || livingArea.test(scope)))) return undefined
  const isHouse = named?.groups?.house !== undefined && !isExisting.test(scope)
  // Without "new", a type like "Single Family Dwelling" may be the kind of property only: "new roof" builds no house.
  if (!/\bnew\b/.test(type) && scope !== '') {
    const isHouseType = !isKind && (isHouse || /\b(?:construct|build|erect)\b/.test(scope))
    if (repairWork.test(scope) || !(isHouseType || described)) return undefined
  }
  // "New construction": 4 sinks and a water heater.
  if (systemWork.test(scope) && !isHouse && (!described || !isOneFamily)) return undefined
  return isOneFamily || isHouse || /\bresidential\b/.test(type) ? classified('new_house', word[0]) : undefined
}
/** "New dwelling & detached garage". */
const besidesHouse = /(?<=\b(?:dwelling|house|home|residence) ?)(?:&|\+|and\b|with\b|w\/).*$/
/** "4 bedroom", "2-story", "lot 12 plan B": the usual description of a new house. */
const houseParts = anyWord`bed ?rooms?|br|[0-9]-?bd|stor(y|ies)|framing|foundation|slab|(lot|plan) [0-9a-z]+|model|production|tract`
/** What describes a house and no room: "living area", "4 bedrooms", but not "living room" or "bedroom lights". */
const wholeHouse = anyWord`
  living area|([0-9]+|one|two)[- ]?(bed ?rooms?|br|bd|stor(y|ies))|(lot|plan) [0-9a-z]+|model|production|tract
`
const repairWork = anyWord`
  repairs?|replac\w+|remodel\w*|alter\w*|renovat\w*|re-?roof\w*|windows?|upgrade|convert\w*|damage\w*|finish(ing)?
`
const severalHomes = anyWord`
  town ?-?(house|home)s?|condo(minium)?s?|apartments?|triplex|four ?plex|mixed[- ]use|retail|([3-9]|[1-9][0-9]+)[- ]?(family|units)
  ^(new |construction |[a-z0-9-]+ story |fra?me? )*duplex
`
const severalOrShops = anyWord`${several}|mixed[- ]use|retail|commercial`
const livingArea = /\b(?:living|heated|conditioned)\b/

/** Types of buildings that are not houses, and of other work. */
const otherWork = anyWord`
  commercial|non-?residential|multi ?-?family|tenant|occupancy|change|moving|other than|non-?(building|house\w*)
  institution(s|al)?|(nursing|group|care|funeral) homes?|manufacturing|industrial|hotels?|(assisted|senior) living
`
const smallerWork = anyWord`additions?|${repairs}|improvement|accessory|maintenance`

const builds = new RegExp(
  anyOf`
    \b(new|construct(ing|ion of)?|build(?!ing)|erect(ing|ion of)?|proposed)(?![a-z])|\(n\)
    \b(install|placement|place|set)(?= (an? |of |new )*(manufactured|modular|prefab\w*) home)
    \breplacement(?= (single family )?(dwelling|house|home|residence)( (on|with|after)\b|[,.;(]|$))
  `,
  'g',
)
const houseNoun = new RegExp(inOrder`
  \b(${house}|(single|one|1) (dwelling|residential) units?(?= (building|house)| ?[.,;]| ?$))(?![a-z])
`)

/** "Residence building, 5 stories"; "4-story single family dwelling" is a house. */
const isTall = (named: string, scope: string): boolean =>
  !/famil|s\.?f\.?[drh]/.test(named) &&
  /\b(?:[4-9]|[1-9][0-9]|four|five|six|seven|eight|nine|ten)\)?[- ]*stor(?:y|ies)\b/.test(scope) &&
  !/\b(?:single|one|1)\)?[- ](?:famil|(?:dwelling|residential|unit)\b)/.test(scope)

/** Words between "new" and "house" that name another object. */
const otherObject = new RegExp(anyOf`
  \.\s|\(e\)|\bw/
  \b(existing|exist|extg|ext|the|additions?|add|replace\w*|remodel|to|for|at|in|on|from|behind|inside|within|under|onto|with)(?![a-z])
  \b(second(ary)?|2nd|guest|auxiliary|companion|granny|d?adu|(?<!dwelling )units|${accessory}|${business}|${part})(?![a-z])
`)
/** "Single family residence addition", "house garage": the house is not what is built. */
const notTheHouse = new RegExp(anyOf`
  ^[ -]*((?!and |with |[0-9])\w+ )?(additions?|remodel\w*|alterations?|renovation|repairs?|${rooms}|${part})(?![a-z])(?<!,.*)
  ^ (accessory|garages?|carports?|decks?|sheds?|sales|office|trailer)\b|^ units?\b(?! building| ?[.,;]| ?$)
`)
/** "Fire sprinklers for new residence" is trade work; "permit for new residence" is not. */
const isForAnother = (before: string): boolean => {
  const sentence = before.split(/\.\s|,| and (?!the\b)/).at(-1)!
  return (
    /\b(for|serving|at|in|on|to|of|into)( an?| the| one)* $/.test(sentence) &&
    (otherThing.test(sentence) || /\bpart of\b/.test(sentence))
  )
}
const otherThing = new RegExp(`${systemWork.source}|\\b(?:${accessory}|${part})\\b`)

const typeWord = new RegExp(anyOf`
  \bs\.?f\.?[dr]\b|\bnew\b|\bsingle[- ]?family dwelling\b
  ^(?<kind>single[- ]family|(manufactured|modular) home)(?=( (detached|home|house|res\w*))?($|,| / ))
`)
const oneFamily = /\b(s\.?f\.?[dr]\b|(single|one|1) ?-?family|houses?|homes?|residences?|single[- ]dwelling)/
const isExisting =
  /(\bexisting|\bexist\.?|\(e\)) ([a-z0-9-]+ ){0,3}?(house|home|residen|dwelling|sf[dr]|single|one|building|structure|duplex)/
const notHouseType = new RegExp(`\\b(?:${besideHouse})(?![a-z])`)
/** The first thing a description names: the house, or something smaller. */
const firstNamed = new RegExp(inOrder`
  \b(
  (?<house>(?<!\b(of|to|at|for|behind|existing|existing mobile) (the )?)(${house})|(one|1) (dwelling )?unit
  |modular(?! class| office| building))
  |(?<other>${anyOf`
    additions?|add(ing)?(?![a-z])|adu|remodel\w*|renovat\w*|alterations?|legaliz\w+|convert\w*|repair\w*|revis\w+|tenant
    walls?|steps|stairs?|ramp|court|kiosk|pavilion|clubhouse|amenity|(storage|utility|metal|pole|farm|office) (building|structure)
    (?<!\b(with|w/) ?(an? |attached |[0-9]-?car )*)(${accessory})
  `})
  )(?![a-z])
`)

/** The words that make the permit a new building with several dwellings. */
export const multifamilyIn = (type: string, scope: string): string | undefined => {
  if (otherType.test(type) || existingBuilding.test(scope)) return undefined
  const isNew = newWork.test(type) || newWork.test(scope)
  const inScope = severalDwellings.exec(scope)
  if (inScope && isNew) return inScope[0]
  const inType = severalDwellings.exec(type)
  return inType && !repairWork.test(scope) && (isNew || inScope) ? inType[0] : undefined
}

export const severalDwellings = new RegExp(`\\b${several}(?![a-z])`)
const newWork =
  /\b(?:new|construct(?:ing|ion of)?|erect(?:ing|ion of)?|build)\b(?! (?:permit|roof|windows?|doors?))|\(n\)/
const otherType = anyWord`additions?|${repairs}|improvement|tenant|accessory|maintenance|demo\w*|change`
/** Work on or inside a building that stands, or on its site. */
const existingBuilding = new RegExp(anyOf`
  \b(existing|exist\.?|extg)(?![a-z])(?! (lot|vacant|site|parking|retaining|tree|grade|curb|driveway|address))
  \(e\)|\badditions? (to|at|on|above|over)\b|\b(convert\w*|conversion|legali[sz]\w*|remodel\w*|renovat\w*|re-?roof\w*|retrofit\w*|tenant)\b
  \b(hvac|shoring|crane|hotel|motel|hostel|storage units?|mag ?locks?|foundation only)\b
  ^(new |construct )?(foundation|excavation|deck|sign|fence)\b
`)
