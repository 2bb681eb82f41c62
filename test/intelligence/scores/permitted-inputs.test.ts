import { describe, expect, test } from 'vitest'
import { biddingFeatures } from '../../../src/intelligence/bidding-war/bidding-war-features.ts'
import { conditionInputs } from '../../../src/intelligence/condition/condition.ts'
import { charmInputs } from '../../../src/intelligence/condition/historic-charm.ts'
import { heatInputs } from '../../../src/intelligence/market/heat.ts'
import { flipInputs } from '../../../src/intelligence/scores/flippability.ts'
import { isPermittedWord } from '../../../src/intelligence/scores/permitted-inputs.ts'
import { teardownFeatures } from '../../../src/intelligence/teardown/teardown-features.ts'
import { permittedInputs } from '../../setup/permitted-inputs.ts'

const inputsOf = (features: readonly { inputs: readonly string[] }[]) => features.flatMap(({ inputs }) => inputs)

describe('fair inputs', () => {
  test.each([
    ['teardown', ['propertyType', 'historicListed', 'historicContributing', ...inputsOf(teardownFeatures)]],
    ['bidding war', ['marketShareAboveList', ...inputsOf(biddingFeatures)]],
    ['condition', conditionInputs],
    ['flippability', flipInputs],
    ['historic charm', charmInputs],
    ['heat', heatInputs],
  ] as const)('every input of the %s model is on the list', (_, inputs) => {
    expect(inputs.filter((input) => !Object.hasOwn(permittedInputs, input))).toEqual([])
  })

  test('the list names nothing about people, and no school', () => {
    const about =
      /school|income|race|ethnic|religio|famil|child|age(d|s)?Of|gender|marital|disab|origin(?!alPrice)|crime|demograph|population|tenure|language/i
    expect(Object.keys(permittedInputs).filter((name) => about.test(name))).toEqual([])
  })

  test.each([
    'school',
    'schools',
    'shop_school',
    'top_school',
    'church',
    'famili',
    'families',
    'chines',
    'senior',
    'kids',
    'young_famili',
    'elementari',
  ])('the word "%s" is not learned from', (word) => expect(isPermittedWord(word)).toBe(false))

  test.each(['kitchen', 'famili_room', 'original', 'fixer', 'new_roof', 'view'])('the word "%s" is', (word) =>
    expect(isPermittedWord(word)).toBe(true),
  )
})
