import { expect, test } from 'vitest'
import { neighborNames } from '../../../src/intelligence/valuation/neighbor-features.ts'
import { attributeNames } from '../../../src/intelligence/valuation/valuation-facts.ts'

test('the value model uses only these inputs: none is demographic, a proxy for it, or a list price', () => {
  expect([...attributeNames, ...neighborNames].sort()).toEqual(
    [
      ...['eastKm', 'northKm', 'northEastKm', 'southEastKm'],
      ...['logLivingSqft', 'logLotSqft', 'logLotPerLiving', 'logSizePerRoom', 'beds', 'baths', 'stories'],
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
      ...['near', 'nearLikeAll', 'nearTight', 'spread', 'locationPremium', 'locationPremiumLikeAll'],
      ...['km6th', 'sizeAgainstNear', 'lotAgainstNear', 'ageAgainstNear', 'priorLogPpsf', 'priorYears'],
    ].sort(),
  )
})
