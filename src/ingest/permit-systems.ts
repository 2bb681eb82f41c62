// Trades and building systems. A permit for one of them is never a house, an accessory unit or an addition, although it often
// names the building that it serves.
import type { PermitClass } from '../domain/facts.ts'

const systems: readonly { permitClass: PermitClass; pattern: RegExp }[] = [
  { permitClass: 'solar', pattern: /\b(photo ?voltaic|solar|pv|energy storage|storage batter(?:y|ies))\b/ },
  { permitClass: 'roof', pattern: /\bre-?roof(ing|s)?\b|\broof(ing)?\b(?! (deck|top))/ },
  {
    permitClass: 'other',
    pattern:
      /\b(electric\w*|elec|mechanical|mech|plumbing|hvac|a\/c|air condition\w*|heat pumps?|furnaces?|boilers?|water heaters?|gas|sewers?|septic|irrigation|backflow|sprinklers?|suppression|fire (alarm|protection|systems?|safety|line|pump|prevention)|alarms?|low[- ]voltage|telecom\w*|antennas?|cell (site|tower)|generators?|ev charg\w*|elevators?|signs?|fenc(?:e|es|ing)|retaining walls?|grading|tree|driveways?|encroachment|right[- ]of[- ]way|sub-?trades?|trade|windows?|siding|insulation|water (service|line|main)|utilit\w+|storm ?water|erosion|sidewalks?|circuits?|curb cuts?|scaffold\w*|cranes?|tents?|temporary|certificate of occupancy|use and occupancy)\b/,
  },
]

/** The class of a type that names one trade or system; undefined for the combined permit of a building. */
export const systemClass = (type: string): { permitClass: PermitClass; word: string } | undefined => {
  if (combined.test(type)) return undefined
  const named = systems.flatMap(({ permitClass, pattern }) => {
    const word = pattern.exec(type)?.[0]
    return word === undefined ? [] : [{ permitClass, word }]
  })
  const trades = new Set(type.match(/\b(electric|mechanic|plumb)/g))
  return trades.size > 1 && building.test(type) ? undefined : named[0]
}
const combined =
  /\b(combo|combination|combined|master permit|multi-?trade|bmep|mepb?)\b|\b(w\/|with|including|incl) (all )?(trades|mep|elec|mech|plumb)/
const building = /\b(building|new|addition|dwelling|house|residence)\b/

/** Work on a system or a part of the site, in a description. It changes no room. */
export const systemWork =
  /\b(sprinklers?|fire (alarm|service|pump|suppression)|suppression system|alarms?|detectors?|evac\w*|shoring|underpinning|final inspection|revision to|addendum|plan check|administrative|admin permit|water heaters?|furnaces?|air condition\w*|hvac|mini-?splits?|heat pumps?|condens(?:er|ing)|roof ?-?top units?|sewer|septic|water (line|main|service)|gas (line|piping|service)|electrical|electric (service|panel)|(service|panel|meter) (change|upgrade|replace\w*)|(sub-?|main )panels?|circuits?|receptacles?|outlets?|rewir\w+|re-?pip\w+|[0-9]+ ?amps?|temp(?:orary)? power|ev charg\w*|generators?|antennas?|small cell|cell (site|tower)|wireless|equipment cabinet|signs?|signage|fence|fencing|retaining walls?|irrigation|backflow|low[- ]voltage|low volt|data cabling|elevators?|awnings?|flag ?poles?|siding|insulation|extension of (?:permit|time|expir\w+)|permit extension|renew(?:al)?\b|extend (?:permit|the permit|expir\w+)|time extension)\b/

/** "Electrical for new house", "HVAC new SFR", "Install sprinklers": the description begins with the system. */
export const systemFirst =
  /^(?:(?:new|install\w*|installation of|replac\w+|provide|add(?:ing|ition of)?|residential|rough(?:-?in)?|temp(?:orary)?|all|complete|the|an?|\(n\)|underground|fire|interior|exterior|full|whole house|nfpa\S*|1?3[dr]|wet|wiring|\(?[0-9]+\)?|admin\w*|permit (?:for|to)) )*(?:electric\w*|elec\b|plumbing|plmb\w*|plbg|mechanical|mech\b|hvac|a\/c|ac\b|heat(?:ing|ers?)?\b|cooling|ventilation|ducts?|duct ?work|furnace|gas\b|power|sewer|septic|water (?:heater|service|line|meter|tap)|sprinklers?|suppression|alarms?|low[- ]voltage|security system|wiring|solar|photo ?voltaic|pv|irrigation|backflow|generator|fence|sign|antenna|chang\w* (?:of )?(?:add?ress|ddress)|driveway|grading|foundation only|footings? only)(?![a-z])/
