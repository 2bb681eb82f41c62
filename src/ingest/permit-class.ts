// Classifies a permit by its project type and description, and returns the words that decided. What the city files it under
// comes first; with a generic type ("Building Permit") the description decides. The first of the `steps` that knows the class
// decides; each class has its own file, and `permit-words.ts` holds the words that they share.
//
// A new word goes into the list of its kind. Words of one city go into its source (`permitClasses`). To measure, label rows of
// a real export by hand and compare `npx lotline sources classes`. A rule that changes rows of one city only is not worth its line.
import type { PermitClass } from '../domain/facts.ts'
import { spelledOut } from './permit-abbreviations.ts'
import { accessoryUnit, accessoryUnitIn, buildsUnit, houseAsUnit } from './permit-accessory-unit.ts'
import { additionByType, additionType, additionWork, sameSize, siteWork } from './permit-addition.ts'
import {
  type Demolition,
  demolishedByType,
  demolishedObjects,
  demolitionIn,
  demolitionWord,
} from './permit-demolition.ts'
import { multifamilyIn } from './permit-multifamily.ts'
import { newHouseByType, newHouseIn } from './permit-new-house.ts'
import { anyOf, anyWord, inOrder } from './permit-pattern.ts'
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
    return inType === word || scoped.text.includes(word) ? scoped.asWritten(word) : inType
  }
  return { permitClass: byUnits(permitClass, typed.text, scoped.text, units), classWords: classWords.map(asWritten) }
}

/** The city's own count decides between a house and several dwellings; a house with an accessory unit has two. */
const byUnits = (permitClass: PermitClass, type: string, scope: string, units: number | undefined): PermitClass => {
  if (permitClass === 'new_house' && units && units > (accessoryUnit.test(scope) ? 2 : 1)) return 'multifamily'
  const isOne = units === 1 && /\bsingle family\b/.test(type) && !/\b[2-9][- ]?(?:units|famil)/.test(scope)
  return permitClass === 'multifamily' && isOne ? 'new_house' : permitClass
}

/** The prepared texts of a permit, and what several steps ask for. */
interface Read {
  type: string
  scope: string
  newHouse: readonly string[] | undefined
  demolition: Demolition | undefined
}
type Step = (permit: Read) => ClassifiedPermit | undefined

const classOf = (type: string, scope: string, own: ClassRules | undefined): ClassifiedPermit => {
  const ruled = own && ruledClass(own, type, scope)
  if (ruled) return ruled
  const permit: Read = { type, scope, newHouse: newHouseIn(type, scope), demolition: demolitionIn(scope) }
  for (const step of steps) {
    const decided = step(permit)
    if (decided) return decided
  }
  return found('other')
}
const found = (permitClass: PermitClass, ...words: string[]): ClassifiedPermit => ({
  permitClass,
  classWords: words.map((word) => word.trim()).filter(Boolean),
})
const matched = (permitClass: PermitClass, words: RegExpExecArray | null) =>
  words ? found(permitClass, words[0]) : undefined
const newHouseOf = (words: readonly string[] | undefined) => words && found('new_house', ...words)

/** "ADU / Detached": the type names an accessory unit, unless the description works on one. */
const unitByType: Step = ({ type, scope, newHouse }) => {
  const unit = accessoryUnit.exec(type)
  if (!unit || (repairType.test(type) && scope !== '' && !buildsUnit.test(scope))) return undefined
  return newHouseOf(newHouse) ?? found('adu', unit[0])
}

const enlargedByType: Step = ({ type, scope }) => {
  const addition = additionByType(type, scope)
  return addition && !becomesUnit.test(scope) ? found('addition', addition) : undefined
}

/** The work that the description names, larger projects first; what a system serves is not the work. */
const describedWork: Step = ({ type, scope, demolition }) => {
  const system = systemFirst.exec(scope)
  if (system && /sprinkler|alarm|detector/.test(system[0])) return found('other', system[0])
  const unit = accessoryUnitIn(type, scope)
  const several = system ? undefined : multifamilyIn(type, scope)
  if (several && !(unit && scope.indexOf(unit) < scope.indexOf(several))) return found('multifamily', several)
  if (unit && !system) return found('adu', unit)
  for (const { permitClass, pattern } of scopes) {
    const words = permitClass === 'addition' && (system || smallType.test(type)) ? null : pattern.exec(scope)
    if (words) return found(permitClass, words[0])
  }
  // A city with one generic type mentions a demolition only in the description.
  return demolition && demolitionByScope(demolition, scope)
}

/** "Deck Permit", "Carport Permit": the addition in the description has a permit of its own. */
const smallType =
  /^(?:res(?:idential)? )?(?:deck|carport|(?:covered )?(?:patio|porch)|shed|accessory (?:building|structure)) /

