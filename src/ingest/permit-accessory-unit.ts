// Accessory dwelling units: a second, smaller dwelling on the lot of a house, or a dwelling added to an existing building.
import { repairWork } from './permit-new-house.ts'
import { anyOf, anyWord, inOrder } from './permit-pattern.ts'
import { systemWork } from './permit-systems.ts'
import { accessory, part } from './permit-words.ts'

const dwelling = 'dwell?ings?(?: units?)?'
const accessoryNoun = anyOf`
  dwg units?|${dwelling}|apartments?|residential units?|living (units?|quarters|space)
  residences?|suites?|cottages?|units?(?! building)
`
/** Names of an accessory unit. */
export const accessoryUnit = new RegExp(inOrder`
  \b${anyOf`
    [adj]?-?adus?|a\.d\.u\.?
    (junior |detached |attached )*(acces?s?ory|auxiliary|ancillary|companion) (detached |attached )?${accessoryNoun}
    (second(ary)?|2nd) (dwell?ings?|living|residential|legal)( units?)?
    second(ary)? (units?|suites?|residences?|apartments?)|2nd (units?|suites?)
    addition(al)? (dwell?ing|living|residential) units?
    dwell?ing units? accessory
    ohana (dwell?ings?|units?)( units?)?
    granny (flat|unit|cottage|house)
    (mother[- ]?)?in[- ]?law (units?|apartments?|apts?|suites?|quarters|cottages?|flats?|house|${dwelling})
    guest ?-?(house|cottage|(living )?quarters)
    casita|(carriage|coach) ?house|backyard (cottage|house|home|unit)|lane ?way (house|home|suite)|rear (cottage|dwelling unit)
    garage apartment
    garage (w/|with) (an? |new |studio |(second|2nd|upper) (story|floor|level) )*(apartment|apt|dwelling( units?)?|living (quarters|units?))
    (apartment|apt|dwelling unit|living unit|quarters) (over|above) (the |new |existing |detached |attached )*garage
  `}
  (?![a-z])
`)

