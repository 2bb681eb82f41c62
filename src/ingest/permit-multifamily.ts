// New buildings with several dwellings: apartments, condominiums, townhouses, duplexes. They are not houses for one family.
import { repairWork } from './permit-new-house.ts'
import { anyOf, anyWord } from './permit-pattern.ts'
import { repairs, several } from './permit-words.ts'

/** The words that make the permit a new building with several dwellings. */
export const multifamilyIn = (type: string, scope: string): string | undefined => {
  if (otherType.test(type) || existingBuilding.test(scope)) return undefined
  const isNew = newWork.test(type) || newWork.test(scope)
  const inScope = severalDwellings.exec(scope)
  if (inScope && isNew) return inScope[0]
  const inType = severalDwellings.exec(type)
  return inType && !repairWork.test(scope) && (isNew || inScope) ? inType[0] : undefined
}

export const severalDwellings = new RegExp(`\\b${several}(?![a-z])`)
const newWork =
  /\b(?:new|construct(?:ing|ion of)?|erect(?:ing|ion of)?|build)\b(?! (?:permit|roof|windows?|doors?))|\(n\)/
const otherType = anyWord`additions?|${repairs}|improvement|tenant|accessory|maintenance|demo\w*|change`
/** Work on or inside a building that stands, or on its site. */
const existingBuilding = new RegExp(anyOf`
  \b(existing|exist\.?|extg)(?![a-z])(?! (lot|vacant|site|parking|retaining|tree|grade|curb|driveway|address))
  \(e\)|\badditions? (to|at|on|above|over)\b|\b(convert\w*|conversion|legali[sz]\w*|remodel\w*|renovat\w*|re-?roof\w*|retrofit\w*|tenant)\b
  \b(hvac|shoring|crane|hotel|motel|hostel|storage units?|mag ?locks?|foundation only)\b
  ^(new |construct )?(foundation|excavation|deck|sign|fence)\b
`)
