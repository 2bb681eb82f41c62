// Additions: work that makes a building larger. Adding equipment, extending a permit and enlarging a window are not.
import { anyOf, anyWord, type ClassifiedPermit, classified, inOrder } from './permit-pattern.ts'
import { systemFirst } from './permit-systems.ts'
import { repairs, upperStory } from './permit-words.ts'

/** Project types that mean additions only; "Addition/Alteration" leaves it to the description. */
export const additionType = new RegExp(inOrder`
  \badditions?\b
  (?!.*\b(${repairs}|improvement|new)\b)
  (?<!\b(${repairs}|improvement|new|deck|pool|garage|carport)\b.*)
`)

/** The words of a type that make the permit an addition, unless the description names only equipment or site work. */
export const additionByType = (type: string, scope: string): ClassifiedPermit | undefined => {
  // The work class comes first: "Addition / Building Permit / Addition & Alterations".
  const [work, next] = type.split(' / ')
  const parts = [/^alter/.test(next ?? '') ? '' : work!, ...(scope === '' ? type.split(', ') : [])]
  const word = additionType.exec(type) ?? parts.map((part) => additionType.exec(part)).find((each) => each !== null)
  if (!word || systemFirst.test(scope)) return undefined
  const site = siteWork.exec(scope)
  const isSite = site !== null && !roomBefore.test(scope.slice(0, site.index))
  return (isSite || sameSize.test(scope)) && !additionWork.test(scope) ? undefined : classified('addition', word[0])
}

const room = anyOf`(bed|family|sun|living|mud|dining|great) ?rooms?|wings?|dens?\b|(upper|second|2nd) (level|story|floor)`
/** "Family room with sprinklers", "garage expansion and retaining wall": the site work belongs to the room. */
const roomBefore = new RegExp(anyOf`${room}|\b(garage|story|stories|expansion|extension)\b`)
const builtAfter = String.raw`.*\b(?:erect\w*|construct\w*|build|new|add\w*)\b|.*(?:[.;,]|\b(?:and|for|with)\b).*(?:${room}|[0-9] ?s[fq]\b)`
/** Work that leaves the building as large as it was, under a type that says addition. */
export const sameSize = new RegExp(anyOf`
  ^(for the )?(demo\w*|remov\w+|modif\w+|([a-z/]+ )?alter\w*|revis\w+|repair\w*|replac\w+|(basement )?finish\w*)\b(?!${builtAfter})
  \binterior (re\w+|alter\w*|work|improvements?|finish\w*|demo\w*)\b|\b(porch|steps|stairs|balcony) (repairs?|replacement)\b
  (?<!stor(y|ies) )\b(with)?in (the )?(existing|same) foot ?print\b|\blike[- ]for[- ]like\b
  \b(refurbish\w*|rebuil[dt]|(finish|build)[- ]?outs?|(leasehold|tenant) improvements?)\b
  ^(?!.*(${room}|\bsuite)).*(?<!semi-)\b(detached [^.;]{0,30}\b(carport|pergola|garage|shed|structure|building|gazebo)|driveways?\b)
  ^(?!.*(room|suite|${room}|\b(garage|carport|porch|screen|kitchen|bath|enclos|conver|finish|story))).*\b(ramps?|pergolas?|staircases?)\b
`)
export const siteWork = anyWord`
  antennas?|wireless|monopoles?|cell towers?|parking (spaces?|lots?)|signs?|fenc(e|es|ing)|chain link|retaining walls?|awnings?|monuments?
  sprinklers?|fire alarms?|solar|radon|pools?(?! house)|gazebos?|pavilions?|greenhouses?|sheds?(?![ /-](style|roof|dormer))
`

