// Additions: work that makes a building larger. Adding equipment, extending a permit and enlarging a window are not.
import { systemFirst } from './permit-systems.ts'

/** Project types that mean additions only; "Addition/Alteration" leaves it to the description. */
export const additionType =
  /\badditions?\b(?!.*\b(alter\w*|repairs?|remodel\w*|renovat\w*|rehab\w*|improvement|new)\b)(?<!\b(alter\w*|repairs?|remodel\w*|renovat\w*|rehab\w*|improvement|new|deck|pool)\b.*)/

/** The words of a type that make the permit an addition, unless the description names only equipment or site work. */
export const additionByType = (type: string, scope: string): string | undefined => {
  // The work class comes first: "Addition / Building Permit / Addition & Alterations".
  const parts = [type.split(' / ')[0]!, ...(scope === '' ? type.split(', ') : [])]
  const word = additionType.exec(type) ?? parts.map((part) => additionType.exec(part)).find((found) => found !== null)
  if (!word || systemFirst.test(scope)) return undefined
  return (siteWork.test(scope) || sameSize.test(scope)) && !additionWork.test(scope) ? undefined : word[0]
}
/** Work that leaves the building as large as it was, under a type that says addition. */
export const sameSize =
  /^(?:for the )?(?:demo\w*|remov\w+)\b(?!.*\b(?:erect\w*|construct\w*|build|new|add\w*)\b|.*(?:[.;,]|\b(?:and|for|with)\b).*(?:(?:bed|family|sun|living|mud) ?room|[0-9] ?s[fq]\b))|\binterior (?:re\w+|alter\w*|work|improvements?|finish\w*|demo\w*)\b|\b(?:refurbish\w*|rebuil[dt]|(?:finish|build)[- ]?outs?)\b|^(?!.*(?:bed|family|sun|living|mud) ?room|.*\bsuite).*(?:\bdriveways?\b|(?<!semi-)\bdetached [^.;]{0,30}\b(?:carport|pergola|garage|shed|structure|building|gazebo|pavilion))/
export const siteWork =
  /\b(?:antennas?|wireless|monopoles?|equipment cabinets?|parking (?:spaces?|lots?)|signs?|fenc(?:e|es|ing)|gazebos?|pavilions?|sheds?(?![ -/](?:style|roof|kitchen|dormer|hip))|greenhouses?|(?:high|hoop) (?:tunnels?|houses?))\b/

const grown = `(?:dormers?|bed ?rooms?|family|master|primary|mud ?room|sun ?room|dining|garage|attic|house|home|residence|dwelling|building|footprint|story|stories|level|rear|side|front|horizontal\\w*|vertical\\w*)`
const equipment =
  'tele|tourist|guest ?rooms|antenn|hand ?rail|railing|ramp|awning|canop|bollard|amp\\b|amps\\b|wet |dry |pre-?action|fire|elevator|(?:booster )?pump|roof deck|monitor|smoke|duct|outlet|circuit|receptacle|light|fixture|panel|sprinkler|head|detector|alarm|device|fence|gate|camera|sign|equipment|cabinet|radio|generator|meter|window|door|wall|partition|duct|diffuser|condens|hvac|ac\\b|a/c|mini|heat|solar|module|batter|charg|load|scope|permit|contract|plan|drawing|project|valu|power|tenant|sink|toilet|shower|closet|pipe|plumb|gas|elec'

/** "Wiring in bedroom addition", "access control for the new building addition". */
export const servedAddition =
  /\b(?:electric\w*|wiring|pip(?:e|ing)|conduit|access control|alarms?|sprinklers?|plumbing|hvac|duct\w*|circuits?|outlets?|services?|(?:sub-?)?panels?|switches|fixtures|receptacles|lighting)\b(?:(?!\b(?:and|with)\b (?:an? |new |[0-9]|rear))[^.;,]){0,60}\b(?:for|in|at|of|serving) (?:(?!and\b)[a-z0-9]+ ){0,4}additions?\b/g

/** "Remove rear addition"; in "demolish garage and build addition" the addition is new. */
const notRemoved = String.raw`(?<!\b(?:remov\w+|demo\w*|replac\w+)\b(?:(?!\b(?:and|construct(?!ed)\w*|new|build|add|for|with|erect\w*)\b|&|\(n\))[^.;,*]){0,40})`

