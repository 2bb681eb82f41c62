// Classifies a permit by its project type and description, and returns the words that decided. A specific type
// ("PHOTOVOLTAIC") takes precedence over the description; with a generic type ("Building Permit") the description decides.
import type { PermitClass } from '../domain/facts.ts'
import { spelledOut } from './permit-abbreviations.ts'
import { accessoryUnit, accessoryUnitIn, buildsUnit, houseAsUnit } from './permit-accessory-unit.ts'
import { additionByType, additionType, additionWork, sameSize, servedAddition, siteWork } from './permit-addition.ts'
import { type Demolition, demolishedObjects, demolitionIn, demolitionWord } from './permit-demolition.ts'
import { multifamilyIn } from './permit-multifamily.ts'
import { isNewHouse, type NewHouse, newHouseByType, newHouseIn } from './permit-new-house.ts'
import { type ClassRules, ruledClass } from './permit-rules.ts'
import { systemClass, systemFirst, systemWork } from './permit-systems.ts'
import { permitText } from './permit-text.ts'
import { notStreet, severalFamilies } from './permit-words.ts'

export interface ClassifiedPermit {
  permitClass: PermitClass
  classWords: readonly string[]
}

/** Characters of a description that are read: longer ones end in conditions, and the patterns take quadratic time. */
const readLength = 2_000

export const classifyPermit = (
  projectType: string | undefined,
  description: string | undefined,
  own?: ClassRules,
  /** Dwelling units that the feed states. */
  units?: number,
): ClassifiedPermit => {
  const typed = spelledOut(projectType ?? '', true)
  const scoped = spelledOut((description ?? '').slice(0, readLength), false)
  const { permitClass, classWords } = classOf(
    permitText(typed.text, own?.ignore),
    permitText(scoped.text, own?.ignore),
    own,
  )
  const asWritten = (word: string) => {
    const inType = typed.asWritten(word)
    return inType === word ? scoped.asWritten(word) : inType
  }
  // The city's own count decides between a house and several dwellings; a house with an accessory unit has two.
  const isSeveral = permitClass === 'new_house' && units && units > (accessoryUnit.test(scoped.text) ? 2 : 1)
  return { permitClass: isSeveral ? 'multifamily' : permitClass, classWords: classWords.map(asWritten) }
}

const classOf = (type: string, scope: string, own: ClassRules | undefined): ClassifiedPermit => {
  const ruled = own && ruledClass(own, type, scope)
  if (ruled) return ruled
  if (demolitionWord.test(type)) return demolitionByType(type, scope)
  // A permit for one trade or system builds no house, whatever house it names.
  const byTrade = systemType(type)
  if (byTrade) return byTrade
  const trade = tradePermit.exec(scope)
  if (trade) return found('other', trade[0])
  const newHouse = newHouseIn(type, scope) ?? firstOfList(type, scope)
  for (const { permitClass, pattern } of types) {
    const word = pattern.exec(type)
    if (word && permitClass === 'adu' && repairType.test(type) && scope !== '' && !buildsUnit.test(scope)) continue
    if (
      word &&
      permitClass === 'adu' &&
      additionByType(type, scope) &&
      additionWork.test(scope) &&
      !accessoryUnit.test(scope)
    )
      continue
    if (word) return newHouse && permitClass === 'adu' ? asNewHouse(newHouse) : found(permitClass, word[0])
  }
  const demolition = demolitionIn(scope)
  const asUnit = houseAsUnit(scope)
  if (newHouse) return asUnit ? found('adu', asUnit) : asNewHouse(newHouse)
  if (demolition && isWholeHouse(demolition, type, scope)) return found('whole_house_demolition', ...demolition.words)
  const addition = additionByType(type, scope)
  if (addition && !(accessoryType.test(type) ? accessoryUnit : becomesUnit).test(scope))
    return found('addition', addition)
  const byType = newHouseByType(type, scope)
  if (byType && isNewHouse(byType)) return asUnit ? found('adu', asUnit) : asNewHouse(byType)
  const first = systemFirst.exec(scope)
  const fire = fireSystemIn(scope)
  const work = (fire ? fire.otherWork : scope).replace(servedAddition, ' ')
  const unit = accessoryUnitIn(type, work)
  const several = first || fire ? undefined : multifamilyIn(type, scope)
  if (several && !(unit && scope.indexOf(unit) < scope.indexOf(several))) return found('multifamily', several)
  if (unit && !first) return found('adu', unit)
  for (const { permitClass, pattern } of scopes) {
    const words = pattern.exec(work)
    if (words) return found(permitClass, words[0])
  }
  // A city with one generic type mentions a demolition only in the description.
  if (demolition) return demolitionByScope(demolition, scope)
  if (fire) return found('other', fire.words)
  const system = systemWork.exec(scope) ?? siteWork.exec(scope)
  if (system) return found('other', system[0])
  for (const { permitClass, pattern } of weakTypes) {
    const word = pattern.exec(type)
    if (word && !(permitClass === 'addition' && sameSize.test(scope))) return found(permitClass, word[0])
  }
  return { permitClass: 'other', classWords: [] }
}

