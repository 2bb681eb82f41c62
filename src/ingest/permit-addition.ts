// Additions: work that makes a building larger. Adding equipment, extending a permit and enlarging a window are not.
import { anyOf, anyWord, inOrder } from './permit-pattern.ts'
import { systemFirst } from './permit-systems.ts'
import { repairs, upperStory } from './permit-words.ts'

/** Project types that mean additions only; "Addition/Alteration" leaves it to the description. */
export const additionType = new RegExp(inOrder`
  \badditions?\b
  (?!.*\b(${repairs}|improvement|new)\b)
  (?<!\b(${repairs}|improvement|new|deck|pool)\b.*)
`)

/** The words of a type that make the permit an addition, unless the description names only equipment or site work. */
export const additionByType = (type: string, scope: string): string | undefined => {
  // The work class comes first: "Addition / Building Permit / Addition & Alterations".
  const [work, next] = type.split(' / ')
  const parts = [/^alter/.test(next ?? '') ? '' : work!, ...(scope === '' ? type.split(', ') : [])]
  const word = additionType.exec(type) ?? parts.map((part) => additionType.exec(part)).find((found) => found !== null)
  if (!word || systemFirst.test(scope)) return undefined
  const site = siteWork.exec(scope)
  const isSite = site !== null && !roomBefore.test(scope.slice(0, site.index))
  return (isSite || sameSize.test(scope)) && !additionWork.test(scope) ? undefined : word[0]
}

const addedRoom = anyOf`(bed|family|sun|living|mud|dining|great) ?rooms?|wings?|dens?\b|(upper|second|2nd) (level|story|floor)`
const builtAfter = String.raw`.*\b(?:erect\w*|construct\w*|build|new|add\w*)\b`
const roomAfter = String.raw`.*(?:[.;,]|\b(?:and|for|with)\b).*(?:${addedRoom}|[0-9] ?s[fq]\b)`
/** "Family room with sprinklers", "garage expansion and retaining wall": the site work belongs to the room. */
const roomBefore = new RegExp(anyOf`${addedRoom}|\b(garage|story|stories|expansion|extension)\b`)
/** Parts of words that say more than a ramp: "screened porch and ramp". A deck counts where the city files it as an addition. */
const largerThanRamp = String.raw`\b(?:rm|suite|garage|carport|porch|screen|kitchen|bath|enclos|conver|finish|story)`
/** Work that leaves the building as large as it was, under a type that says addition. */
export const sameSize = new RegExp(anyOf`
  ^(for the )?(demo\w*|remov\w+|modif\w+|([a-z/]+ )?alter\w*|revis\w+|adden?d\w*)\b(?!${builtAfter}|${roomAfter})
  \b(porch|steps|stairs|balcony) (repairs?|replacement)\b
  ^(finish\w* (the |existing )?basement|basement (dev\w*|finish\w*))\b(?!${builtAfter}|${roomAfter})
  ^(for the )?(repair\w*|replac\w+|resurfac\w+)\b(?!.*\b(erect\w*|construct\w*|build|add\w*)\b|${roomAfter})
  \binterior (re\w+|alter\w*|work|improvements?|finish\w*|demo\w*)\b
  \b(refurbish\w*|rebuil[dt]|(finish|build)[- ]?outs?|(leasehold|tenant) improvements?)\b
  ^(?!.*${addedRoom}|.*\bsuite).*\b(driveways?|garages?[ (]*detached)\b
  ^(?!.*${addedRoom}|.*\bsuite).*(?<!semi-)\b(detached|stand-?alone) [^.;]{0,30}\b(carport|pergola|garage|shed|structure|building|gazebo|pavilion)
  ^(?!.*(${addedRoom}|room|${largerThanRamp})).*\b(ramps?|pergolas?|staircases?|demising walls?)\b
`)
export const siteWork = anyWord`
  antennas?|wireless|monopoles?|equipment cabinets?
  parking (spaces?|lots?)
  signs?|fenc(e|es|ing)|chain link|retaining walls?|awnings?|sculptures?|monuments?
  sprinklers?|fire alarms?|solar|radon|pools?(?! house)
  gazebos?|pavilions?|greenhouses?|(high|hoop) (tunnels?|houses?)
  sheds?(?![ /-](style|roof|kitchen|dormer|hip))
`

/** "Wiring in bedroom addition", "access control for the new building addition". */
export const servedAddition = new RegExp(
  inOrder`
    \b(electric\w*|wiring|pip(e|ing)|conduit|access control|alarms?|sprinklers?|plumbing|hvac|duct\w*|circuits?|outlets?
    |services?|split systems?|insulation|(sub-?)?panels?|switches|fixtures|receptacles|lighting)\b
    ((?!\b(and|with)\b (an? |new |[0-9]|rear))[^.;,]){0,60}
    \b(for|in|at|of|serving) ((?!and\b)[a-z0-9]+ ){0,4}additions?\b
  `,
  'g',
)

