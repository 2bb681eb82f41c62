// Classifies a permit by its project type and description, and returns the words that decided. A specific type
// ("PHOTOVOLTAIC") takes precedence over the description; with a generic type ("Building Permit") the description decides.
//
// How it works: `permit-abbreviations.ts` spells out abbreviations ("sgl fam dwlg"), `permit-text.ts` drops what is not the
// work ("under separate permit"), then the first of the `steps` below that knows the class decides. Each class has its own
// file; `permit-words.ts` holds the words that they share, and `permit-pattern.ts` says how patterns are written.
//
// To add a word: find its list (an abbreviation or a spelling in `permit-abbreviations.ts`, a kind of building or part in
// `permit-words.ts`, otherwise the file of the class), and add it to the line of its kind. To add a rule: one line with an
// example in the pattern of its class, or one step. Words of one city belong in its source (`permitClasses`), not here.
// To measure: add invented rows to `test/ingest/permit-class.test.ts`, label rows of a real export by hand, and compare
// `npx lotline sources classes` before and after. A rule that changes rows of one city only is not worth its line.
import type { PermitClass } from '../domain/facts.ts'
import { spelledOut } from './permit-abbreviations.ts'
import { accessoryUnit, accessoryUnitIn, buildsUnit, houseAsUnit } from './permit-accessory-unit.ts'
import { additionByType, additionType, additionWork, sameSize, servedAddition, siteWork } from './permit-addition.ts'
import { type Demolition, demolishedObjects, demolitionIn, demolitionWord } from './permit-demolition.ts'
import { fireSystemIn } from './permit-fire.ts'
import { multifamilyIn } from './permit-multifamily.ts'
import { isNewHouse, type NewHouse, newHouseByType, newHouseIn } from './permit-new-house.ts'
import { anyOf, anyWord, inOrder } from './permit-pattern.ts'
import { type ClassRules, ruledClass } from './permit-rules.ts'
import { systemClass, systemFirst, systemWork } from './permit-systems.ts'
import { permitText } from './permit-text.ts'
import { business, notStreet, severalFamilies } from './permit-words.ts'

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
    return inType === word || scoped.text.includes(word) ? scoped.asWritten(word) : inType
  }
  // The city's own count decides between a house and several dwellings; a house with an accessory unit has two.
  const isSeveral = permitClass === 'new_house' && units && units > (accessoryUnit.test(scoped.text) ? 2 : 1)
  return { permitClass: isSeveral ? 'multifamily' : permitClass, classWords: classWords.map(asWritten) }
}

/** The prepared texts of a permit. What several steps ask for is read once, and only if a step asks. */
interface Read {
  type: string
  scope: string
  newHouse: () => NewHouse | undefined
  demolition: () => Demolition | undefined
}
type Step = (permit: Read) => ClassifiedPermit | undefined

const classOf = (type: string, scope: string, own: ClassRules | undefined): ClassifiedPermit => {
  const ruled = own && ruledClass(own, type, scope)
  if (ruled) return ruled
  const permit: Read = {
    type,
    scope,
    newHouse: once(() => newHouseIn(type, scope) ?? firstOfList(type, scope)),
    demolition: once(() => demolitionIn(scope)),
  }
  for (const step of steps) {
    const decided = step(permit)
    if (decided) return decided
  }
  return { permitClass: 'other', classWords: [] }
}
const once = <T>(read: () => T): (() => T) => {
  let held: { value: T } | undefined
  return () => {
    held ??= { value: read() }
    return held.value
  }
}

/** "ADU / Detached": the type names an accessory unit, unless the description works on one or adds rooms. */
const unitByType: Step = ({ type, scope, newHouse }) => {
  const unit = accessoryUnit.exec(type)
  if (!unit || (repairType.test(type) && scope !== '' && !buildsUnit.test(scope))) return undefined
  if (additionByType(type, scope) && additionWork.test(scope) && !accessoryUnit.test(scope)) return undefined
  const house = newHouse()
  return house ? asNewHouse(house) : found('adu', unit[0])
}

const poolByType: Step = ({ type }) => {
  const pool = /\b(?:swimming )?pools?\b(?! house)|\bspa\b/.exec(type)
  return pool ? found('pool', pool[0]) : undefined
}