/** "Single family (new construction), accessory dwelling unit": the house comes first in a list of types. */
const firstOfList = (type: string, scope: string): NewHouse | undefined => {
  const [first, ...rest] = type.split(', ')
  const house = rest.length > 0 && !accessoryUnit.test(first!) ? newHouseByType(first!, scope) : undefined
  return house && isNewHouse(house) && oneFamilyType.test(first!) ? house : undefined
}
const oneFamilyType = /\bsingle[- ]family\b/
/** "**Fire alarm permit** renovation and addition". */
const tradePermit = /^[^a-z]*(?:fire alarm|sprinkler|electrical|plumbing|mechanical|low voltage) permit\b/

const found = (permitClass: PermitClass, ...words: string[]): ClassifiedPermit => ({
  permitClass,
  classWords: words.map((word) => word.trim()).filter(Boolean),
})
const systemType = (type: string): ClassifiedPermit | undefined => {
  const system = systemClass(type)
  return system && found(system.permitClass, system.word)
}
const asNewHouse = ({ words }: NewHouse): ClassifiedPermit => found('new_house', ...words)

/**
 * The permit is a demolition by its type. What the description names decides; without a name the type decides. A bare
 * "Demo" counts as whole-house: this is right nine times in ten where a city has a separate type for partial demolitions,
 * and about half the time where it has none (measured on Los Altos before and after 2011, when it added that type).
 * `classWords` shows which case applied. A bare one trains the teardown model only if later permits on the parcel do not
 * contradict it.
 */
const demolitionByType = (type: string, scope: string): ClassifiedPermit => {
  const word = demolitionWord.exec(type)![0]
  // "Demolition All Other Buildings": the city has another type for houses.
  const others = /\bother (?:building|structure)s?\b/.exec(type)
  const typed: Demolition | undefined = others
    ? { of: 'part', words: [others[0]] }
    : demolishedObjects(
        type.replace(new RegExp(demolitionWord.source, 'g'), ' ').replace(/\b(building|permit)\b(?! ?\/)/g, ' '),
      )
  const scoped = demolitionIn(scope) ?? demolishedObjects(scope)
  const named = scoped && scoped.of !== 'unnamed' ? scoped : undefined
  // "Demolition / Partial" and "Residential accessory": the type narrows it unless the description names the house.
  const decides =
    typed?.of === 'part' && (!named || named.of === 'structure' || partialType.test(type)) ? typed : (named ?? typed)
  if (!decides) return found('whole_house_demolition', word)
  const words = [word, ...decides.words.filter((each) => each !== word)]
  if (decides.of === 'house') return found('whole_house_demolition', ...words)
  if (decides.of === 'part') return found('partial_demolition', ...words)
  if (decides.of === 'business') return found('other', ...words)
  if (typed?.of === 'business') return found('other', word, ...typed.words)
  const large = decides.of === 'structure' && largeOrCommercial.exec(scope)
  if (large) return found('other', word, large[0])
  if (typed?.of === 'house' || /\bres(idential)?\b/.test(type) || !severalBuildings.test(scope))
    return found('whole_house_demolition', ...words)
  return found('other', ...words)
}
/** "2 story masonry building. Commercial", "7 story mid rise building". */
const largeOrCommercial = new RegExp(
  String.raw`\b(?:commercial|industrial|(?:mid|high)[- ]?rise|(?<![0-9./\\])(?:[5-9]|[1-9][0-9])[- ]?stor(?:y|ies)|restaurant|cemetery)\b${notStreet}`,
)
const partialType = /\bpartial\b|\binterior\b/
const severalBuildings = /\b(buildings|bldgs)\b/

