// Trades and building systems. A permit for one of them is never a house, an accessory unit or an addition, although it often
// names the building that it serves.
import type { PermitClass } from '../domain/facts.ts'
import { anyOf, anyWord, type ClassifiedPermit, classified, inOrder } from './permit-pattern.ts'

/** Systems and site work by the words that types and descriptions share. */
const systemWords = anyOf`
  hvac|air condition\w*|heat pumps?|furnaces?|water heaters?|sewers?|septic|irrigation|backflow|water (service|line|main)
  sprinklers?|alarms?|fire (alarm|pump)|low[- ]voltage|circuits?|generators?|ev charg\w*|antennas?|cell (site|tower)|elevators?
  signs?|fenc(e|es|ing)|retaining walls?|siding|insulation
`
const systems: readonly (readonly [PermitClass, RegExp])[] = [
  ['solar', /\b(photo ?voltaic|solar|pv|energy storage|storage batter(?:y|ies))\b/],
  ['roof', /\bre-?roof(ing|s)?\b|\broof(ing)?\b(?! (deck|top))/],
  [
    'other',
    anyWord`
      ${systemWords}
      electric\w*|elec|mechanical|mech|plumbing|sub-?trades?|trade|a/c|boilers?|gas(?! (bar|station))|utilit\w+|storm ?water|erosion
      suppression|fire (protection|systems?|safety|line|prevention|permits?)|telecom\w*|scaffold\w*|cranes?|tents?|temporary
      grading|site ?work|tree|driveways?|sidewalks?|curb cuts?|encroachment|right[- ]of[- ]way|windows?
      certificate of occupancy|use and occupancy|(research|verification) letters?|(?<=new )connections?
    `,
  ],
]

/** The class of a type that names one trade or system, with its word; undefined for the combined permit of a building. */
export const systemClass = (type: string): ClassifiedPermit | undefined => {
  const isCombined = /\b(?:comb(?:o|ination|ined)|master permit|multi-?trade|b?mepb?)\b/.test(type)
  for (const [permitClass, pattern] of isCombined ? [] : systems) {
    const word = pattern.exec(type)?.[0]
    if (word !== undefined) return classified(permitClass, word)
  }
  return undefined
}

/** Work on a system or a part of the site, in a description. It changes no room. */
export const systemWork = anyWord`
  ${systemWords}
  fire (service|suppression)|suppression system|detectors?|evac\w*|mini[- ]?splits?|venting|(exhaust|bath(room)?) fans?|condens(er|ing)
  roof ?-?top units?|gas (line|piping|service)|re-?pip\w+|electrical|electric (service|panel)|(sub-?|main )panels?|receptacles?|outlets?
  (service|panel|meter) (change|upgrade|replace\w*)|rewir\w+|[0-9]+ ?amps?|temp(orary)? (power|pole)|small cell|wireless|equipment cabinet
  signage|awnings?|flag ?poles?|shoring|underpinning|final inspection|revision to|addendum|plan check|administrative|admin permit
  extension of (permit|time|expir\w+)|(permit|time) extension|renew(al)?|extend (permit|the permit|expir\w+)
`

/** "Electrical for new house", "HVAC new SFR", "Install sprinklers": the description begins with the system. */
export const systemFirst = new RegExp(inOrder`
  ^(${anyOf`
    new|install\w*|installation of|replac\w+|provide|add(ing|ition of)?|rough(-?in)?|permit (for|to)|admin\w*|all|complete|full|general
    the|an?|\(n\)|\(?[0-9]+\)?|residential|nsfr?|temp(orary)?|underground|interior|exterior|fire|nfpa\S*|1?3[dr]|wet|wiring
  `} )*
  ${anyOf`
    electric\w*|elec\b|power|wiring|[0-9]+ ?amps?|service upgrade|low[- ]voltage|security system|solar|photo ?voltaic|pv|generator
    plumbing|plbg|gas\b|sewer|septic|water (heater|service|line|meter|tap)|irrigation|backflow|sprinklers?|suppression|alarms?|detectors?
    mechanical|mech\b|hvac|a/c|ac\b|heat(ing|ers?)?\b|cooling|vent(ing|ilation)|mini[- ]?splits?|ducts?|duct ?work|furnace
    fence|sign|antenna|driveway|grading|foundation only|footings? only|chang\w* (of )?address
  `}
  (?![a-z])
`)