/** Beginnings of words for things that are "added" and do not make a building larger. */
const equipment = anyOf`
  tele|radio|cell|antenn|camera|device|equipment|cabinet|volt|power|elec|amps?\b|circuit|outlet|light|fixture|panel|meter|load
  generator|solar|wet |dry |fire|smoke|sprinkler|head|detector|alarm|(booster )?pump|hvac|ac\b|a/c|mini|heat|duct|condens
  sink|toilet|shower|pipe|plumb|gas|railing|ramp|awning|canop|fence|gate|sign|elevator|roof deck|window|door|wall|partition|closet
  scope|permit|contract|plan|drawing|project|tenant
`
/** "Remove rear addition"; in "demolish garage and build addition" the addition is new. */
const notRemoved = inOrder`
  (?<!\b(remov\w+|demo\w*|replac\w+|repair\w*)\b((?!\b(and|construct(?!ed)\w*|new|build|add|for|with|erect\w*)\b|&|\(n\))[^.;,*]){0,40})
`
/** "Rear addition"; not "in addition to", "voice and data additions", "addition to permit". */
const additionNoun = inOrder`
  \b(?=addition)
  (?<!\b(subdivision|lot [0-9a-z]+|estates|vista|heights|hills|acres) )
  (?<!\b(in|our|future|new,|existing|\(e\)|stair(s|case|way)?|tenant|interior|(former|previous|prior)( [a-z]+)?) )
  (?<!\b(cell tower|power|data|voice|camera|device|circuit|outlet|lighting|wiring|electrical|equipment|piping|system|concrete|restroom)s? )
  (?<!(^|[.;/] ?)((new|wood|rear|front|side|back|roof|[0-9'x]+) )*deck )${notRemoved}additions?\b
  (?! of\b(?<!\b(story|floor|level|rear|side|front|vertical|horizontal|room) additions? of))
  (?! (work )?under\b| in (the |existing )*(attic|basement|garage)| (to|on) ([a-z()]+ ){0,3}(decks?|porch|patio|fence)(?![a-z]))
  (?!-cell| ((to|for|are) )?((the|an?|one|two|three|new|\(n\)|existing|[0-9]+|more|original|previous|approved|interior|low) )*${equipment})
`
const added = anyOf`
  [0-9][0-9,.]* ?(sf|sq|s\.f)(?![. ]*(ft|feet)?[. ]*((of|to) )?([a-z]+ )?(deck|patio|porch|balcon|apartment|unit|dry ?wall|siding))
  [0-9]{2,}['’]? ?x ?[0-9]{2,}(?![0-9a]|[^.;]{0,40}\b(deck|patio|porch|shed|pool|carport|slab|gazebo|pergola|fence|window|door|sign))
  (second|2nd|third|3rd|new|upper|one|1|a) (story|stories|floor|level)|story|square f|penthouse|dormer
  master|primary (bed|suite)|(family|sun|mud) ?room|dining
  ((guest )?bed ?|living ?)?rooms?\b((?<=^add[^,.;]*)|(?=[^.;]{0,60}\b(to|at|on|off) (the |existing )*(rear|side|front|house|residence)))
`
const withinWalls = anyOf`
  (toilet|laundry|class|conference|mechanical|rest) ?room|kitchen(?! and)|closet|office|suite|restaurant|unit|window|door|opening|wall
  roof|deck|patio|porch|driveway|fence|concrete|parking|between
  panel|gas|elec\w*|duct|power|data|conduit|wir|pip|alarm|system|sprinkler|fire|amp|riser|permit
`
const grown = anyOf`
  dormers?|bed ?rooms?|family|master|primary|(mud|sun) ?room|dining|garage|attic|house|home|residence|dwelling|building|footprint
  story|stories|level|rear|side|front|horizontal\w*|vertical\w*
`
const notGrown = '(?! ?(?:door|window|opening|stair|deck|porch|patio|balcon|of (?:the )?deck)|[^.;,]{0,20} into\\b)'
const notRoom = anyOf`(dwelling |residential )?units?|apartments?|adus?|break ?room`
const anyRoom = anyOf`${room}|rooms?\b|suite|garage|carport|living|habitable|stor(y|ies)|floor`
const inStanding = String.raw`\b(?:in|within|inside|to) (?:the |existing |an? )*(?:garage|basement|attic|existing)`
const raised = anyOf`build|construct|erect|add|new|raise|install|propos\w+|\(n\)`

export const additionWork = new RegExp(anyOf`
  ${additionNoun}
  \b(?=addition)${notRemoved}additions? of\b((?!\b(${equipment}|${notRoom}))[^.;]){0,60}?([0-9] ?s[fq]\b|\b${anyRoom})
  \badd(ing|ed|s)? (an? |one |two |three |approx\w* |new |\(n\) |[0-9]+ )*${added}\w*(?! closet)(?![^.;]{0,60}${inStanding})
  \b(expand(ing)?|enlarg\w+|extend(ing)?|ex(pan|ten)sion (of|to))\b((?!\binto\b|\b${withinWalls}\w*)[^.;,]){0,40}\b${grown}${notGrown}
  \b(enclos(e|ing|ure of)|clos(e|ing) (in|off)|convert\w*) ([a-z()]+ ){0,3}(patio|porch|deck|breezeway)\b[^.;]{0,40}\b(livable|habitable|(sun|mud)?room|living)
  \b${raised}\b (an? |new )*(${upperStory} (story|floor|level)(?= (on|over|above|atop|to (an?|the|[0-9]))\b)|additional stor)
  (?<!\b(in|to|for|at|of|on) )\b${raised} ((?!detached|to|of|in|at|on|for|with|and)[a-z0-9-]+ ){0,3}sun ?room(?! (window|door|roof))
  \b${raised} (an? |new |[a-z0-9]+[- ]car )*attached ([a-z0-9]+[- ]car )?garage(?! (door|sub-?panel|opener|window|roof|electric))
  ${notRemoved}\b(horizontal|vertical|rear|side|front|house|building|bedroom|story|floor) (expansion|extension)(?! (granted|approved))
  \b${raised}[^.;,]{0,30}\bdormers?\b|\bpop[- ]?(top|out)\b|\bbump[- ]?out\b
`)
