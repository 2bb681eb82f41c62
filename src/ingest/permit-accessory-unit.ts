// Accessory dwelling units: a second, smaller dwelling on the lot of a house, or a dwelling added to an existing building.
import { anyOf, anyWord, inOrder } from './permit-pattern.ts'

const noun = anyOf`
  dwell?ings?( units?)?|dwg units?|(residential|living) units?|living (quarters|space|area)
  apartments?|residences?|suites?|cottages?|units?(?! building)
`
/** Names of an accessory unit. */
export const accessoryUnit = new RegExp(inOrder`
  \b${anyOf`
    [adj]?-?adus?|a\.d\.u\.?
    (junior |detached |attached )*(acces?s?ory|auxiliary|ancillary|companion) (detached |attached )?${noun}
    (second(ary)?|2nd) (dwell?ings?|living|residential|legal)( units?)?
    second(ary)? (residences?|apartments?)|(second(ary)?|2nd) (units?|suites?)
    addition(al)? (dwell?ing|living|residential) units?
    (mother[- ]?)?in[- ]?law (${noun}|quarters|flats?)
    granny (flat|unit|cottage)|ohana (dwell?ing|unit)s?|guest ?-?(house|cottage|(living )?quarters)|casita
    (carriage|coach) ?house|(backyard|lane ?way) (cottage|house|home|unit|suite)|rear (cottage|dwelling unit)
    garage (apartment|(w/|with) (an? |new |studio |(second|2nd|upper) (story|floor) )*(apartment|apt|dwelling|(living )?(quarters|unit)))
    (apartment|apt|dwelling unit|living unit|quarters) (over|above) (the |new |existing |detached |attached )*garage
  `}
  (?![a-z])
`)

