// The dwelling units that a permit adds, where its words leave no doubt. A feed's own number takes precedence.
import type { PermitClass } from '../domain/facts.ts'
import { has, pattern } from './permit-patterns.ts'
import { plainWords } from './permit-text.ts'

/**
 * Stated in the description of new construction: "erect 5 stories, 24 dwelling units", "new 12-unit apartment building". A house for
 * one family is one unit. The units of an existing building ("reroof 12 units", "add 1 unit to 3-unit building") are not read.
 */
export const statedUnits = (permitClass: PermitClass, projectType = '', description = ''): number | undefined => {
  const type = plainWords(projectType.toLowerCase())
  const scope = plainWords(description.toLowerCase().replace(/\s+/g, ' '))
  if (permitClass === 'new_house')
    return (has('oneFamily', `${type} ${scope}`) || /\bdwelling\b/.test(scope)) && !has('otherDwelling', scope)
      ? 1
      : undefined
  if (permitClass !== 'multifamily' || has('existingBuilding', scope) || has('otherUnits', scope)) return undefined
  if (!has('newWork', type) && !has('newWork', scope)) return undefined
  const counts = new Set(
    [...scope.matchAll(pattern('unitCount', 'g'))].map(([count]) => Number(count.replace(',', ''))),
  )
  const [only] = counts
  // Two different numbers may be units of two buildings, or all units and the affordable ones.
  return counts.size === 1 && only! >= 1 && only! <= 5_000 ? only : undefined
}
