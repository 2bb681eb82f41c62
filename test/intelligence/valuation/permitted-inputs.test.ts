import { expect, test } from 'vitest'
import { featureNames } from '../../../src/intelligence/valuation/home-features.ts'

test('the value model uses only these inputs: none is demographic, a proxy for it, or a list price', () => {
  expect([...featureNames].sort()).toEqual(
    [
      ...['eastKm', 'northKm', 'northEastKm', 'southEastKm'],
      ...['logLivingSqft', 'logLotSqft', 'logLotPerLiving', 'beds', 'baths', 'storeys'],
      ...[
        'yearBuilt',
        'effectiveYear',
        'ageYears',
        'quality',
        'condition',
        'view',
        'waterfront',
        'garageSqft',
        'basementSqft',
      ],
      ...['condo', 'townhouse', 'multiFamily'],
      ...['near', 'nearLikeSize', 'nearLikeAge', 'nearLikeLot', 'nearLikeAll', 'nearTight', 'nearest5', 'nearLogPrice'],
      ...['spread', 'low', 'middle', 'high', 'locationPremium', 'locationPremiumLikeAll', 'locationPremiumTight'],
      ...['km6th', 'km21st', 'kmFarthest', 'sizeAgainstNear', 'lotAgainstNear', 'ageAgainstNear'],
      ...['priorLogPpsf', 'priorYears', 'hedonicHere'],
    ].sort(),
  )
})