/** The decisions in order: the first that knows the class decides. */
const steps: readonly Step[] = [
  // "Demolition", "Wrecking"
  ({ type, scope }) => (demolitionWord.test(type) ? demolitionByType(type, scope) : undefined),
  // "Electrical": a permit for one trade or system builds no house, whatever house it names.
  ({ type, scope }) => {
    const system = systemClass(type)
    // "Roof mount PV, 18 modules" under the type "Electrical".
    const panels = /\belectric/.test(type) ? matched('solar', solarPanels.exec(scope)) : undefined
    return panels ?? (system && found(...system))
  },
  // "ADU / Detached"
  unitByType,
  ({ type }) => matched('pool', /\b(?:swimming )?pools?\b(?! house)|\bspa\b/.exec(type)),
  // "Construct new two-story residence"
  ({ scope, newHouse }) => newHouse && (matched('adu', houseAsUnit.exec(scope)) ?? newHouseOf(newHouse)),
  // "Demolish existing single family residence"
  ({ type, scope, demolition }) =>
    demolition && isWholeHouse(demolition, type, scope)
      ? found('whole_house_demolition', ...demolition.words)
      : undefined,
  // "Residential addition"
  enlargedByType,
  // "Residential - New / Single Family"
  ({ type, scope }) => newHouseOf(newHouseByType(type, scope)),
  // "Add one dwelling unit", "horizontal addition at rear", "kitchen remodel", "re-roof", "demo garage"
  describedWork,
  // "Water heater replacement", "erect 4 antennas"
  ({ scope }) => matched('other', systemWork.exec(scope) ?? siteWork.exec(scope)),
  // "Residential alteration", if the description says nothing
  ({ type, scope }) =>
    matched(
      'addition',
      sameSize.test(scope) ? null : /\badditions? (?:and|&|with|w\/) (?:remodel|renovat)\w*/.exec(type),
    ) ??
    matched('remodel', anyRemodel.exec(type)) ??
    matched('addition', sameSize.test(scope) ? null : /\badditions?\b/.exec(type)),
]

const solarPanels = anyWord`photo ?voltaic|solar|pv`

/**
 * The permit is a demolition by its type. What the description names decides, then the type. A bare "Demo" counts as
 * whole-house: right nine times in ten where a city has a type for partial demolitions, half the time where it has none. It
 * trains the teardown model only if later permits on the parcel do not contradict it.
 */
const demolitionByType = (type: string, scope: string): ClassifiedPermit => {
  const word = demolitionWord.exec(type)![0]
  const typed = demolishedByType(type)
  const scoped = demolitionIn(scope) ?? demolishedObjects(scope)
  const named = scoped && scoped.of !== 'unnamed' ? scoped : undefined
  // "Demolition / Partial" and "Residential accessory": the type narrows it unless the description names the house.
  const decides = typed?.of === 'part' && named?.of !== 'house' ? typed : (named ?? typed)
  if (!decides) return found('whole_house_demolition', word)
  const words = [word, ...decides.words.filter((each) => each !== word)]
  if (decides.of === 'house') return found('whole_house_demolition', ...words)
  if (decides.of === 'part') return found('partial_demolition', ...words)
  if (decides.of === 'business') return found('other', ...words)
  if (typed?.of === 'business') return found('other', word, ...typed.words)
  const large = notOneHouse.exec(scope)
  return large ? found('other', word, large[0]) : found('whole_house_demolition', ...words)
}
/** "2 story masonry building. Commercial", "7 story mid rise building". */
const notOneHouse = new RegExp(inOrder`
  \b(buildings|bldgs|comm(ercial)?|industrial|tenant|office|retail|mixed|(mid|high)[- ]?rise|(?<![0-9./])([5-9]|[1-9][0-9])[- ]?story)\b
  ${notStreet}
`)

const isWholeHouse = (demolition: Demolition, type: string, scope: string): boolean => {
  // "New / Duplex", "Addition": the demolition makes room for the building that the permit is for.
  if (/\bnew\b/.test(type) && severalFamilies.test(type)) return false
  if (additionType.test(type) && /\b(?:erect|construct|build(?!ing)|new|add|install)/.test(scope)) return false
  if (demolition.of === 'house') return !(repairType.test(type) && /\binterior\b/.test(scope))
  return (
    demolition.of === 'structure' &&
    !repairType.test(type) &&
    !notOneHouse.test(`${type} ${scope}`) &&
    !/\b(?:erect|construct)/.test(scope)
  )
}
const demolitionByScope = ({ of, words }: Demolition, scope: string): ClassifiedPermit => {
  if (of === 'part') return found('partial_demolition', ...words)
  // "Demo" alone is the whole permit; within a longer text it is a step of other work.
  const isAll = scope.split(' ').length <= 3 || /^(total|complete|full|entire|residential) demo/.test(scope)
  return found(of === 'unnamed' && isAll ? 'whole_house_demolition' : 'other', ...words)
}

/** "Rehab / Accessory Dwelling Unit" works on a unit that exists, unless the description builds one. */
const repairType = /\b(?:rehab\w*|remodel\w*|renovat\w*|repairs?|alterations?)\b/
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
        finish(ing)? (the |existing )*(basement|attic)|kitchen|bath(room)?s?|interior (work|upgrade|improvement)
        finish[- ]?out|tenant improvement|t\.i\.
      `}(?![a-z])
    `),
  },
  {
    permitClass: 'roof',
    pattern: new RegExp(anyOf`
      \bre-?roof\w*|\broof(ing)? (replace\w*|overlay|tear|repair|only)|\btear[- ]?off\b
      \b(replace|new|remove)\b[^.;]{0,30}\broof(ing)?\b(?! deck)
    `),
  },
]
const anyRemodel = anyWord`remodel\w*|rehab\w*|renovation|alterations?|interior|tenant improvement`