const isWholeHouse = ({ of }: Demolition, type: string, scope: string): boolean => {
  // "New / Duplex", "Addition": the demolition makes room for the building that the permit is for.
  if (/\bnew\b/.test(type) && severalFamilies.test(type)) return false
  if (additionType.test(type) && /\b(?:erect|construct|build(?!ing)|new|add|install)/.test(scope)) return false
  if (of === 'house') return !(repairType.test(type) && /\binterior\b/.test(scope))
  if (of !== 'structure' || repairType.test(type)) return false
  return !severalBuildings.test(scope) && !notOneHouse.test(`${type} ${scope}`)
}

const notOneHouse = new RegExp(
  String.raw`\b(?:commercial|comm|tenant|office|retail|industrial|erect(?:ion|ing)?|construct(?:ing|ion of)?|mixed)\b${notStreet}`,
)

const demolitionByScope = ({ of, words }: Demolition, scope: string): ClassifiedPermit => {
  if (of === 'part') return found('partial_demolition', ...words)
  // "Demo" alone is the whole permit; within a longer text it is a step of other work.
  if (
    of === 'unnamed' &&
    (scope.split(' ').length <= 3 || /^(total|complete|full|entire|residential) demo/.test(scope))
  )
    return found('whole_house_demolition', ...words)
  return found('other', ...words)
}

/** "Rehab / Accessory Dwelling Unit" works on a unit that exists, unless the description builds one. */
const repairType = /\b(?:rehab\w*|remodel\w*|renovat\w*|repairs?|alterations?)\b/
/** "Addition / Accessory Structure, Garage": an accessory unit in the description is no part of the house. */
const accessoryType = /\baccessory (?:structure|building)/
/** "Convert garage to ADU and add 200 sf" under the type "Addition". */
const becomesUnit = new RegExp(
  `^convert\\w*\\b[^.;]{0,60}\\b(?:to|into|as) (?:an? |new |detached |attached )*${accessoryUnit.source}`,
)

/** Project types that name the work. */
const types: readonly { permitClass: PermitClass; pattern: RegExp }[] = [
  { permitClass: 'adu', pattern: accessoryUnit },
  { permitClass: 'pool', pattern: /\b(swimming )?pools?\b(?! house)|\bspa\b/ },
]

/** Patterns for descriptions, larger projects first: the description of an addition may also mention a roof or solar. */
const scopes: readonly { permitClass: PermitClass; pattern: RegExp }[] = [
  { permitClass: 'addition', pattern: additionWork },
  { permitClass: 'solar', pattern: /\b(photo ?voltaic|solar|pv\b|power ?walls?|energy storage|[0-9.]+ ?kw)\b/ },
  { permitClass: 'pool', pattern: /\b(swimming )?pools?\b(?! ?house)|\b(hot tub|spa)\b|\bswp\b/ },
  {
    permitClass: 'remodel',
    pattern:
      /\b(remodel\w*|rmd|renovat\w*|rehab\w*|kitchen|bath(room)?s?|alterations?|interior (work|upgrade|improvement)|conver(t|sion)|refurbish\w*|finish[- ]?out|update|upgrade interior|tenant improvement|legaliz\w*|t\.i\.)(?![a-z])/,
  },
  {
    permitClass: 'roof',
    pattern:
      /\bre-?roof\w*|\broof(ing)? (replace\w*|overlay|tear|repair|only)|\b(replace|new|remove)\b[^.;]{0,30}\broof(ing)?\b(?! deck)|\b(tear[- ]?off|shingles?|comp(osition)? roof)\b/,
  },
]