/** The words that make the described work an accessory unit. */
export const accessoryUnitIn = (type: string, scope: string): string | undefined => {
  if (landDivision.test(scope) || (revision.test(scope) && !revisedUnit.test(scope))) return undefined
  for (const named of scope.matchAll(new RegExp(accessoryUnit.source, 'g'))) {
    // "2 d.u. frame coach house": a short word with a period is an abbreviation.
    const before = scope
      .slice(0, named.index)
      .split(/(?<=[a-z0-9)]{4})\.\s/)
      .at(-1)!
    if (isOnlyServed(named[0], before, scope.slice(named.index + named[0].length), scope)) continue
    if (named[0].startsWith('addition') && largeBuilding.test(scope)) continue
    // "2nd unit" alone may be an air conditioner.
    if (/^(?:second|2nd) units?$/.test(named[0]) && equipment.test(scope)) continue
    return named[0]
  }
  if (otherBuilding.test(type) || severalOwners.test(scope)) return undefined
  // "Add 2 units for a total of 16".
  const ownUnits = scope.replace(/\bfor (?:an? )?(?:[a-z]+ )?total of\b/g, ';')
  const added = unitAdded.exec(ownUnits) ?? unitInside.exec(ownUnits)
  if (!added || [equipment, manyUnits, intoExistingUnit, otherResult].some((not) => not.test(added[0])))
    return undefined
  const beforeAdded = ownUnits.slice(0, added.index)
  if (isReduced(added[0]) || givenUp.test(beforeAdded)) return undefined
  // "17 new dwelling units on the ground floor".
  if (/\bunits\b/.test(added[0]) && /(?<![-#0-9])\b(?:[5-9]|[1-9][0-9]+)\)? $/.test(beforeAdded)) return undefined
  if (largeBuilding.test(scope) || /\bdeconver/.test(scope)) return undefined
  const larger = enlargement.exec(scope)
  return larger && larger.index <= added.index ? undefined : added[0]
}
const otherBuilding = anyWord`new (construction|building)|commercial|retail|office|industrial|institutional`
/** "Discontinue use of basement as dwelling unit". */
const givenUp = new RegExp(anyOf`
  \b(discontinu|abandon|ceas|eliminat)[a-z]*[^.;]{0,30}$
  \bremov[a-z]*( of)? (the |an? )*illegal[^.;]{0,20}$
`)
/** "Convert from 3 to 2 units". */
const isReduced = (words: string): boolean => {
  const counts = fromTo.exec(words)
  return counts !== null && countOf(counts.groups!.to!) <= countOf(counts.groups!.from!)
}
const numbers = ['one', 'two', 'three', 'four', 'five', 'six']
const number = `[1-9]|${numbers.join('|')}`
const fromTo = new RegExp(inOrder`
  \b(?<from>${number})\b[ ()0-9-]*
  ((dwelling|residential|apartments?|family|legal|units?|flats?|building|residence) ?)*
  (in)?to \(?(?<to>${number})\b
`)
const countOf = (word: string): number => Number(word) || numbers.indexOf(word) + 1
/** "Short plat into two unit lots (house and ADU)" divides land. */
const landDivision = new RegExp(inOrder`
  ^[^.;]{0,40}
  \b(short plat|(short|unit lot) subdivision|subdivi(de|sion (to|into|of))|lot (line|boundary) adjust\w*)\b
`)
/** "Revision to permit 123, ADU: new footings" changes plans; "revision to add an ADU" adds it. */
const revision =
  /^(?:[^a-z]*|[^.;]{0,30}\b(?=[a-z]+ (?:to|of)\b))(?:revis\w+|rev|amend\w*|addendum|reinstat\w+|renew\w*)\b/
const revisedUnit = /\b(?:add|creat|convert|legali[sz])/
/** "Vertical addition for two units" enlarges the building first of all; a unit that is named as accessory still decides. */
const ordinal = '(?:second|third|fourth|[2-9](?:nd|rd|th))'
const enlargement = new RegExp(anyOf`
  ${inOrder`
    \b(vertical|horizontal|rear|side|front|[0-9][- ]?stor[a-z]*|${ordinal} (stor[a-z]*|fl[a-z]*)|(remodel|renovation)[a-z]* (and|&))\b
    [ .,/]*((and|&|vertical|horizontal|horizontial|rear|side|yard) ?)*
    (additions?|expansion|extension)\b
  `}
  \badd (an? |new )?${ordinal} (stor|fl)|\bconstruct (an? )?additions?\b
`)

/**
 * The new house itself is the accessory unit: "single family dwelling in rear of existing property, ADU", "construct one-family
 * dwelling (DADU)", "allow an accessory dwelling unit. Construct one-family dwelling".
 */
export const houseAsUnit = (scope: string): string | undefined => {
  const named = behindHouse.test(scope) && aduAlone.exec(scope)
  return (named || inBrackets.exec(scope) || builtFirst.exec(scope))?.groups!.unit
}
const behindHouse = /\b(?:rear|back|behind) (?:of )?(?:the |an? )*(?:existing|\(e\)|main|primary|house|residence)/
const aduAlone = new RegExp(inOrder`
  (?<!\b(with|w/|and|plus|&|including) (an? |one |attached |detached |new )*)
  (?<unit>\bd?adu\b|\baccessory dwelling)
`)
const inBrackets = new RegExp(inOrder`
  ^[^.;()[]*\b(dwelling|residence|house)\b( to the [a-z]+)?[ ]
  [([](?<unit>[ad]?adu\b|(detached |attached )*accessory dwelling unit)
`)
const builtFirst = new RegExp(inOrder`
  ^(allow|construct|build|erect|add|new)( (an?|the|new|one|north|south|east|west|middle|n|s|e|w|ne|nw|se|sw))*[ ]
  (?<unit>${accessoryUnit.source})
  (?![^.;(]*\b(and|plus|with|&) [^.;(]*(house|home|residence|dwelling))
`)

/** "Re-roof ADU", "electrical for existing ADU", "repair porch of coach house": the unit is where the work is done. */
const isOnlyServed = (name: string, before: string, after: string, scope: string): boolean => {
  if (/\binto (?:an? |new |\(n\) )*$/.test(before)) return false
  if (/\bdeconver/.test(before) || ofHouse.test(before)) return true
  // "Convert coach house into garage", "change the use of an ADU to a house".
  if (
    /\b(?:convert\w*|chang\w+) (?:the |an? |use |of |from |existing |rear |\(e\) )*$/.test(before) &&
    /^(?: units?)? (?:in)?to\b/.test(after)
  )
    return true
  if (/^[ ,:-]*(?:conversion|legalization|addition|construction)/.test(after)) return false
  if (
    /^ (?:deed|restriction|covenant|agreement|permit ?#|(?:sub-?)?panels?\b|meters?\b|roof\b)/.test(after) ||
    forUnit.test(before)
  )
    return true
  // "Floors of 1st and 2nd dwelling unit".
  if (/\b(?:1st|first|one)(?: floor)? ?(?:and|&|,) ?$/.test(before)) return true
  const object = before.split(buildsUnit).at(-1)!
  if (existingUnit.test(object) && !/\b(?:conver|legali|chang)/.test(before)) return true
  if (/house|cottage|casita|quarters/.test(name)) return !isBuilt(before, object, after, scope)
  // "Add 100 amp service for an ADU", "ADU: bath fan and range vent".
  if (otherWork.test(object) && /\b(?:for|serving|between|from) (?:an? |the |new |rear |detached )*$/.test(object))
    return true
  if (buildsUnit.test(before)) return false
  if (/^[ :-]*(?:existing )?(?:plumbing|electric|wiring|service|bath fan|mini|hvac|re-?roof|sewer|solar)/.test(after))
    return true
  return (
    (otherWork.test(before) &&
      /\b(?:for|in|at|on|to|of|serving|within|inside|from|under|above|behind|and|with)\b/.test(before)) ||
    /(?:^|\. )(?:re-?roof|remodel|repair|replace|rewire|solar|demo\w*|remove)[a-z]* (?:of |the |an? |rear |detached )*$/.test(
      before,
    )
  )
}
/** "Alterations of a house with an ADU", "1 primary dwelling unit and 1 secondary suite": the unit belongs to the house. */
const ofHouse = new RegExp(anyOf`
  (?<!\b(construct|erect)ion )\bof an? ([a-z0-9.-]+ ){0,5}(dwelling|duplex|house|residence|home) with (an? |one |1 )?$
  \b(primary|principal) dwelling( units?)?,?( and| with| &)? (an? |one |[0-9]+ )?$
`)
/** "Demo garage for new ADU": the unit is the reason. */
const forUnit =
  /(?:^|\. )demo\w*\b[^.;]{0,40}\bfor (?:an? |new |detached |attached |future |[0-9]+ ?s[qf][ .ft]*|\((?:n\) )?)*$/
/** A house or cottage behind the main house often stands already: it must be the object of the work, as in "new coach house". */
const isBuilt = (before: string, object: string, after: string, scope: string): boolean => {
  if (smallerPart.test(after)) return false
  const isObject = !otherWork.test(object) && !place.test(object.replace(/^ of\b/, ''))
  if (object !== before) return isObject || becomes.test(before)
  return (
    before.split(/[ ,/]+/).every((word) => describing.test(word)) &&
    !repairWork.test(scope) &&
    !systemWork.test(scope.slice(0, 100))
  )
}
/** One word that describes a small house, or nothing. */
const describing = new RegExp(inOrder`
  ^([0-9][0-9.'x-]*)?${anyOf`
    an?|one|two|and|with|w/|&
    detached|attached|rear|proposed|residential|single|small|prefab\w*|modular|studio
    story|stories|frame|masonry|sf|sq|ft
    bed|room|bedroom|bath|garage|pool
  `}?$
`)
const place = /\b(?:for|at|in|on|of|to|as|from|serving|within|under|behind|inside)\b|@|\(/
const becomes = /\bconver\w*\b[^.;]*\b(?:to|as) (?:(?!the\b)[a-z0-9()-]+ ){0,4}$/
/** "Coach house porch". */
const smallerPart = new RegExp(`^[ /](?:${accessory}|${part})(?![a-z]| to\\b)`)
const existingUnit = new RegExp(anyOf`
  ${inOrder`
    \b(existing|exist\.?|\(e\)|permitted|(?<!pre-)approved|future|the)[ ]
    (([a-z-]+ ){0,4}with (an? )?)?
    ((?!with|and|for|to|of|in|into|new|as)[a-z0-9-]+ ){0,4}$
  `}
  \bexisting ([a-z0-9]+ ){1,3}of (the |an? )*$
`)
export const buildsUnit = new RegExp(anyOf`
  \b(convert\w*|conversion|(?<!\b(frame|masonry|brick|wood|type) )construct\w*|build(?!ing)|new|add(ing|ition)?|creat\w*)\b
  \b(legali[sz]\w*|establish|erect|propos\w+|install (an? |new |prefab\w* |detached )*$)\b
  \(n\)
`)
const otherWork = anyWord`
  electric\w*|plumb\w*|pluming|mechanical|hvac|gas|sewer|water|services?|panel|meter|circuits?|amps?|[0-9]{2,3}a
  solar|pv|photovoltaic|sprinklers?|alarms?|furnace|a/c|air|heat\w*
  roof\w*|re-?roof|tuck-?point\w*|windows?|siding|pool|fence|driveway
  mini[- ]?splits?
  remodel|repair|replac\w+|demo\w*|remov\w+|revis\w+|inspect\w+
`

const equipment = anyWord`
  roof ?-?top|a/?c|hvac|condens\w+|packaged?|mini-?split|split|heat(ing)?|cooling|air|fans?|evaporat\w*|handler|ptac|rtu
  storage units?|window units?|shower units?|shelv\w*|antenna|mechanical
  furnace|compressor|refrigerat\w*|generator|batter\w+|charg\w+|pump|meters?|amps?|circuits?|panels?
`
/** "Legalize three (3) family dwelling" and "create six (6) dwelling units" are uses of the whole building. */
const manyUnits = new RegExp(inOrder`
  \b(five|six|seven|eight|nine|ten|[5-9]|[1-9][0-9]+|(?<=\b(to|into|as) (an? )?\(?)(four|4))\b(?! s[qf])[ ()0-9]*
  ([a-z-]+ ){0,2}(units?|apartments?)
`)
/** "Add 500 sf to existing single dwelling unit". */
const intoExistingUnit = new RegExp(anyOf`
  ^add\b((?!\bunits?\b).)*\b(to|of|at|in|for|on) (an? |the )?(existing|exist\.?|\(e\)) ([a-z-]+ ){0,3}units?$
  ^(remodel|renovat)\w*\b(?!.*\badd).*\b(in)?to (an? |the )?existing ([a-z0-9-]+ ){0,3}units?$
`)
/** "Remove illegal unit from basement", "convert shop into strip mall (3 units)". */
const otherResult = new RegExp(anyOf`
  \b(and|&)\b[^.;]*\bfloor\b[^.;]*\bto (an? )?(one|single|1)\b
  \bfloor\b.*\binto one unit
  \b(remov|eliminat|deconver|rooming)\w*|\b(duplex(ed|ing)?|original)\b
  \b(to|into|as)\b.*\b(mall|retail|stores?|offices?|shops?|commercial)\b
`)
/** "To provide 19 residential units", "in a 12 story building": a dwelling in it is no accessory unit. */
const largeBuilding = new RegExp(anyOf`
  \b(provided?|fit[- ]?out\w*|creat\w+)\b[^.;]{0,40}\b([5-9]|[1-9][0-9]+)\)? ([a-z-]+ )?units\b
  \b([7-9]|[1-9][0-9]|seven|eight|nine|ten|eleven|twelve)[- ]stor(y|ies)\b|\b[1-9][0-9](st|nd|rd|th) (floor|fl)\b
`)
const severalOwners =
  /\b(?:subdivi\w+|short plat|unit lots?|town ?-?(?:house|home)s?|condo(?:minium)?s?|hotels?|motels?|demising|multi[- ]tenant)\b/
const unitKind = anyOf`
  dwell?ing|residential|legal|illegal|living|rental|studio|basement|floor|flr|separate|apartment
`
const whichUnit = anyOf`
  additional|extra|2nd|3rd|[4-9]th|second|third|fourth|fifth|new|\(n\)|nw|one|two|three|[0-9]+\)?|\(e\)
`
const beforeUnit = anyOf`
  add|adding|creat[a-z]*|provide|legali[sz]e|of|an?|more|single|bed ?room|bath(room)?|br|bdrm|efficiency
  family|housing|residence|dwg|liv[ae]?able|habitable|compliant|rate
`
/** "Unit" alone needs a word before it, "apartment" an article or a place. */
const unit = inOrder`
  (?<![a-z0-9])${anyOf`
    (${unitKind}|${whichUnit})( ?\(n\))? units?
    (?<=\b${beforeUnit}[ -]|[0-9)][ -]?)units? (per (ord|asap)|at|on|in|legali[sz]ation)
    (an?|new|\(n\)|one|1|ft|studio|basement|floor|bed ?room) (apartment|apt)(?! ?(build|bldg|complex))
  `}(?![a-z])
`
/** Words between a verb and its object: a comma or a preposition would start another phrase. */
const object = inOrder`
  ((?!\b(to|for|of|in(?!-)|at|on|from|by|with|within|inside|per|into|and (remodel|renovat|repair|replac)\w*)\b)[^.;,@]){0,60}?
`
const space = '(?:garage|basement|attic|carport|barn|storage)'
/** "Convert 3 dwelling units to 2", "convert dwelling unit to office": a dwelling is what is converted. */
const dwellingFirst = inOrder`
  ( of| from)?
  ( (an?|the|from|existing|exist\.?|\(e\)|story,?|second|first|third|floor|single|one|two|three|four|bed ?room|\(?[0-9]+\)?))*
  [ -]*(units?\b|dwell|flats?\b|apartments?\b|famil|d\.?u)
`
const converted = inOrder`
  \b(convert\w*|conversion)\b(?!${dwellingFirst})
  ((?!(?<![0-9)][- ]?)\b(units?|apartments?|flats?)\b)[^.;]){0,80}?
  \b(to|into|as)\b${object}${anyOf`
    ${unit}
    [ ]apartment(?![a-z]| ?(build|bldg|complex))
    (?<!\b(the|family|detached|existing|multiple|conversion) )\bdwell?ing(?! ?(garage|deck|unit))
  `}
`
/** "Add one dwelling unit", "convert garage to dwelling". */
const unitAdded = new RegExp(anyOf`
  \b(add(ing)?|addition(al|s)? of|creat(e|ing|ion of)|accomm?odate|provide)\b${object}${unit}
  \b(remodel\w*|renovat\w*|modify|chang\w+)\b[^.;]{0,50}(?<!with )\b${space}\b[^.;]{0,30}\b(to|into|as)\b${object}${unit}
  ${converted}
  \bconvert\w*\b[^.;]{0,40}\b${space}\b[^.;]{0,15}\b(in)?to (an? |new )*(single family )?dwelling
  \b${space}\b[^.;]{0,30}\b(into|to be|as) (an? |new |studio )*(apartment|apt|(dwelling|living|residential) unit)
  \b(add|additions? of) (an? |new )?units?(?![a-z#])
  \blegali[sz]\w*\b((?!\b(dormer|closet|porch|deck))[^.;]){0,60}?\b(?<!multi-?)(units?|apartment)(?! ?#)(?![a-z])
  \blegali[sz]\w*( [a-z0-9()]+){0,4} (?<!family )dwelling(?! ?(garage|deck))(?![a-z])
  \blegali[sz]\w+ (of |an? |the |existing |\(e\) )*in[- ]?laws?(?![a-z])
  (?<!\b[2-9] )\b(((dwelling|residential|living) )?units? additions?|apartment additions?|units? legali[sz]ation)
  \bconver\w+ (from |an? |the |existing |\(e\) )*(single|one|1)[- ]?fam\w* ([a-z]+ )?(in)?to (an? )?(two|2)[- ]?fam
`)
const lowerFloor = 'ground|basement|garage|1st|first|lower|rear|attic|storage'
/** "New dwelling unit at ground floor": a new unit within a building that exists. */
const unitInside = new RegExp(anyOf`
  ${inOrder`
    (\b(new|nw|construct\w*|build|install)\b|\(n\))(?! (construction|building))${object}${unit}[^.;]{0,20}
    (\b(at|in|on|within|behind|above|over|below|under|to|of|into|from)\b|@)[ ]
    ((the|an?|new|existing|detached|attached|\(e\)|e|non-?[a-z]+) )*
    (${lowerFloor}|back ?yard|crawl|residence|house|building|soft)(?![a-z])
  `}
  \bnew units? (at|in|on) ((the|existing|\(e\)) )*(${lowerFloor})(?![a-z])
`)
