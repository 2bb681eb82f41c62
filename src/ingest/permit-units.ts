// The dwelling units that a permit adds, where its words leave no doubt. A feed's own number takes precedence.
import type { PermitClass } from '../domain/facts.ts'
import { anyOf, anyWord, inOrder } from './permit-pattern.ts'

/**
 * Stated in the description of new construction: "erect 5 stories, 24 dwelling units", "new 12-unit apartment building". A house for
 * one family is one unit. The units of an existing building ("reroof 12 units", "add 1 unit to 3-unit building") are not read.
 */
export const statedUnits = (permitClass: PermitClass, projectType = '', description = ''): number | undefined => {
  const scope = description.toLowerCase().replace(/\s+/g, ' ')
  if (permitClass === 'new_house')
    return oneFamily.test(`${projectType.toLowerCase()} ${scope}`) && !otherDwelling.test(scope) ? 1 : undefined
  if (permitClass !== 'multifamily' || existing.test(scope)) return undefined
  if (!newBuilding.test(projectType.toLowerCase()) && !newBuilding.test(scope)) return undefined
  const stated = new Set([...scope.matchAll(units)].map(({ groups }) => countOf(groups!.count!)))
  const [only] = stated
  // Two different numbers may be units of two buildings, or all units and the affordable ones.
  return stated.size === 1 ? only : undefined
}

const words = ['two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve']
const countOf = (text: string): number | undefined => {
  const count = /^\d/.test(text) ? Number(text.replace(',', '')) : words.indexOf(text) + 2
  return count >= 1 && count <= 5_000 ? count : undefined
}
const units = new RegExp(
  inOrder`
    (?<![#\d./-])\b(?<count>\d{1,2},\d{3}|\d{1,4}|${words.join('|')})[ -]+(new )?
    ((residential|dwelling|apartment|apt|condo(minium)?|housing|family|market rate|affordable) )*
    (units?|dus?|apartments|condo(minium)?s|dwellings|town ?(houses|homes))\b(?! (no|number|#))
  `,
  'g',
)
const newBuilding = new RegExp(anyOf`
  \b(new construction|new building|erect|construct(ion)? (of )?(a )?(new )?)
  \bnew\b.{0,40}\b(building|bldg|apartments?|condos?|townho)
`)
const existing = anyWord`
  exist\w*|e|add(ing|ition)?|convert\w*|conversion|legaliz\w*|remodel\w*|alter\w*|renovat\w*|repairs?|replac\w*|re-?roof\w*
  retrofit\w*|tenant|demolish\w*|hvac|revis\w*|revision|foundation only|shoring|sprinklers?
  hotel|rooms?|commercial units?|storage units?|stalls?
`
const oneFamily = /\b(single|one|1)[ -]famil(y|ies)\b|\bsf[dr]\b|\b(residence|house|home|dwelling)\b/
const otherDwelling = anyWord`
  adus?|jadus?|accessory|second(ary)? (dwelling|unit)|duplex|triplex
  units|dwellings|residences|houses|homes|famil(y|ies) residential|families
`