export const additionWork = new RegExp(
  [
    // "In addition to", "voice and data additions", "addition to permit".
    String.raw`\b(?=addition)(?<!\b(?:renovat\w*|remodel\w*|repairs?|rehab\w*) (?:of |to )?(?:the |an? )?existing (?:(?!new|and|with|plus)[a-z0-9]+ ){0,3})(?<!\b(?:in|future|subdivision|lot [0-9a-z]+|existing|former|previous|prior|accommodate the|power|data|voice|cameras?|devices?|circuits?|outlets?|lighting|wiring|electrical|equipment|duct ?work|piping|stairs?|tenant|(?:former|previous|prior) [a-z]+) )(?<!\(e\) )${notRemoved}additions?\b(?! to (?:an? |the )?existing [^.;]{0,20}\bsystem)(?! (?:to|on) (?:(?:an?|the|existing|\(e\)|open|wood|rear|front|side|new) )*(?:decks?|porch|patio|balcony|fence)(?![a-z]))(?! of\b(?<!\b(?:story|floor|level|rear|side|front|vertical|horizontal|room) additions? of))(?! (?:work )?under\b)(?! (?:(?:to|for|are) )?(?:(?:the|an?|one|two|three|four|five|six|new|\(n\)|existing|[0-9]+|more|related|original|previous|approved|dedicated|interior|roof|grease|property|line|exhaust|storage|security|private|low) )*(?:volt|${equipment}))`,
    // "Addition of a second floor", "addition of 2 bedrooms and bath"; equipment, a bath or a dwelling is also "added".
    String.raw`\b(?=addition)${notRemoved}additions? of (?:an? |one |two |new |\(n\) |full |partial |[0-9]+ )*(?:(?:second|2nd|third|3rd|4th|upper|lower|top|floor|level) )*(?:stor(?:y|ies|ey)|floors?|levels?|fl)(?![a-z])(?! (?:units?|apartment|bath|window|door|kitchen))`,
    String.raw`\b(?=addition)${notRemoved}additions? of\b(?:(?!\b(?:${equipment}|(?:dwelling |residential )?un[it]{2}s?|apartments?|adus?|coffee|break ?room))[^.;]){0,60}?(?:[0-9] ?(?:sf\b|sq\b|s\.f)|\b(?:square f|bed ?rooms?|(?:family|living|sun|mud|dining|great|bonus|master|rec\w*|play|utility|laundry|exercise|storage|day) ?rooms?|rooms?\b|master|primary|suite|dormers?|wing\b|penthouse|garage|carport|attic dormer|habitable|conditioned|floor area|living (?:space|area)|sunporch))`,
    String.raw`\b(?=add)(?<!\bgarage (?:conversion|enclosure)\b[^]*)(?<!\bconvert\w* (?:the |existing |\(e\) |attached )*garage\b[^]*)add(?:ing|ed|s)? (?:an? |one |two |three |approx\w* |about |new |\(n\) |[0-9]+ )*(?:[0-9][0-9,.]* ?(?:sf|sq|s\.f)(?![. ]*(?:ft|feet)?[. ]*(?:of )?(?:new |roof |rear |wood |garage )*(?:deck|patio|porch|balcon|apartment|unit|dry ?wall|tile|siding|insulation|pav))|(?:second|2nd|third|3rd|new|upper|one|1|a) (?:stor|floor|level)|(?:master|primary (?:bed|suite)|family ?room|sun ?room|mud ?room|dining|dormer|stor(?:y|ey)|square f|penthouse)|[0-9]{2,}['’]? ?x ?[0-9]{2,}(?![0-9a]|[^.;]{0,40}\b(?:deck|patio|porch|shed|pool|carport|pad|slab|gazebo|pergola|pavilion|balcon|dock|fence|window|door|sign))|(?:(?:guest )?bed ?|living ?)?rooms?\b(?:(?<=^add[^,.;]*)|(?=[^.;]{0,60}\b(?:to|at|on|onto|off) (?:the |existing |\(e\) )*(?:rear|side|front|back|house|home|residence|dwelling|single|sf[dr]))))\w*(?! closet)(?![^.;]{0,60}\bin (?:the |existing )?basement)(?![^]*\bwithin (?:the )?existing (?:footprint|envelope))(?! (?:[a-z0-9]+ ){0,4}?(?:inside|within|in (?:the |existing |an? )*(?:garage|basement|attic|ground|crawl|existing)|to (?:the )?(?:basement|garage|attic)|by (?:sub)?(?:dividing|splitting)))`,
    String.raw`\b(?:expand|expansion of|expanding|enlarg\w+|extend(?:ing)?|extension (?:of|to))\b(?! (?:permit|time))(?:(?!\binto (?:(?:the|an?|existing) )*(?:adjacent|next|neighbor\w*|vacant|unit|suite)|\b(?:(?:fitness|toilet|laundry|exam|class|conference|mechanical|rest) ?room|kitchen(?! and)|office|suite|restaurant|day ?care|unit|break|window|door|opening|panel|driveway|deck|closet|permit|gas|elec\w*|duct|fence|patio|wall|power|data|conduit|wir|pip|alarm|system|sprinkler|outlet|circuit|concrete|parking|security|fire|rated|amp|riser)\w*)[^.;,]){0,40}\b${grown}(?! ?(?:door|window|opening|box|stair|of (?:the )?deck|(?:wood |open |rear |yard |sun ?)*(?:deck|porch|patio|balcon)))(?![^.;]{0,30}\binto (?:the |an? )?(?:adjacent|next|neighbor|vacant))`,
    String.raw`\benclos(?:e|ing|ure of) (?:[a-z()]+ ){0,3}(?:patio|porch|carport|deck|balcony|breezeway)\b[^.;]{0,40}\b(?:living|livable|habitable|room|heated|conditioned)`,
    String.raw`\b(?:build|construct|erect|new|raise)\b (?:an? |new )*(?:second|2nd|third|3rd|upper) (?:stor(?:y|ey)|floor|level)(?= (?:on|over|above|atop)\b)`,
    String.raw`${notRemoved}\b(?:horizontal|vertical|rear|side|front) (?:and (?:rear|side|vertical|horizontal) )?(?:expansion|extension|addition)`,
    String.raw`\b(?:expand|extend|enlarg\w+) (?:the |existing |\(e\) )*(?:second|2nd|third|3rd|upper) (?:stor|floor|level)`,
    String.raw`\bexpansion (?:off|to|on|at)\b[^.;]{0,25}\b(?:side|rear|front) of`,
    String.raw`(?<!\b(?:break|future) )\b(?:rear|house|building|bedroom|story|floor) (?:expansion|extension)`,
    String.raw`\b(?:new|add|construct|build|erect|propos\w+|\(n\))\b[^.;,]{0,30}\bdormers?\b|\bpop[- ]?(?:top|out)\b|\bpop[- ]?up (?:addition|dormer|roof|second|2nd)|\bbump[- ]?out\b`,
  ].join('|'),
)