/** Beginnings of words for things that are "added" and do not make a building larger. */
const equipment = anyOf`
  tele|radio|antenn|camera|monitor|device|equipment|module|cabinet
  volt|power|elec|amps?\b|circuit|outlet|receptacle|light|fixture|panel|meter|load|generator|solar|batter|charg
  wet |dry |pre-?action|fire|smoke|sprinkler|head|detector|alarm|(booster )?pump
  hvac|ac\b|a/c|mini|heat|duct|diffuser|condens
  sink|toilet|shower|pipe|plumb|gas
  hand ?rail|railing|ramp|awning|canop|bollard|fence|gate|sign|elevator|roof deck|window|door|wall|partition|closet
  scope|permit|contract|plan|drawing|project|valu
  tourist|guest ?rooms|tenant
`

/** "Remove rear addition"; in "demolish garage and build addition" the addition is new. */
const notRemoved = inOrder`
  (?<!\b(remov\w+|demo\w*|replac\w+|repair\w*|gut\w*)\b
  ((?!\b(and|construct(?!ed)\w*|new|build|add|for|with|erect\w*)\b|&|\(n\))[^.;,*]){0,40})
`

/** "Rear addition"; not "in addition to", "voice and data additions", "addition to permit". */
const additionNoun = inOrder`
  \b(?=addition)
  (?<!\b(renovat\w*|remodel\w*|repairs?|rehab\w*) (of |to )?(the |an? )?existing ((?!new|and|with|plus)[a-z0-9]+ ){0,3})
  (?<!\b(in|our|future|subdivision|lot [0-9a-z]+|existing|accommodate the|stair(s|case|way)?|tenant|interior|(former|previous|prior)( [a-z]+)?) )
  (?<!\b(power|data|voice|cameras?|devices?|circuits?|outlets?|lighting|wiring|electrical|equipment|duct ?work|piping|system|concrete|(rest|wash)room) )
  (?<!\(e\) )
  (?<!(^|[.;/] ?)((new|wood|rear|front|side|back|roof|[0-9'x]+) )*deck )
  (?<!\bbasement [^.;]{0,30}\b(bath(room)?|bedroom|office|room) )
  ${notRemoved}
  additions?\b
  (?!( ?/ ?alterations?)? to (an? |the )?existing [^.;]{0,30}\bsystem)
  (?! (to|on) ((an?|the|existing|\(e\)|open|wood|rear|front|side|new) )*(decks?|porch|patio|balcony|fence)(?![a-z]))
  (?! of\b(?<!\b(story|floor|level|rear|side|front|vertical|horizontal|room) additions? of))
  (?! (work )?under\b| in (the |existing )*(attic|basement|garage))
  (?! ((to|for|are) )?((the|an?|one|two|three|four|five|six|new|\(n\)|existing|[0-9]+|more|related|original|previous|approved
  |dedicated|interior|roof|grease|property|line|exhaust|storage|security|private|low) )*${equipment})
`

const newRoom = anyOf`
  square f|floor area|habitable|conditioned|living (space|area)
  bed ?rooms?|(family|living|sun|mud|dining|great|bonus|master|rec\w*|play|utility|laundry|exercise|storage|day) ?rooms?|rooms?\b
  master|primary|suite|dormers?|wing\b|penthouse|garage|carport|attic dormer|sunporch
`
/** "Addition of 2 bedrooms and bath"; equipment, a bath or a dwelling is also "added". */
const additionOfRooms = inOrder`
  \b(?=addition)${notRemoved}additions? of\b
  ((?!\b(${equipment}|(dwelling |residential )?un[it]{2}s?|apartments?|adus?|coffee|break ?room|basement (bed|bath|rec|family)))[^.;]){0,60}?
  ([0-9] ?(sf\b|sq\b|s\.f)|\b${newRoom})
`
const additionOfStory = inOrder`
  \b(?=addition)${notRemoved}additions? of (an? |one |two |new |\(n\) |full |partial |[0-9]+ )*
  ((second|2nd|third|3rd|4th|upper|lower|top|floor|level) )*(stor(y|ies)|floors?|levels?|fl)(?![a-z])
  (?! (units?|apartment|bath|window|door|kitchen))
`

