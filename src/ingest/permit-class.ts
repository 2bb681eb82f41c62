// Classifies a permit by its project type and description, and returns the words that decided. What the city files it under
// comes first; with a generic type ("Building Permit") the description decides. The words are in `permit-patterns.ts`; those of
// one city go into its source (`permitClasses`). To measure, label rows of a real export and run `npx lotline sources classes`.
import type { PermitClass } from '../domain/facts.ts'
import { type Demolition, demolishedByType, demolishedThings, demolitionIn } from './permit-demolition.ts'
import { accessoryUnitIn, multifamilyIn, newHouseByType, newHouseIn } from './permit-dwellings.ts'
import { has, pattern, wordsOf } from './permit-patterns.ts'
import { type ClassifiedPermit, type ClassRules, classified, ruledClass, when } from './permit-rules.ts'
import { permitText } from './permit-text.ts'

/** Characters of a type and of a description that are read: longer ones end in conditions, and the patterns take quadratic time. */
const readLength = 2_000

export const classifyPermit = (
  projectType: string | undefined,
  description: string | undefined,
  sourceRules?: ClassRules,
  /** Dwelling units that the feed states. */
  units?: number,
): ClassifiedPermit => {
  const type = permitText((projectType ?? '').slice(0, readLength), true, sourceRules?.ignore)
  const scope = permitText((description ?? '').slice(0, readLength), false, sourceRules?.ignore)
  const { permitClass, classWords } =
    (sourceRules && ruledClass(sourceRules, type.work, scope.work)) ??
    classOf(type.plain, scope.plain, has('deniesUnit', scope.whole))
  const asWritten = (word: string) => {
    const inType = type.asWritten(word)
    return inType === word || scope.plain.includes(word) ? scope.asWritten(word) : inType
  }
  return { permitClass: byUnits(permitClass, type.whole, scope.whole, units), classWords: classWords.map(asWritten) }
}

/** The city's own count decides between a house and several dwellings; a house with an accessory unit has two. */
const byUnits = (permitClass: PermitClass, type: string, scope: string, units: number | undefined): PermitClass => {
  if (permitClass === 'new_house' && units && units > (has('accessoryUnit', scope) ? 2 : 1)) return 'multifamily'
  const isOne = units === 1 && /\bsingle family\b/.test(type) && !/\b[2-9][- ]?(?:units|famil)/.test(scope)
  return permitClass === 'multifamily' && isOne ? 'new_house' : permitClass
}

/** The decisions in order: the first that knows the class decides. */
const classOf = (type: string, scope: string, isNoUnit: boolean): ClassifiedPermit => {
  const newHouse = newHouseIn(type, scope)
  const demolition = demolitionIn(scope)
  return (
    (has('demolition', type) ? demolitionByType(type, scope) : undefined) ??
    // "Roof mount PV, 18 modules" under the type "Electrical".
    (/\belectric/.test(type) ? when('solar', 'solar', scope) : undefined) ??
    // "Electrical": a permit for one trade or system builds no house, whatever house it names.
    when('solar', 'solar', type) ??
    when('roof', 'roofType', type) ??
    when('other', 'systemType', type) ??
    // "Rehab / Accessory Dwelling Unit" works on a unit that exists, unless the description builds one.
    (has('repairs', type) && scope !== '' && !has('buildsUnit', scope)
      ? undefined
      : when('adu', 'accessoryUnit', type, newHouse)) ??
    when('pool', 'pool', type) ??
    (newHouse && (when('adu', 'houseAsUnit', scope) ?? newHouse)) ??
    (demolition && isWholeHouse(demolition, type, scope)
      ? classified('whole_house_demolition', ...demolition.words)
      : undefined) ??
    (has('becomesUnit', scope) ? undefined : additionByType(type, scope)) ??
    newHouseByType(type, scope) ??
    // "Add one dwelling unit", "horizontal addition at rear", "kitchen remodel", "re-roof", "demo garage"
    describedWork(type, scope, isNoUnit ? undefined : accessoryUnitIn(type, scope)) ??
    // A city with one generic type mentions a demolition only in the description.
    (demolition && demolitionByScope(demolition, scope)) ??
    when('other', 'systemWork', scope) ??
    when('other', 'siteWork', scope) ??
    // "Residential alteration", if the description says nothing
    (has('sameSize', scope) ? undefined : when('addition', 'additionAndRemodel', type)) ??
    when('remodel', 'anyRemodel', type) ??
    (has('sameSize', scope) ? undefined : when('addition', 'anyAddition', type)) ??
    classified('other')
  )
}

