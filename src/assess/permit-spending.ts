// The total valuation of a house's permits in the last ten years, without those of a house it replaced. Undefined, not 0,
// if the city's permits are not loaded or none of the permits has a valuation.
import { yearsBefore } from '../domain/day.ts'
import { permitsOfHouse } from '../intelligence/condition/condition-evidence.ts'
import type { SubjectPermit } from '../store/assessments/market-facts.ts'

export const permitSpendingUsd = (
  house: { readonly yearBuilt?: number; readonly permits: readonly SubjectPermit[] },
  on: string,
  covered: boolean,
): number | undefined => {
  const since = yearsBefore(on, 10)
  const recent = permitsOfHouse(house, Number(on.slice(0, 4))).filter(
    ({ issuedOn, permitClass }) => (issuedOn ?? '') >= since && permitClass !== 'whole_house_demolition',
  )
  if (recent.length === 0) return covered ? 0 : undefined
  const known = recent.flatMap(({ valuationUsd }) => valuationUsd ?? [])
  return known.length === 0 ? undefined : known.reduce((sum, usd) => sum + usd, 0)
}