const houseOrUnit = (house: NewHouse, scope: string): ClassifiedPermit => {
  const unit = houseAsUnit(scope)
  return unit ? found('adu', unit) : asNewHouse(house)
}

const enlargedByType: Step = ({ type, scope }) => {
  const addition = additionByType(type, scope)
  const becomes = accessoryType.test(type) ? accessoryUnit : becomesUnit
  return addition && !becomes.test(scope) ? found('addition', addition) : undefined
}

const houseByType: Step = ({ type, scope }) => {
  const house = newHouseByType(type, scope)
  return house && isNewHouse(house) ? houseOrUnit(house, scope) : undefined
}

/** The work that the description names, larger projects first; what a system serves is not the work. */
const describedWork: Step = ({ type, scope, demolition }) => {
  const first = systemFirst.test(scope)
  const fire = fireSystemIn(scope, isWork)
  const work = (fire ? fire.otherWork : scope).replace(servedAddition, ' ')
  const unit = accessoryUnitIn(type, work)
  const several = first || fire ? undefined : multifamilyIn(type, scope)
  if (several && !(unit && scope.indexOf(unit) < scope.indexOf(several))) return found('multifamily', several)
  if (unit && !first) return found('adu', unit)
  for (const { permitClass, pattern } of scopes) {
    const words = first && !fire && permitClass === 'addition' ? null : pattern.exec(work)
    if (words) return found(permitClass, words[0])
  }
  // A city with one generic type mentions a demolition only in the description.
  const demolished = demolition()
  if (demolished) return demolitionByScope(demolished, type, scope)
  return fire && found('other', fire.words)
}

const matched = (permitClass: PermitClass, words: RegExpExecArray | null) =>
  words ? found(permitClass, words[0]) : undefined

/** The decisions in order: the first that knows the class decides. */
const steps: readonly Step[] = [
  // "Demolition", "Wrecking"
  ({ type, scope }) => (demolitionWord.test(type) ? demolitionByType(type, scope) : undefined),
  // "Electrical": a permit for one trade or system builds no house, whatever house it names.
  ({ type, scope }) =>
    (/\belectric/.test(type) ? matched('solar', solarPanels.exec(scope)) : undefined) ?? systemType(type),
  ({ scope }) => matched('other', tradePermit.exec(scope)),
  // "ADU / Detached"
  unitByType,
  poolByType,
  // "Construct new two-story residence"
  ({ scope, newHouse }) => newHouse() && houseOrUnit(newHouse()!, scope),
  // "Demolish existing single family residence"
  ({ type, scope, demolition }) => wholeHouse(demolition(), type, scope),
  // "Residential addition"
  enlargedByType,
  // "Residential - New / Single Family"
  houseByType,
  // "Add one dwelling unit", "horizontal addition at rear", "kitchen remodel", "re-roof", "demo garage"
  describedWork,
  // "Water heater replacement", "erect 4 antennas"
  ({ scope }) => matched('other', systemWork.exec(scope) ?? siteWork.exec(scope)),
  // "Residential alteration", if the description says nothing
  ({ type, scope }) => weakType(type, scope),
]

/** "Single family (new construction), accessory dwelling unit": the house comes first in a list of types. */
const firstOfList = (type: string, scope: string): NewHouse | undefined => {
  const [first, ...rest] = type.split(', ')
  const house = rest.length > 0 && !accessoryUnit.test(first!) ? newHouseByType(first!, scope) : undefined
  return house && isNewHouse(house) && oneFamilyType.test(first!) ? house : undefined
}
const oneFamilyType = /\bsingle[- ]family\b/
/** "Roof mount PV, 18 modules" under the type "Electrical". */
const solarPanels = anyWord`photo ?voltaic|solar|pv`
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
const largeOrCommercial = new RegExp(inOrder`
  \b(commercial|industrial|restaurant|cemetery|(mid|high)[- ]?rise|(?<![0-9./\\])([5-9]|[1-9][0-9])[- ]?stor(y|ies))\b
  ${notStreet}
`)
const partialType = /\bpartial\b|\binterior\b/
const severalBuildings = /\b(buildings|bldgs)\b/

const wholeHouse = (demolition: Demolition | undefined, type: string, scope: string): ClassifiedPermit | undefined =>
  demolition && isWholeHouse(demolition, type, scope) ? found('whole_house_demolition', ...demolition.words) : undefined