/** The words of a type that make the permit an addition, unless the description names only equipment or site work. */
const additionByType = (type: string, scope: string): ClassifiedPermit | undefined => {
  // The work class comes first: "Addition / Building Permit / Addition & Alterations".
  const [work, next] = type.split(' / ')
  const parts = [type, /^alter/.test(next ?? '') ? '' : work!, ...(scope === '' ? type.split(', ') : [])]
  const word = parts.map((part) => wordsOf('additionType', part)).find(Boolean)
  if (!word || has('systemFirst', scope)) return undefined
  const site = pattern('siteWork').exec(scope)
  const isSite = site !== null && !has('anyRoom', scope.slice(0, site.index))
  return isSite || has('sameSize', scope) ? undefined : classified('addition', word)
}

/** The work that the description names, larger projects first; what a system serves is not the work. */
const describedWork = (type: string, scope: string, unit: string | undefined): ClassifiedPermit | undefined => {
  const system = wordsOf('systemFirst', scope)
  if (system && /sprinkler|alarm|detector/.test(system)) return classified('other', system)
  const several = system ? undefined : multifamilyIn(type, scope)
  if (several && !(unit && scope.indexOf(unit) < scope.indexOf(several))) return classified('multifamily', several)
  if (unit && !system) return classified('adu', unit)
  return (
    (system || has('smallType', type) ? undefined : when('addition', 'additionWork', scope)) ??
    when('solar', 'solar', scope) ??
    when('pool', 'pool', scope) ??
    when('remodel', 'remodel', scope) ??
    when('roof', 'roof', scope)
  )
}

/**
 * The permit is a demolition by its type. What the description names decides, then the type. A bare "Demo" counts as
 * whole-house: right nine times in ten where a city has a type for partial demolitions, half the time where it has none. It
 * trains the teardown model only if later permits on the parcel do not contradict it.
 */
const demolitionByType = (type: string, scope: string): ClassifiedPermit => {
  const word = wordsOf('demolition', type)!
  const typed = demolishedByType(type)
  const scoped = demolitionIn(scope) ?? demolishedThings(scope)
  const named = scoped?.of === 'unnamed' ? undefined : scoped
  // "Demolition / Partial" and "Residential accessory": the type narrows it unless the description names the house.
  const { of, words } = (typed?.of === 'part' && named?.of !== 'house' ? typed : (named ?? typed)) ?? { words: [] }
  const other =
    of === 'structure' ? (typed?.of === 'business' ? typed.words : pattern('notOneHouse').exec(scope)) : null
  const permitClass =
    of === 'part' ? 'partial_demolition' : of === 'business' || other ? 'other' : 'whole_house_demolition'
  return classified(permitClass, word, ...(other ?? words).filter((each) => each !== word))
}

const isWholeHouse = (demolition: Demolition, type: string, scope: string): boolean => {
  // "New / Duplex", "Addition": the demolition makes room for the building that the permit is for.
  if (/\bnew\b/.test(type) && has('severalDwellings', type)) return false
  if (has('additionType', type) && /\b(?:erect|construct|build(?!ing)|new|add|install)/.test(scope)) return false
  if (demolition.of === 'house') return !(has('repairs', type) && /\binterior\b/.test(scope))
  const isOther = has('repairs', type) || has('notOneHouse', `${type} ${scope}`) || /\b(?:erect|construct)/.test(scope)
  return demolition.of === 'structure' && !isOther
}

const demolitionByScope = ({ of, words }: Demolition, scope: string): ClassifiedPermit => {
  // "Demo" alone is the whole permit; within a longer text it is a step of other work.
  const isAll = scope.split(' ').length <= 3 || /^(total|complete|full|entire|residential) demo/.test(scope)
  return classified(
    of === 'part' ? 'partial_demolition' : of === 'unnamed' && isAll ? 'whole_house_demolition' : 'other',
    ...words,
  )
}
