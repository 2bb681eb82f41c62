import { expect, test } from 'vitest'
import { type PermitClass, permitClasses } from '../../src/contract/facts.ts'
import { classifyPermit } from '../../src/ingest/permit-class.ts'

const cases: readonly [PermitClass, string | undefined, string | undefined][] = [
  ['whole_house_demolition', 'DEMOLITION', 'Demo'],
  ['whole_house_demolition', 'DEMOLITION', undefined],
  ['whole_house_demolition', 'DEMOLITION / MAIN STRUCTURE', 'Demolition of residence/TPP'],
  ['whole_house_demolition', 'Demolition', 'House, swimming pools, shed'],
  ['whole_house_demolition', 'Building Permit', 'Demolish existing single family residence and detached garage'],
  ['whole_house_demolition', 'Building Permit', 'Raze house'],
  ['partial_demolition', 'DEMOLITION', 'Pool Demo'],
  ['partial_demolition', 'DEMOLITION', 'Small pool house & swimming pool'],
  ['partial_demolition', 'DEMOLITION / PARTIAL', 'Demo'],
  ['partial_demolition', 'DEMOLITION', 'Parital Demo'],
  ['partial_demolition', 'DEMOLITION / MAIN STRUCTURE', 'Partial demolition of residence'],
  ['partial_demolition', 'DEMOLITION', 'Garage Demo'],
  ['partial_demolition', 'DEMOLITION', 'Interior demo'],
  ['partial_demolition', 'DEMOLITION', 'Add/Remodel'],
  ['other', 'DEMOLITION', 'Comm Demo'],
  ['other', 'DEMOLITION / COMMERCIAL BUILDING', 'Demo existing buildings'],
  ['new_house', 'SFD', 'New SFD'],
  ['new_house', 'SFD / TWO-STORY', undefined],
  ['new_house', 'Building Permit', 'Construct new 3,200 sf single-family residence with attached garage and solar'],
  ['new_house', 'Building Permit', 'Demolish existing house and construct new two-story residence'],
  ['new_house', 'new construction wood frame', 'to erect 3 stories single family dwelling'],
  ['other', 'new construction', 'to erect 6 stories, 1 basement, 96 units residential'],
  ['adu', 'ADU / DETACHED', 'ADU'],
  ['adu', 'Building Permit', 'Convert garage to junior accessory dwelling unit'],
  ['adu', 'otc alterations permit', 'legalize dwelling unit per ord 162-16'],
  ['addition', 'Building Permit', 'Addition of 420 sf and kitchen remodel'],
  ['addition', 'additions alterations or repairs', 'horizontal addition at rear'],
  ['remodel', 'Building Permit', 'Remodel kitchen and two bathrooms, demo interior wall'],
  ['remodel', 'additions alterations or repairs', 'interior alterations to 2nd floor'],
  ['solar', 'PHOTOVOLTAIC', 'PV'],
  ['solar', 'Building Permit', 'Install 7.2 kW roof mounted solar system'],
  ['pool', 'Pool/Spa', 'Gunite pool and spa'],
  ['pool', 'Building Permit', 'New swimming pool'],
  ['roof', 'ReRoof', 'Single-Family'],
  ['roof', 'Building Permit', 'Tear off and re-roof with composition shingle'],
  ['other', 'Building Permit', 'Water heater replacement'],
  ['other', undefined, undefined],
]

test.each(cases)('%s: %s, %s', (permitClass, type, description) => {
  expect(classifyPermit(type, description).permitClass).toBe(permitClass)
})

test('classWords occur in the permit text', () => {
  for (const [permitClass, type, description] of cases) {
    const { classWords } = classifyPermit(type, description)
    for (const word of classWords) expect(`${type} ${description}`.toLowerCase()).toContain(word)
    if (permitClass !== 'other') expect(classWords.length).toBeGreaterThan(0)
  }
})

test('the examples cover every class', () => {
  expect(new Set(cases.map(([permitClass]) => permitClass))).toEqual(new Set(permitClasses))
})

test('a residential demolition type does not turn a pool or shed into a house', () => {
  for (const scope of ['Pool Demo', 'Demolish detached shed and carport', 'Demo detached garage only', 'Swp Demo'])
    expect(classifyPermit('RES-DEMO', scope).permitClass).toBe('partial_demolition')
  expect(classifyPermit('RES-DEMO', 'Demo SFD').permitClass).toBe('whole_house_demolition')
  expect(classifyPermit('RES-DEMO', 'Demolish existing house and all accessory structures').permitClass).toBe(
    'whole_house_demolition',
  )
  expect(classifyPermit('RES-DEMO', undefined).permitClass).toBe('whole_house_demolition')
})
