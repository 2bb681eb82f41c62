// Decides whether a permit builds a house for one family, an accessory unit or several dwellings (apartments, townhouses, duplexes),
// and by which words. Accessory structures, tenant work and trade work "for a new house" are none of these.
import { has, pattern, wordsOf } from './permit-patterns.ts'
import { type ClassifiedPermit, classified, when } from './permit-rules.ts'

/** A new house the description names: "construct new two-story residence". */
export const newHouseIn = (type: string, scope: string): ClassifiedPermit | undefined => {
  if (has('otherWork', type) || has('systemFirst', scope)) return undefined
  if (has('smallerWork', type) && !/\b(?:new|erect)\b/.test(type)) return undefined
  for (const verb of scope.matchAll(pattern('buildsHouse', 'g'))) {
    const after = scope.slice(verb.index + verb[0].length)
    const named = pattern('houseNoun').exec(after)
    const end = named && named.index + named[0].length
    if (!end || has('otherObject', after.slice(0, end)) || has('notTheHouse', after.slice(end))) continue
    if (isForAnother(scope.slice(0, verb.index))) continue
    const sentence = after.slice(named.index).split(/\.\s/)[0]
    return has('severalOrShops', `${type} ${after.slice(0, named.index)}${sentence}`) || isTall(named[0], scope)
      ? undefined
      : classified('new_house', verb[0], named[0])
  }
  return has('oneFamily', type) ? when('new_house', 'bareNew', scope) : undefined
}

/** "Fire sprinklers for new residence" is trade work; "permit for new residence" is not. */
const isForAnother = (before: string): boolean => {
  const sentence = before.split(/\.\s|,| and (?!the\b)/).at(-1)!
  return has('servedHouse', sentence) && has('otherThing', sentence)
}

/** "Residence building, 5 stories"; "4-story single family dwelling" is a house. */
const isTall = (named: string, scope: string): boolean =>
  !/famil|s\.?f\.?[drh]/.test(named) &&
  /\b(?:[4-9]|[1-9][0-9])\)?[- ]*stor(?:y|ies)\b/.test(scope) &&
  !/\b(?:single|1)\)?[- ](?:famil|(?:dwelling|residential|unit)\b)/.test(scope)

/** A new house by the project type ("SFD", "Residential - New / Single Family Residence"), unless the description differs. */
export const newHouseByType = (type: string, scope: string): ClassifiedPermit | undefined => {
  const word = pattern('houseType').exec(type)
  if (!word || has('otherWork', type) || has('notHouseType', type.replace(pattern('besidesHouse'), '')))
    return undefined
  const isOneFamily = has('oneFamily', type)
  if (has('smallerWork', type) || has('severalOrShops', type) || has('systemFirst', scope)) return undefined
  if (has(isOneFamily ? 'severalHomes' : 'severalOrShops', scope)) return undefined
  const named = pattern('firstNamed').exec(scope)
  if (named?.groups?.house && !isOneFamily && isTall(named.groups.house, scope)) return undefined
  // "SFD with attached ADU" is a house; "ADU behind SFD" is not.
  const unit = pattern('accessoryUnit').exec(scope)
  if (unit && !(named?.groups?.house && named.index < unit.index)) return undefined
  const isNew = /\bnew\b/.test(type)
  if (named?.groups?.other && !(isOneFamily && isPartOfHouse(named, scope, isNew))) return undefined
  const isKind = word.groups?.kind !== undefined && !isNew
  const isDescribed = isKind ? has('wholeHouse', scope) : has('houseParts', scope)
  const isHouse = named?.groups?.house !== undefined && !/\bexisting (?:structure|building)\b/.test(scope)
  // Without "new", a type like "Single Family Dwelling" may be the kind of property only: "new roof" builds no house.
  const isBuilt = !has('repairWork', scope) && ((isHouse && !isKind) || isDescribed)
  if (!isNew && scope !== '' && !isBuilt) return undefined
  // "New construction": 4 sinks and a water heater.
  if (has('systemWork', scope) && !isHouse && !(isDescribed && isOneFamily)) return undefined
  return isOneFamily || isHouse || /\bresidential\b/.test(type) ? classified('new_house', word[0]) : undefined
}

/**
 * "3,400 sq ft of living area, 570 sq ft garage" describes a house, as does "2-story with attached garage" under a type for new
 * ones; "detached garage, 1-story" and "2-story addition" do not.
 */
const isPartOfHouse = ({ 0: other, index }: RegExpExecArray, scope: string, isNew: boolean): boolean => {
  const isAlong = isNew && /w\/|\b(?:with|att|bath)/.test(scope.slice(0, index))
  return index > 60 || (!other.startsWith('add') && has(isAlong ? 'wholeHouse' : 'livingArea', scope))
}

export const multifamilyIn = (type: string, scope: string): string | undefined => {
  if (has('smallerWork', type) || has('existingBuilding', scope)) return undefined
  const isNew = has('newWork', type) || has('newWork', scope)
  const inScope = wordsOf('severalDwellings', scope)
  if (inScope && isNew) return inScope
  const inType = wordsOf('severalDwellings', type)
  return inType && !has('repairWork', scope) && (isNew || inScope) ? inType : undefined
}

export const accessoryUnitIn = (type: string, scope: string): string | undefined => {
  if (has('landOrPlans', scope) && !/\b(?:add|creat|convert|legali[sz])/.test(scope)) return undefined
  for (const { 0: name, index } of scope.matchAll(pattern('accessoryUnit', 'g')))
    if (!isOnlyServed(name, scope.slice(0, index), scope.slice(index + name.length))) return name
  if (has('shopType', type) || has('severalOwners', scope)) return undefined
  const added = pattern('unitAdded').exec(scope)
  if (!added || has('notAdded', added[0])) return undefined
  const larger = pattern('enlargement').exec(scope)
  return larger && larger.index <= added.index ? undefined : added[0]
}

/** "Re-roof ADU", "electrical for existing ADU", "repair porch of coach house": the unit is where the work is done. */
const isOnlyServed = (name: string, before: string, after: string): boolean => {
  if (has('afterUnit', after)) return true
  // "Convert coach house to garage".
  if (/\bconvert\w* (?:(?:the|existing|rear) )*$/.test(before) && /^(?: units?)? (?:in)?to\b/.test(after)) return true
  if (/\b(?:into|as) (?:new )*$/.test(before)) return false
  if (has('existingUnit', before) && !/\b(?:conver|legali|chang)/.test(before)) return true
  const place = pattern('servedPlace').exec(before)
  const verb = [...before.slice(0, place?.index).matchAll(pattern('unitVerb', 'g'))].at(-1)?.groups
  if (verb) return verb.other !== undefined
  // A house or cottage behind the main house often stands already: it must be what is built.
  return /house|cottage|casita|quarters/.test(name) && (place !== null || has('workOnUnit', after))
}