/** The words that make the described work an accessory unit. */
export const accessoryUnitIn = (type: string, scope: string): string | undefined => {
  if (landOrPlans.test(scope) && !/\b(?:add|creat|convert|legali[sz])/.test(scope)) return undefined
  for (const named of scope.matchAll(new RegExp(accessoryUnit.source, 'g')))
    if (!isOnlyServed(named[0], scope.slice(0, named.index), scope.slice(named.index + named[0].length)))
      return named[0]
  if (otherBuilding.test(type) || severalOwners.test(scope)) return undefined
  const added = unitAdded.exec(scope.replace(/\bfor (?:an? )?(?:[a-z]+ )?total of\b/g, ';'))
  if (!added || notAdded.test(added[0])) return undefined
  const larger = enlargement.exec(scope)
  return larger && larger.index <= added.index ? undefined : added[0]
}
/** "Construct one-family dwelling (DADU)": the new house itself is the accessory unit. */
export const houseAsUnit =
  /\b(?:dwelling|residence|house)\b(?: to the [a-z]+)? [([](?:detached )?(?:[ad]?adu\b|accessory dwelling)/
const otherBuilding = anyWord`new (construction|building)|commercial|retail|office|industrial|institutional`
const severalOwners = anyWord`unit lots?|town ?-?(house|home)s?|condo(minium)?s?|hotels?|motels?`
/** "Short plat into two unit lots (house and ADU)" divides land; "revision to permit 123, ADU: new footings" changes plans. */
const landOrPlans =
  /^(?:[^.;]{0,40}\b(?:short plat|unit lot|subdivi(?:de|sion (?:to|into|of))|revision (?:to|of)|lot line)|[^a-z]*revis|rev\b)/
/** "Vertical addition for two units" enlarges the building first of all; a unit that is named as accessory still decides. */
const enlargement = new RegExp(anyOf`
  ${inOrder`
    \b(vertical|horizontal|rear|side|front|stor(y|ies)|(remodel|renovation)\w* (and|&))\b
    [ .,/]*((and|&|vertical|horizontal|rear|side|yard) ?)*(additions?|expansion|extension)\b
  `}
  \badd (an? |new )?(second|third|[2-4](nd|rd|th)) (stor|fl)|\bconstruct (an? )?additions?\b
`)

/** "Re-roof ADU", "electrical for existing ADU", "repair porch of coach house": the unit is where the work is done. */
const isOnlyServed = (name: string, before: string, after: string): boolean => {
  if (/^ (?:deed|restriction|covenant|agreement|permit ?#|(?:sub-?)?panels?\b|meters?\b|roof\b)/.test(after))
    return true
  // "Convert coach house to garage".
  if (/\bconvert\w* (?:the |an? |existing |rear |\(e\) )*$/.test(before) && /^(?: units?)? (?:in)?to\b/.test(after))
    return true
  if (/\b(?:into|as) (?:an? |new |\(n\) )*$/.test(before)) return false
  const phrase = before.split(/(?<=[a-z0-9)]{4})\.\s/).at(-1)!
  if (existingUnit.test(phrase) && !/\b(?:conver|legali|chang)/.test(phrase)) return true
  const place = servedPlace.exec(phrase)
  const verb = [...(place ? phrase.slice(0, place.index) : phrase).matchAll(verbs)].at(-1)?.groups
  if (verb) return verb.other !== undefined
  // A house or cottage behind the main house often stands already: it must be what is built.
  return /house|cottage|casita|quarters/.test(name) && (place !== null || otherWork.test(after))
}
const existingUnit =
  /\b(?:existing|exist\.?|\(e\)|(?<!pre-)approved|future|the) (?:(?!with|and|for|to|of|in|into|new|as)[a-z0-9-]+ ){0,4}$/
const servedPlace =
  /\b(?:for|in|at|on|of|serving|within|inside|from|under|above|behind)\b (?:(?:an?|the|new|existing|rear|detached|\(e\)) )*$/
const other = anyOf`
  electric\w*|plumb\w*|mechanical|hvac|gas|sewer|water|services?|panel|meter|circuits?|amps?|[0-9]{2,3}a
  solar|pv|photovoltaic|sprinklers?|alarms?|furnace|a/c|heat\w*|mini[- ]?splits?
  roof\w*|re-?roof|windows?|siding|pool|fence|driveway
  remodel|rehab|renovat\w+|rebuild|re-?point\w*|tuck-?point\w*|repair|replac\w+|demo\w*|remov\w+|revis\w+|inspect\w+
`
const otherWork = new RegExp(`\\b${other}\\b`)
const builds = anyOf`
  \b(convert\w*|conversion|(?<!\b(frame|masonry|brick|wood|type) )construct\w*|build(?!ing)|new|add(ing|ition)?|creat\w*)\b
  \b(legali[sz]\w*|establish|erect|propos\w+|install|allow)\b|\(n\)
`
const verbs = new RegExp(`(?<other>\\b${other}\\b)|${builds}`, 'g')
export const buildsUnit = new RegExp(builds)

/** "Unit" alone needs a word before it, "apartment" an article or a place. */
const unit = inOrder`
  (?<![a-z0-9])${anyOf`
    (dwell?ing|residential|legal|illegal|living|rental|studio|basement|floor|flr|separate|apartment)( ?\(n\))? units?
    (additional|extra|2nd|3rd|[4-9]th|second|third|fourth|new|\(n\)|one|two|three|[0-9]+\)?|\(e\))( ?\(n\))? units?
    (an?|new|\(n\)|one|1|studio|basement|floor) (apartment|apt)(?! ?(build|bldg|complex))
  `}(?![a-z])
`
/** Words between a verb and its object: a comma or a preposition would start another phrase. */
const object = inOrder`
  ((?!\b(to|for|of|in(?!-)|at|on|from|by|with|within|inside|per|into|and (remodel|renovat|repair|replac)\w*)\b)[^.;,@]){0,60}?
`
const notUnit = String.raw`(?:(?!(?<![0-9)][- ]?)\b(?:units?|apartments?|flats?)\b)[^.;])`
const inside = anyOf`ground|basement|garage|1st|first|lower|rear|attic|storage|back ?yard|crawl|residence|house|building|soft`
/** "Add one dwelling unit", "convert garage to dwelling", "legalize unit", "new dwelling unit at ground floor". */
const unitAdded = new RegExp(anyOf`
  \b(add(ing)?|addition(al|s)? of|creat(e|ing|ion of)|accomm?odate|provide)\b${object}${unit}
  \b(convert\w*|conversion)\b${notUnit}{0,80}?\b(to|into|as)\b${object}(${unit}|(?<!family )\bdwell?ing(?! ?gar)| apartment(?! ?b))
  \b(add|additions? of) (an? |new )?units?(?![a-z#])
  \blegali[sz]\w*\b[^.;]{0,60}?\b((?<!multi-?)(units?|apartment)(?! ?#)|(?<!family )dwelling|in[- ]?laws?)(?![a-z])
  ((dwelling|residential|living) )?\bunits? (additions?|legali[sz]ation)
  ${inOrder`
    (\b(new|construct\w*|build|install)\b|\(n\))(?! (construction|building))${object}${unit}[^.;]{0,20}
    (\b(at|in|on|within|behind|above|over|below|under|to|of|into|from)\b|@) ((the|an?|new|existing|\(e\)) )*${inside}(?![a-z])
  `}
`)
/** "Add rooftop unit", "create six (6) dwelling units", "convert shop into strip mall (3 units)", "remove illegal unit". */
const many = anyOf`five|six|seven|eight|nine|ten|[5-9]|[1-9][0-9]+|(?<=\b(to|into|as) (an? )?\(?)(four|4)`
const notAdded = new RegExp(anyOf`
  \b(roof ?-?top|a/?c|hvac|condens\w+|mini-?split|heat(ing)?|cooling|air|fans?|(storage|shower) units?|pumps?|meters?|amps?)\b
  \b${many}\b(?! s[qf])[ ()0-9]*([a-z-]+ ){0,2}(units?|apartments?)
  \b(to|into) (an? )?(1|one|single)[- ](dwelling )?unit|\b3\b[^.;]{0,20}\bto 2\b
  \b(remov|eliminat|deconver|discontinu)\w*|\b(to|into|as)\b.*\b(mall|retail|stores?|offices?|shops?|commercial)\b
`)