/**
 * A fire system that the description starts with, and the rest of the description. "Addition of 73 duct detectors" and "install
 * sprinkler system, remodel area only" have no other work; "install sprinklers and 450 sf addition" has.
 */
const fireSystemIn = (scope: string): { words: string; otherWork: string } | undefined => {
  const system = fireSystem.exec(scope)
  if (!system) return undefined
  // "New detached ADU with fire sprinklers": the system is part of the other work.
  const before = system.groups!.before!
  if (accessoryUnit.test(before) || scopes.some(({ pattern }) => pattern.test(before))) return undefined
  const rest = scope.slice(system[0].length).replace(reference, '').replace(servedPlace, '').replace(servedArea, ' ')
  const [first, ...later] = rest.split('. ')
  // A later sentence describes the system further ("piping above new ceiling in bathroom") unless it starts with other work.
  const others = later.filter((sentence) => scopes.some(({ pattern }) => pattern.test(sentence.slice(0, 25))))
  return { words: system[0], otherWork: [first, ...others].join('. ') }
}
const fireSystem =
  /^(?:install\w*|additions? of|add(?:ing)?|relocat\w*|replac\w*|modif\w*|new)\b(?<before>(?:(?!\b(?:bed|bath|room|stor|kitchen|house|home|garage|unit|dwell|roof|sq|sf|addition|remodel))[^.;,&]){0,40})\b(?:fire (?:sprinklers?|alarms?)|sprinkler(?:s|(?: system| heads?))?|(?:smoke|duct|heat) detectors?)\b/
/** "Ref. pa #2013…", "t.i. app #2005…": the permit of the building work that the system belongs to. */
const reference = /\b(?:ref(?:er(?:en)?\w*)?[ .#]|(?:t\.i\.|pa|bpa) ?(?:app|ref|pa|#|[0-9])).*$/
/** "For new ADU", "in kitchen and bath remodel": where the system is installed. A verb or a number after "and" starts other work. */
const servedPlace =
  /^(?: (?!and\b|with\b|plus\b)[^ .;,&+]+){0,3}? (?:for|in|at|to|on|of|within|serving|through-?(?: ?out)?|inside|due|per)\b(?:(?!(?: and| with| plus| ?&) (?:an? |also )*(?:remodel|renovat|add|build\b|construct|convert|creat|legaliz|replac|re-?roof|demo|[0-9]))(?!\. )[^;,])*/
/** "Remodel area only", "addition of one power supply". */
const servedArea =
  /\b(?:additions?|remodel\w*|renovat\w*|alterations?|tenant improvement|t\.i\.) (?:areas?|spaces?|only)\b|\badditions? of (?:one|two|three|four|[0-9]+)\b(?! ?(?:sq|sf|bed|bath|room|stor))/g

/** Project types that decide only if no description pattern matches. */
const weakTypes: readonly { permitClass: PermitClass; pattern: RegExp }[] = [
  { permitClass: 'addition', pattern: /\badditions? (?:and|&|with|w\/) (?:remodel|renovat)\w*/ },
  { permitClass: 'remodel', pattern: /\b(remodel\w*|rehab\w*|renovation|alterations?|interior|tenant improvement)\b/ },
  { permitClass: 'addition', pattern: /\badditions?\b/ },
]
