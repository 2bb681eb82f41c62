// The words by which permits name what is built or torn down. They are common English and usual abbreviations, not the
// phrases of particular cities: a source adds the words of its city in its configuration (`permitClasses`).
import { anyOf, inOrder } from './permit-pattern.ts'

/** Work on a building that stands. */
export const repairs = anyOf`alter\w*|repairs?|remodel\w*|renovat\w*|rehab\w*`
export const upperStory = anyOf`second|2nd|third|3rd|upper`

/** Buildings and other things on the lot beside the house. */
export const besideHouse = anyOf`
  (field|station|gate|guard|pool|guest|green|club|boat|tree|play|carriage|coach) ?-?house
  (bath|hen|chicken|pump|well|smoke|dog|hoop|lane ?way|garden) ?-?house
  (detached |attached |ancillary |accessory |storage |out[ -]?|outdoor |det\.? |acc\.? ?)(buildings?|bldgs?|structures?|storage|str)
  accessory|[adj]?-?adus?|ancillary
  (temporary|covered|shade) structures?|(farm|agricultural)( (buildings?|structures?)|(?! ?house))|silos?
  (swimming )?pools?|swp|spas?|hot tubs?|(tennis|sports?|pickleball|basketball) courts?
  (tool |storage |garden |utility )?sheds?|lean[ -]?tos?|barns?|stables?|coops?|cottages?|studio|workshop|storage|tents?
  greenhouses?|carports?|garages?|driveways?
  gazebos?|pergolas?|arbors?|trellis(es)?|cabanas?|decks?|patios?|porch(es)?|sunrooms?|canop(y|ies)|awnings?
  fenc(e|es|ing)|gates?|retaining walls?|tanks?|septic|docks?|piers?|towers?|antennas?|billboards?
`
/** Something other than the house itself, often demolished or built along with it. */
export const accessory = anyOf`${besideHouse}|signs?`

/** Rooms, which also describe a new house: "new 4 bedroom home with basement". */
export const rooms = anyOf`bath(room)?s?|bed ?rooms?|basements?`

/** A part of a building. */
export const part = anyOf`
  walls?|partitions?|ceilings?|dry ?wall|sheet ?rock|plaster|finish(es)?|(building )?materials|floor(s|ing)|framing|studs
  cabinets?|kitchens?|restrooms?|rooms?|laundry|attics?
  chimneys?|fire ?places?|stairs?(case|way)?s?|steps|balcon(y|ies)|dormers?|windows?|doors?|siding|roof(s|ing)?
  hvac|furnaces?|boilers?|water heaters?|equipment|fixtures?|electric(al)?|wiring|services?|plumbing|mechanical
  concrete|slabs?|footings?|foundations?|platforms?|shelving
  additions?|extension|remodel\w*|alterations?|renovation\w*|wing|addition/\w+|add/\w+|suites?|ste|tenant|t\.?i\.?
`

/** "12 Academy Ave", "5 Commercial St": a name before these words is the name of a street. */
export const notStreet = inOrder`
  (?! (st|street|rd|road|ave?|avenue|blvd|boulevard|dr|drive|ln|lane|way|ct|court|pl|place
  |pkwy|parkway|hwy|highway|ter|terrace|cir|circle)\b)
`

/** A building that is not a house for one family. */
export const business = inOrder`
  ${anyOf`
    comm?(ercial)?\b\.?|business(es)?|non[ -]?(residential|dwelling)|industrial|merc\w*antile|(mixed|multi) ?-?use
    institution(s|al)?|educational|assembly|(nursing|funeral|group) homes?
    restaurants?|restarants?|office\w*|retail|stores?|shops?|markets?|bank|mini-?mall|malls?|theat(er|re)s?|car ?wash(es)?
    church(es)?|temples?|worship|schools?|academy|pre-?schools?|classrooms?|day ?care|hotels?|motels?|hospitals?|clinics?|medical
    stations?|terminals?|warehouses?|factory|maintenance (buildings?|bldgs?)|(?<!shear |hallway )halls?(?! (bath|closet|floor|wall))
    (child|children'?s|parent|community|cultural|recreation|service|shopping|data|field|convention|youth|senior) centers?
    apartments?|apts?|condo(minium)?s?|(tri|four ?-?|quad)plex(es)?|town ?-?(house|home)s?|multi? ?-?(family|unit|dwelling|residen\w+)
    ([3-9]|[1-9][0-9]+|three|four|five|six|eight)[- ](dwelling )?units?
    ([3-9]|three|four|five|six|eight)( (or|and|&|to) (more|four|4))?[- ]famil(y|ies)|temporary ([a-z]+ ){0,3}buildings?
    ph(ase)? ?([0-9]|i{1,3})
  `}${notStreet}
`

/** A house for one family, or for two: both are torn down by the same kind of buyer. */
export const house = anyOf`
  (?<!\bto )(?<!\b(open|in|full|half|court|pilot) )(farm ?)?houses?|residences?(?! hall)
  (mobile |manufactured |modular )?homes?(?! office| theater| depot| gym)
  (?<!accessory )dwell?ings?(?! units?)|s\.?f\.?[drh]s?\b\.?|s\.?f\.? res\b\.?|(single|one|1|two|2) ?-?family|duplex(es)?
  (main|primary|principal)(?= (and|&) | (structure|building|dwelling))( (structure|building|dwelling))?
  (?<!non[- ]?)residential (structures?|buildings?|bldgs?|property)|bungalows?
  (?<!(sales|construction|office|job|cargo) )trailers?
  (?<!non[- ]?)res\b(?![- ](accessory|garage|shed|pool|deck|unit|det))|residential(?= demo|$|[.,;&+/)]| and | with )
`

export const structure = anyOf`
  stru?ct?u?res?|(buildings?|bldgs?)(?! permit)|everything|improvements|entire (site|property|lot)
  [0-9][- ]?story (brick|frame|masonry)(?= with| w/|$|[.,])
`

/** Several dwellings: not a house. */
export const several = anyOf`
  multi ?-?(family|unit|res\w*|dwelling)|town ?-?(house|home)s?|row ?-?(houses|homes)|row ?-?house dwellings|condo(minium)?s?
  app?art?ments?|apts?|(du|tri)plex(es)?|([3-9]|four|quad)[- ]?plex(es)?
  block of ([2-9]|[1-9][0-9]|two|three|four|five|six)(?! lots?)
  ${inOrder`
    ([2-9]|[1-9][0-9]+|[1-9],[0-9]{3}|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)
    \)?[- ]*(\(n\) ?)?((new|tiny|residential|dwelling|apartment|condo\w*\b|housing|affordable|senior|family|market rate)[- ]*)*
    (units?|famil(y|ies)(?! room)|dwellings?|residential|apartments|town ?ho\w+|condos?|dus?
    |(homes|houses)(?<!\b(of|in|an?|on|to|block) ([a-z0-9]+ ){1,2}\w+))(?![a-z#])
  `}
`
