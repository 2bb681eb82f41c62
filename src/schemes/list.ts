// The registry: every use of a lot that is computed, one row each.
import { addUnit } from './add-unit.ts'
import { keep, renovate, rent } from './as-it-is.ts'
import { divide, localDwellings, smallLots, split, transit, twoUnits } from './by-law.ts'
import { newHouse, newHouseAndUnit, newHouseBasement } from './new-house.ts'
import type { SchemeRow } from './scheme.ts'

export const schemes: readonly SchemeRow[] = [
  keep,
  renovate,
  rent,
  addUnit,
  newHouse,
  newHouseBasement,
  newHouseAndUnit,
  twoUnits,
  split,
  smallLots,
  transit,
  localDwellings,
  divide,
]
