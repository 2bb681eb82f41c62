// Classifies a permit by its project type and description, and returns the words that decided. A specific type
// ("PHOTOVOLTAIC") takes precedence over the description; with a generic type ("Building Permit") the description decides.
import type { PermitClass } from '../contract/facts.ts'

export interface ClassifiedPermit {
  permitClass: PermitClass
  classWords: readonly string[]
}

export const classifyPermit = (projectType: string | undefined, description: string | undefined): ClassifiedPermit => {
  const type = (projectType ?? '').toLowerCase()
  const scope = (description ?? '').toLowerCase()
  if (demolitionType.test(type)) return demolition(type, scope)
  for (const { permitClass, pattern } of types) {
    const word = pattern.exec(type)
    if (word && !(permitClass === 'new_house' && !isOneFamily(type, scope))) return refined(permitClass, word[0], scope)
  }
  const whole = demolishedHouse.exec(scope)
  if (whole && !partWord.test(scope) && !newHouse.test(scope))
    return { permitClass: 'whole_house_demolition', classWords: [whole[0]] }
  for (const { permitClass, pattern } of scopes) {
    const words = pattern.exec(scope)
    if (words) return { permitClass, classWords: [words[0].trim()] }
  }
  // A city with one generic type mentions a demolition only in the description.
  if (demolitionWord.test(scope)) return demolition('', scope)
  for (const { permitClass, pattern } of weakTypes) {
    const word = pattern.exec(type)
    if (word) return { permitClass, classWords: [word[0].trim()] }
  }
  return { permitClass: 'other', classWords: [] }
}

const demolitionType = /\bdemo(lition|lish|s)?\b|\brazing\b|\braze\b/
const demolitionWord = /\b(demo|demol\w*|raze|razing|tear ?down|deconstruct\w*|wreck(ing)?)\b/

/**
 * A demolition counts as whole-house unless a word narrows it to a part. A bare "Demo" also counts as whole-house: this is
 * right nine times in ten where a city has a separate type for partial demolitions, and about half the time where it has
 * none (measured on Los Altos before and after 2011, when it added that type). `classWords` shows which case applied. A bare
 * one trains the teardown model only if later permits on the parcel do not contradict it.
 */
const demolition = (type: string, scope: string): ClassifiedPermit => {
  const text = `${type} ${scope}`
  const by = (demolitionWord.exec(text) ?? demolitionType.exec(text))?.[0] ?? 'demolition'
  const business = businessWord.exec(text)
  const part = partWord.exec(text)
  // The type "RES-DEMO" also covers pools and sheds: "res" there means residential, not a residence.
  const named = houseWord.exec(scope) ?? houseWord.exec(type)
  const house = part && named && named.input === type && /^res/.test(named[0]) ? null : named
  if (part && !(house && accessoryWord.test(part[0]) && !onlyPart.test(text)))
    return { permitClass: 'partial_demolition', classWords: [by, part[0].trim()] }
  if (business && !house) return { permitClass: 'other', classWords: [by, business[0].trim()] }
  return { permitClass: 'whole_house_demolition', classWords: house ? [by, house[0].trim()] : [by] }
}

/** Words for a part of a house or for something other than a house. */
const partWord =
  /\b(part(ial|ly|s)?|par[it]{1,3}al|portions?|partialdemo\w*|int(erior)?|inter\.|non[- ]?structural|soft demo|walls?|ceilings?|drywall|sheet ?rock|finishes|kitchen|bath(room)?s?|bedrooms?|chimneys?|fire ?places?|decks?|porch(es)?|patios?|awnings?|canop(y|ies)|stairs?|fences?|gates?|retaining|tanks?|tennis|sport courts?|courts?|swp|pools?|spas?|hot tubs?|swimming|gazebos?|sheds?|barns?|greenhouse|carports?|garages?|access(ory)?|acc ?str|accstr|accessory structures?|outbuildings?|cottages?|cabanas?|pool ?house|guest ?house|shade structure|arbors?|trellis|foundation to (stay|remain)|foundation only|slab only|signs?|t\.?i\.?|tenant( improvement)?|suite|ste|windows?|siding|roof(ing)?|hvac|equipment|electrical|plumbing|concrete|driveway|shelving|restrooms?|storage\)?|platforms?|upgrade|antenna|pcs|tower|laundry|coop|terraces?|fill and compact|and fill|back ?fill|add\/?(rem\w*)?|additions?|remodel\w*|alterations?)\b/
