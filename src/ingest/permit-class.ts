// Classifies a permit by its project type and description, and returns the words that decided. What the city files it under
// comes first; with a generic type ("Building Permit") the description decides. The first step of
// `classOf` that knows the class decides; each class has its own file, and `permit-words.ts` holds the words that they share.
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
  demolishedThings,
  demolitionIn,
  demolitionWord,
} from './permit-demolition.ts'
import { multifamilyIn, newHouseByType, newHouseIn, severalDwellings } from './permit-new-house.ts'
import { anyOf, anyWord, type ClassifiedPermit, classified, inOrder, matched } from './permit-pattern.ts'
import { type ClassRules, ruledClass } from './permit-rules.ts'
import { systemClass, systemFirst, systemWork } from './permit-systems.ts'
import { permitText } from './permit-text.ts'
import { notStreet } from './permit-words.ts'

/** Characters of a description that are read: longer ones end in conditions, and the patterns take quadratic time. */
const readLength = 2_000

export const classifyPermit = (
  projectType: string | undefined,
  description: string | undefined,
  sourceRules?: ClassRules,
  /** Dwelling units that the feed states. */
  units?: number,
): ClassifiedPermit => {
  const typed = spelledOut(projectType ?? '', true)
  const scoped = spelledOut((description ?? '').slice(0, readLength), false)
  const [type, scope] = [typed, scoped].map(({ text }) => permitText(text, sourceRules?.ignore)) as [string, string]
  const { permitClass, classWords } =
    (sourceRules && ruledClass(sourceRules, type, scope)) ?? classOf(type, scope, deniesUnit.test(scoped.text))
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

/** "Basement becomes in-law suite, will not be used as ADU": the sentence is read without its denial, which counts all the same. */
const deniesUnit = /\bnot (?:to )?be used (?:as|for) (?:an? )?(?:[adj]?adu\b|(?:accessory )?dwelling)/

/** The decisions in order: the first that knows the class decides. */
const classOf = (type: string, scope: string, isNoUnit: boolean): ClassifiedPermit => {
  const newHouse = newHouseIn(type, scope)
  const demolition = demolitionIn(scope)
  return (
    // "Demolition", "Wrecking"
    (demolitionWord.test(type) ? demolitionByType(type, scope) : undefined) ??
    // "Roof mount PV, 18 modules" under the type "Electrical".
    matched('solar', /\belectric/.test(type) ? solarPanels.exec(scope) : null) ??
    // "Electrical": a permit for one trade or system builds no house, whatever house it names.
    systemClass(type) ??
    // "ADU / Detached": the type names an accessory unit, unless the description works on one.
    (repairType.test(type) && scope !== '' && !buildsUnit.test(scope)
      ? undefined
      : matched('adu', accessoryUnit.exec(type), newHouse)) ??
    matched('pool', /\b(?:swimming )?pools?\b(?! house)|\bspa\b/.exec(type)) ??
    // "Construct new two-story residence"
    (newHouse && (matched('adu', houseAsUnit.exec(scope)) ?? newHouse)) ??
    // "Demolish existing single family residence"
    (demolition && isWholeHouse(demolition, type, scope)
      ? classified('whole_house_demolition', ...demolition.words)
      : undefined) ??
    // "Residential addition"
    (becomesUnit.test(scope) ? undefined : additionByType(type, scope)) ??
    // "Residential - New / Single Family"
    newHouseByType(type, scope) ??
    // "Add one dwelling unit", "horizontal addition at rear", "kitchen remodel", "re-roof", "demo garage"
    describedWork(type, scope, isNoUnit ? undefined : accessoryUnitIn(type, scope)) ??
    // A city with one generic type mentions a demolition only in the description.
    (demolition && demolitionByScope(demolition, scope)) ??
    // "Water heater replacement", "erect 4 antennas"
    matched('other', systemWork.exec(scope) ?? siteWork.exec(scope)) ??
    // "Residential alteration", if the description says nothing
    matched(
      'addition',
      sameSize.test(scope) ? null : /\badditions? (?:and|&|with|w\/) (?:remodel|renovat)\w*/.exec(type),
    ) ??
    matched('remodel', anyRemodel.exec(type)) ??
    matched('addition', sameSize.test(scope) ? null : /(?<!\b(?:garage|carport) )\badditions?\b/.exec(type)) ??
    classified('other')
  )
}

/** The work that the description names, larger projects first; what a system serves is not the work. */
const describedWork = (type: string, scope: string, unit: string | undefined): ClassifiedPermit | undefined => {
  const system = systemFirst.exec(scope)
  if (system && /sprinkler|alarm|detector/.test(system[0])) return classified('other', system[0])
  const several = system ? undefined : multifamilyIn(type, scope)
  if (several && !(unit && scope.indexOf(unit) < scope.indexOf(several))) return classified('multifamily', several)
  if (unit && !system) return classified('adu', unit)
  for (const [permitClass, pattern] of scopes) {
    const words = permitClass === 'addition' && (system || smallType.test(type)) ? null : pattern.exec(scope)
    if (words) return classified(permitClass, words[0])
  }
  return undefined
}

/** "Deck Permit", "Carport Permit": the addition in the description has a permit of its own. */
const smallType =
  /^(?:res(?:idential)? )?(?:deck|carport|(?:covered )?(?:patio|porch)|shed|accessory (?:building|structure)) /

const solarPanels = anyWord`photo ?voltaic|solar|pv`

/**
 * The permit is a demolition by its type. What the description names decides, then the type. A bare "Demo" counts as
 * whole-house: right nine times in ten where a city has a type for partial demolitions, half the time where it has none. It
 * trains the teardown model only if later permits on the parcel do not contradict it.
 */
const demolitionByType = (type: string, scope: string): ClassifiedPermit => {
  const word = demolitionWord.exec(type)![0]
  const typed = demolishedByType(type)
  const scoped = demolitionIn(scope) ?? demolishedThings(scope)
  const named = scoped?.of === 'unnamed' ? undefined : scoped
  // "Demolition / Partial" and "Residential accessory": the type narrows it unless the description names the house.
  const { of, words } = (typed?.of === 'part' && named?.of !== 'house' ? typed : (named ?? typed)) ?? { words: [] }
  const other = of === 'structure' ? (typed?.of === 'business' ? typed.words : notOneHouse.exec(scope)) : null
  const permitClass =
    of === 'part' ? 'partial_demolition' : of === 'business' || other ? 'other' : 'whole_house_demolition'
  return classified(permitClass, word, ...(other ?? words).filter((each) => each !== word))
}
/** "2 story masonry building. Commercial", "7 story mid rise building". */
const notOneHouse = new RegExp(inOrder`
  \b(buildings|bldgs|comm(ercial)?|industrial|tenant|office|retail|mixed|(mid|high)[- ]?rise|(?<![0-9./])([5-9]|[1-9][0-9])[- ]?story)\b
  ${notStreet}
`)

const isWholeHouse = (demolition: Demolition, type: string, scope: string): boolean => {
  // "New / Duplex", "Addition": the demolition makes room for the building that the permit is for.
  if (/\bnew\b/.test(type) && severalDwellings.test(type)) return false
  if (additionType.test(type) && /\b(?:erect|construct|build(?!ing)|new|add|install)/.test(scope)) return false
  if (demolition.of === 'house') return !(repairType.test(type) && /\binterior\b/.test(scope))
  const isOther = repairType.test(type) || notOneHouse.test(`${type} ${scope}`) || /\b(?:erect|construct)/.test(scope)
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

/** "Rehab / Accessory Dwelling Unit" works on a unit that exists, unless the description builds one. */
const repairType = /\b(?:rehab\w*|remodel\w*|renovat\w*|repairs?|alterations?)\b/
/** "Convert garage to ADU and add 200 sf", "construct accessory dwelling unit" under the type "Addition". */
const becomesUnit = new RegExp(inOrder`
  ^(convert\w*\b[^.;]{0,60}\b(to|into|as)|construct|build|erect|new|create) (an? |new |detached |attached )*${accessoryUnit.source}
`)

/** Patterns for descriptions, larger projects first: the description of an addition may also mention a roof or solar. */
const scopes: readonly (readonly [PermitClass, RegExp])[] = [
  ['addition', additionWork],
  ['solar', anyWord`photo ?voltaic|solar|pv|power ?walls?|energy storage|[0-9.]+ ?kw`],
  ['pool', /\b(?:swimming )?pools?\b(?! ?house)|\b(?:hot tub|spa|swp)\b/],
  [
    'remodel',
    new RegExp(inOrder`
      \b${anyOf`
        remodel\w*|rmd|renovat\w*|rehab\w*|alterations?|refurbish\w*|update|upgrade interior|conver(t|sion)|legaliz\w*
        finish(ing)? (the |existing )*(basement|attic)|kitchen|bath(room)?s?|interior (work|upgrade|improvement)
        finish[- ]?out|tenant improvement|t\.i\.
      `}(?![a-z])
    `),
  ],
  [
    'roof',
    new RegExp(anyOf`
      \bre-?roof\w*|\broof(ing)? (replace\w*|overlay|tear|repair|only)|\btear[- ]?off\b
      \b(replace|new|remove)\b[^.;]{0,30}\broof(ing)?\b(?! deck)
    `),
  ],
]
const anyRemodel = anyWord`remodel\w*|rehab\w*|renovation|alterations?|interior|tenant improvement`