const addedArea = inOrder`
  [0-9][0-9,.]* ?(sf|sq|s\.f)(?![. ]*(ft|feet)?[. ]*((of|to) )?(the |new |roof |rear |wood |garage )*
  (deck|patio|porch|balcon|apartment|unit|dry ?wall|tile|siding|insulation|pav))
`
const addedSize = inOrder`
  [0-9]{2,}['’]? ?x ?[0-9]{2,}(?![0-9a]|[^.;]{0,40}\b
  (deck|patio|porch|shed|pool|carport|pad|slab|gazebo|pergola|pavilion|balcon|dock|fence|window|door|sign))
`
/** "Add bedroom"; later in a text only "… add bedroom to rear of house". */
const addedRooms = inOrder`
  ((guest )?bed ?|living ?)?rooms?\b
  ((?<=^add[^,.;]*)|(?=[^.;]{0,60}\b(to|at|on|onto|off) (the |existing |\(e\) )*
  (rear|side|front|back|house|home|residence|dwelling|single|sf[dr])))
`
/** "Add 300 sq ft", "add second story". A garage that becomes a room and rooms within the walls add nothing. */
const add = inOrder`
  \b(?=add)
  (?<!\bgarage (conversion|enclosure)\b[^]*)
  (?<!\bconvert\w* (the |existing |\(e\) |attached )*garage\b[^]*)
  add(ing|ed|s)? (an? |one |two |three |approx\w* |about |new |\(n\) |[0-9]+ )*
  (${addedArea}|${addedSize}|${addedRooms}|(second|2nd|third|3rd|new|upper|one|1|a) (story|stories|floor|level)|master|primary (bed|suite)
  |family ?room|sun ?room|mud ?room|dining|dormer|story|square f|penthouse)\w*
  (?! closet)
  (?![^.;]{0,60}\bin (the |existing )?basement)
  (?![^]*\bwithin (the )?existing (footprint|envelope))
  (?! ([a-z0-9]+ ){0,4}?(inside|within|in (the |existing |an? )*(garage|basement|attic|ground|crawl|existing)))
  (?! ([a-z0-9]+ ){0,4}?(to (the )?(basement|(?<!story to )garage|attic)|by (sub)?(dividing|splitting)))
`

const intoNext = String.raw`\binto (?:(?:the|an?|existing) )*(?:adjacent|next|neighbor\w*|vacant|unit|suite|basement|attic|garage)`
const withinWalls = anyOf`
  (fitness|toilet|laundry|exam|class|conference|mechanical|rest) ?room|kitchen(?! and)|closet|break
  office|suite|restaurant|day ?care|unit
  window|door|opening|wall|roof|deck|patio|porch|driveway|fence|concrete|parking|between
  panel|gas|elec\w*|duct|power|data|conduit|wir|pip|alarm|system|sprinkler|outlet|circuit|security|fire|rated|amp|riser|permit
`
const grown = anyOf`
  dormers?|bed ?rooms?|family|master|primary|mud ?room|sun ?room|dining|garage|attic
  house|home|residence|dwelling|building|footprint|story|stories|level
  rear|side|front|horizontal\w*|vertical\w*
`
/** "Expand kitchen and family room at rear"; not "extend power to the building", "expand office into adjacent suite". */
const expansion = inOrder`
  \b(expand|expansion of|expanding|enlarg\w+|extend(ing)?|extension (of|to))\b(?! (permit|time))
  ((?!${intoNext}|\b${withinWalls}\w*)[^.;,]){0,40}
  \b${grown}
  (?! ?(door|window|opening|box|stair|of (the )?deck|(wood |open |rear |yard |sun ?)*(deck|porch|patio|balcon)))
  (?![^.;]{0,30}\binto (the |an? )?(adjacent|next|neighbor|vacant))
`

const sunroom = inOrder`
  (?<!\b(in|to|for|at|of|on) )\b(build|construct|erect|add|new|install)[ ]
  ((?!detached|to|of|in|at|on|for|with|and)[a-z0-9-]+ ){0,3}sun ?room(?! (window|door|roof))
`
/** "Enclose porch to create sunroom". */
const enclosed = inOrder`
  \benclos(e|ing|ure of) ([a-z()]+ ){0,3}(patio|porch|carport|deck|balcony|breezeway)\b
  [^.;]{0,40}\b(living|livable|habitable|(sun|family|mud|bed|dining)? ?room|heated|conditioned)
`

export const additionWork = new RegExp(anyOf`
  ${additionNoun}
  ${additionOfStory}
  ${additionOfRooms}
  ${add}
  ${expansion}
  ${enclosed}
  \b(build|construct|erect|new|raise)\b (an? |new )*${upperStory} (story|floor|level)(?= (on|over|above|atop|to (an?|the|[0-9]))\b)
  \b(build|construct|erect|add) (an? )?additional (story|stories)\b
  ${sunroom}
  \b(build|construct|erect|add|new) (an? |new |[a-z0-9]+[- ]car )*attached ([a-z0-9]+[- ]car )?garage(?! (door|sub-?panel|opener|window|roof|electric))
  ${notRemoved}\b(horizontal|vertical|rear|side|front) (and (rear|side|vertical|horizontal) )?(expansion|extension|addition)
  \b(expand|extend|enlarg\w+) (the |existing |\(e\) )*${upperStory} (stor|floor|level)
  \bexpansion (off|to|on|at)\b[^.;]{0,25}\b(side|rear|front) of
  (?<!\b(break|future) )\b(rear|house|building|bedroom|story|floor) (expansion|extension)(?! (granted|approved|until))
  \b(new|add|construct|build|erect|propos\w+|\(n\))\b[^.;,]{0,30}\bdormers?\b
  \bpop[- ]?(top|out)\b|\bpop[- ]?up (addition|dormer|roof|second|2nd)|\bbump[- ]?out\b
`)