/** Demolished together with a house, these do not make the demolition partial: "house, swimming pools, shed". */
const accessoryWord =
  /^(decks?|patios?|fences?|swp|pools?|spas?|hot tubs?|swimming|gazebos?|sheds?|barns?|greenhouse|carports?|garages?|access(ory)?|accessory structures?|outbuildings?|cottages?|cabanas?|pool ?house|guest ?house|concrete|driveway|porch(es)?|chimneys?|fire ?places?|slab only|arbors?|trellis|courts?|tennis|walls?|storage\)?|foundation only|electrical|plumbing|roof(ing)?|siding|windows?)$/
const onlyPart =
  /\b(part(ial|ly)?|par[it]{1,3}al|portions?|interior|int|non[- ]?structural)\b|(of|at|to|from|in) (the )?(existing )?(house|residence|home|dwelling)\b/
const houseWord =
  /\b(main ?house|(?<!\b(?:pool|guest|green|club) ?)houses?|residences?|homes?|dwellings?|s\.?f\.?[dr]\.?|single[- ]family|main structure|main building|residential( structure| building)?|res\b\.?|bungalow|duplex)\b/
const businessWord =
  /\b(comm?(ercial)?\b\.?|restaurants?|restarant|offices?|office ?build\w*|\w*officebuild\w*|retail|stores?|shops?|bank|churche?s?|schools?|pre-?school|day ?care|hotel|motel|gas station|service station|warehouse|industrial|mini-?mall|mall|condominium complex|apartments?|hospital|clinic|metro|buildings|ph(ase)? ?([0-9]|i{1,3})|bldgs?)\b/
const demolishedHouse =
  /\b(demol\w*|demo|raze|razing|tear(ing)? down|tear-?down|deconstruct\w*|remove)\b( of)?( (the|an|a|one|1|all|entire|whole|complete|existing|exist\.?|\(e\)|e|old|main|single[- ]family|one[- ]story|two[- ]story|1[- ]story|2[- ]story|[0-9,]+ ?(sf|sq\.? ?ft\.?)|wood[- ]frame|residential))*( |-)(house|residence|home|dwelling|s\.?f\.?[dr]\b|main structure|structures?|buildings?)\b/

/** Project types that name the work. */
const types: readonly { permitClass: PermitClass; pattern: RegExp }[] = [
  {
    permitClass: 'adu',
    pattern: /\b(j?adu|a\.d\.u\.?|accessory dwelling|second(ary)? (dwelling|unit)|2nd unit( added)?)\b/,
  },
  { permitClass: 'solar', pattern: /\b(photo ?voltaic|solar|pv)\b/ },
  { permitClass: 'pool', pattern: /\b(swimming )?pools?\b(?! house)|\bspa\b/ },
  { permitClass: 'roof', pattern: /\bre-?roof(ing)?\b|\broof(ing)?\b/ },
  {
    permitClass: 'new_house',
    pattern:
      /\bs\.?f\.?[dr]\b|\bnew (single[- ]family|house|home|residence|dwelling|construction|building|structure)|\bsingle[- ]family (new|dwelling - new)|\bnew\b/,
  },
]

/** "New construction" can be any building: it counts as a house only if the text does not mention several units. */
const isOneFamily = (type: string, scope: string): boolean => {
  if (/\bs\.?f\.?[dr]\b|single[- ]family|\b(house|home|residence|dwelling)\b/.test(type))
    return !manyFamilies.test(scope)
  return newHouse.test(scope) || (oneFamily.test(`${type} ${scope}`) && !manyFamilies.test(scope))
}
const oneFamily =
  /\b(single[- ]family|one[- ]family|1[- ]family|sf[dr]\b|s\.f\.[dr]|residence|single[- ]dwelling|one (dwelling )?unit|1 (dwelling )?unit|house|home)\b/