const isWholeHouse = ({ of }: Demolition, type: string, scope: string): boolean => {
  // "New / Duplex", "Addition": the demolition makes room for the building that the permit is for.
  if (/\bnew\b/.test(type) && severalFamilies.test(type)) return false
  if (additionType.test(type) && /\b(?:erect|construct|build(?!ing)|new|add|install)/.test(scope)) return false
  if (of === 'house') return !(repairType.test(type) && /\binterior\b/.test(scope))
  if (of !== 'structure' || repairType.test(type)) return false
  return !severalBuildings.test(scope) && !notOneHouse.test(`${type} ${scope}`)
}
const notOneHouse = new RegExp(inOrder`
  \b(commercial|comm|tenant|office|retail|industrial|mixed|erect(ion|ing)?|construct(ing|ion of)?)\b
  ${notStreet}
`)

/** "Demo only" under the types "Alter" and "Business building" is no house. */
const partOrBusiness = new RegExp(String.raw`\b(?:alter\w*|${business})(?![a-z])`)
const demolitionByScope = ({ of, words }: Demolition, type: string, scope: string): ClassifiedPermit => {
  if (of === 'part') return found('partial_demolition', ...words)
  // "Demo" alone is the whole permit; within a longer text it is a step of other work.
  if (
    of === 'unnamed' &&
    !partOrBusiness.test(type) &&
    (scope.split(' ').length <= 3 || /^(total|complete|full|entire|residential) demo/.test(scope))
  )
    return found('whole_house_demolition', ...words)
  return found('other', ...words)
}

/** "Rehab / Accessory Dwelling Unit" works on a unit that exists, unless the description builds one. */
const repairType = /\b(?:rehab\w*|remodel\w*|renovat\w*|repairs?|alterations?)\b/
/** "Addition / Accessory Structure, Garage": an accessory unit in the description is no part of the house. */
const accessoryType = /\baccessory (?:structure|building)/
/** "Convert garage to ADU and add 200 sf", "construct accessory dwelling unit" under the type "Addition". */
const becomesUnit = new RegExp(inOrder`
  ^(convert\w*\b[^.;]{0,60}\b(to|into|as)|construct|build|erect|new|create) (an? |new |detached |attached )*${accessoryUnit.source}
`)

/** Patterns for descriptions, larger projects first: the description of an addition may also mention a roof or solar. */
const scopes: readonly { permitClass: PermitClass; pattern: RegExp }[] = [
  { permitClass: 'addition', pattern: additionWork },
  { permitClass: 'solar', pattern: anyWord`photo ?voltaic|solar|pv|power ?walls?|energy storage|[0-9.]+ ?kw` },
  { permitClass: 'pool', pattern: /\b(?:swimming )?pools?\b(?! ?house)|\b(?:hot tub|spa|swp)\b/ },
  {
    permitClass: 'remodel',
    pattern: new RegExp(inOrder`
      \b${anyOf`
        remodel\w*|rmd|renovat\w*|rehab\w*|alterations?|refurbish\w*|update|upgrade interior|conver(t|sion)|legaliz\w*
        finish(ing)? (the |existing )*(basement|attic)|kitchen|bath(room)?s?|interior (work|upgrade|improvement)|finish[- ]?out|tenant improvement|t\.i\.
      `}(?![a-z])
    `),
  },
  {
    permitClass: 'roof',
    pattern: new RegExp(anyOf`
      \bre-?roof\w*|\broof(ing)? (replace\w*|overlay|tear|repair|only)
      \b(replace|new|remove)\b[^.;]{0,30}\broof(ing)?\b(?! deck)
      \b(tear[- ]?off|shingles?|comp(osition)? roof)\b
    `),
  },
]

const isWork = (text: string): boolean => scopes.some(({ pattern }) => pattern.test(text))

/** Project types that decide only if no description pattern matches. */
const weakType = (type: string, scope: string): ClassifiedPermit | undefined => {
  const also = sameSize.test(scope) ? null : /\badditions? (?:and|&|with|w\/) (?:remodel|renovat)\w*/.exec(type)
  return (
    matched('addition', also) ??
    matched('remodel', anyRemodel.exec(type)) ??
    matched('addition', sameSize.test(scope) ? null : /\badditions?\b/.exec(type))
  )
}
const anyRemodel = anyWord`remodel\w*|rehab\w*|renovation|alterations?|interior|tenant improvement`