const manyFamilies =
  /\b(multi|town ?(house|home)s?|condo(minium)?s?|apartments?|apt|duplex|triplex|fourplex|mixed[- ]use|([2-9]|[1-9][0-9]+)[- ]?(family|units?|dwelling)|(two|three|four|five|six)[- ](family|units?|dwelling))\b/

const newHouse =
  /\b(new|construct(ion of)?|build|erect)\b[^.;]{0,60}\b(single[- ]family|sf[dr]\b|s\.f\.[dr]|residence|house|home|dwelling)(?! (addition|remodel))|\bnew 1?2?[- ]?(one|two|1|2)?[- ]?story (sf[dr]|residence|home|house|dwelling)/
const house = new RegExp(newHouse.source)

/** Patterns for descriptions, larger projects first: the description of a new house may also mention a roof or solar. */
const scopes: readonly { permitClass: PermitClass; pattern: RegExp }[] = [
  {
    permitClass: 'adu',
    pattern:
      /\b(j?adus?|a\.d\.u\.?|(junior )?accessory (dwelling|living) units?|(second|2nd) (liv\w*|dwelling|residential)? ?units?|second(ary)? (dwelling|unit)|granny (flat|unit)|in-?law (unit|apartment)|ord(inance)?\.?( no\.?)? ?#?(162-16|95-17|30-15|43-14|49-14))\b/,
  },
  { permitClass: 'new_house', pattern: house },
  {
    permitClass: 'addition',
    pattern:
      /\b(additions?|add(ing)? (a )?([0-9][0-9,]* ?(sf|sq)|(second|2nd|third|3rd|new|upper) (stor|floor|level)|bed|bath|room|master|family)\w*|(second|2nd)[- ]stor(y|ey) add\w*|expand|expansion|enlarge|horizontal|vertical addition|extension|dormers?)\b/,
  },
  { permitClass: 'solar', pattern: /\b(photo ?voltaic|solar|pv\b|power ?walls?|energy storage|[0-9.]+ ?kw)\b/ },
  { permitClass: 'pool', pattern: /\b(swimming )?pools?\b(?! ?house)|\b(hot tub|spa)\b|\bswp\b/ },
  {
    permitClass: 'remodel',
    pattern:
      /\b(remodel\w*|rmd|renovat\w*|kitchen|bath(room)?s?|alterations?|interior (work|upgrade|improvement)|conver(t|sion)|refurbish|update|upgrade interior|tenant improvement|legaliz\w*|remodell?)\b/,
  },
  {
    permitClass: 'roof',
    pattern:
      /\bre-?roof\w*|\broof(ing)? (replace\w*|overlay|tear|repair|only)|\b(replace|new|remove)\b[^.;]{0,30}\broof(ing)?\b|\b(tear[- ]?off|shingles?|comp(osition)? roof)\b/,
  },
]

/** Project types that decide only if no description pattern matches. */
const weakTypes: readonly { permitClass: PermitClass; pattern: RegExp }[] = [
  { permitClass: 'addition', pattern: /^(residential |building |single[- ]family |sfd )*additions?$/ },
  { permitClass: 'remodel', pattern: /\b(remodel\w*|renovation|alterations?|interior)\b/ },
  { permitClass: 'addition', pattern: /\badditions?\b/ },
]

/** Cities also use their new-house type for smaller work: "SFD | Addition/ADU". */
const refined = (permitClass: PermitClass, word: string, scope: string): ClassifiedPermit => {
  if (permitClass !== 'new_house' || house.test(scope)) return { permitClass, classWords: [word] }
  for (const each of scopes) {
    if (each.permitClass !== 'addition' && each.permitClass !== 'remodel') continue
    const words = each.pattern.exec(scope)
    if (words) return { permitClass: each.permitClass, classWords: [words[0].trim()] }
  }
  return { permitClass, classWords: [word] }
}
