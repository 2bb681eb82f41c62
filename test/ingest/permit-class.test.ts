import { expect, test } from 'vitest'
import { type PermitClass, permitClasses } from '../../src/contract/facts.ts'
import type { SourceConfig } from '../../src/contract/source-config.ts'
import { classifyPermit } from '../../src/ingest/permit-class.ts'
import { classRules } from '../../src/ingest/permit-rules.ts'

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

// Invented permits in the language of many cities: what is built or torn down decides, not a single word.
const spoken: readonly [PermitClass, string | undefined, string][] = [
  ['whole_house_demolition', 'Demolition', 'Total demo of home and detached garage  Circa 1951'],
  ['whole_house_demolition', 'Building Permit', 'Total demo of home and detached garage'],
  [
    'whole_house_demolition',
    'Building Permit',
    'Demolish a circa 1938 1 story 1152 square foot single family residence',
  ],
  ['whole_house_demolition', 'PERMIT - WRECKING/DEMOLITION', 'WRECK AND REMOVE A 2 STORY FRAME RESIDENCE AND GARAGE'],
  ['whole_house_demolition', 'Raze', 'Raze existing dwelling, shed and driveway; cap utilities'],
  [
    'whole_house_demolition',
    'Demolition Permit - Residential',
    'Demo structure and shed. Nothing is to be buried on site.',
  ],
  [
    'whole_house_demolition',
    'Demolition Permit - Residential',
    'to demolish existing residence. for every 50 feet of frontage a sign must be posted. All debris shall be removed.',
  ],
  ['whole_house_demolition', 'Building Permit', 'Tear down house; new house under separate permit'],
  ['whole_house_demolition', 'Building Permit', 'Remove fire damaged mobile home from lot'],
  ['whole_house_demolition', 'Demolition', 'Demolition of SFR, detached garage to remain'],
  ['whole_house_demolition', 'Demolition', 'After the house is demolished a new house will be built in its place'],
  ['partial_demolition', 'Demolition', 'Total demo of detached garage, house to remain'],
  ['partial_demolition', 'Demolition', 'Demolish deck and porch at rear of single family residence'],
  ['partial_demolition', 'Demolition Permit - Residential', 'Demo the back of the home, roughly 400 square feet'],
  ['partial_demolition', 'Demolition Permit - Residential', 'Interior demo of existing residence'],
  ['partial_demolition', 'Demo Permit - Residential Accessory', 'to demolish existing structure'],
  ['partial_demolition', 'Building Permit', 'Demolish garage behind house'],
  ['other', 'Demolition Permit - Commercial', 'Demolish existing building'],
  ['other', 'Demolition', 'Demolish 3 story apartment building'],
  ['new_house', 'Building Permit', 'Construct single family residence and detached garage'],
  [
    'new_house',
    'Residential - New / Single Family Residence',
    'To construct a home with 2841 square feet, 500 square feet porch',
  ],
  ['new_house', 'Residential - New / Single Family Residence', '3431 SQFT OF LIVING AREA, 572 SQFT DETACHED GARAGE'],
  ['new_house', 'BLDG-NEW', 'NEW 2-STORY SFD W/ATT. GARAGE'],
  ['new_house', 'Building Permit', 'New 4 bedroom, 3 bath modular home on crawl space'],
  [
    'other',
    'Residential - New / Accessory Structure, Garage',
    'to construct a detached garage to the rear of residence',
  ],
  ['other', 'Residential - New', 'Install 8 x 14 prefab shed behind house'],
  ['other', 'Building Permit', 'Construct detached garage at existing single family residence'],
  ['other', 'Building Permit', 'Install fire sprinklers for new single family residence'],
  ['other', 'Alterations', 'Addition of 73 duct detectors and 2 smoke detectors at door holders'],
  ['other', 'Alterations', 'Install new fire sprinkler system for ground floor. Remodel area only'],
  ['other', 'Alterations', 'Install fire sprinklers in remodel area only'],
  ['other', 'Building Permit', 'Install fire sprinklers for new detached ADU'],
  ['other', 'Building Permit', 'Replace smoke detectors in kitchen and bathrooms'],
  [
    'other',
    'Building Permit',
    'Install new fire sprinkler system throughout building and rear guest house. Ref PA #123',
  ],
  ['other', 'Building Permit', 'Install fire sprinkler system to entire building, reference to ADU #456'],
  [
    'other',
    'Building Permit',
    'Modify existing fire alarm system due to addition of six ADUs. Addition of one power supply',
  ],
  ['other', 'Building Permit', 'Install fire sprinklers in 2 baths. Attach piping above the new ceiling in bathroom'],
  ['remodel', 'Building Permit', 'Replace smoke detectors in hallway, kitchen remodel'],
  ['remodel', 'Building Permit', 'Replace smoke detectors in hallway. Remodel kitchen and 2 baths'],
  ['adu', 'Building Permit', 'New detached ADU with fire sprinklers'],
  ['addition', 'Building Permit', 'Install fire sprinklers and 450 sf addition at rear'],
  ['addition', 'Building Permit', 'Install fire sprinklers throughout house and add 2nd story'],
  ['remodel', 'Building Permit', 'Replace smoke detectors and remodel kitchen and 2 baths'],
  ['roof', 'Building Permit', 'Replace roof and smoke detectors'],
  ['partial_demolition', 'Building Permit', 'Replace smoke detectors and demolish detached garage'],
  ['new_house', 'Building Permit', 'New 2-story single family residence with fire sprinklers'],
  ['addition', 'Alterations', 'Add bedroom, bath and fire sprinklers'],
  ['remodel', 'Alterations', 'Replace kitchen cabinets and smoke detectors'],
  ['other', 'Electrical', 'New single family dwelling'],
  ['other', 'Building Permit', 'Construct new 6-unit townhouse'],
  ['other', 'Commercial - New', 'Construct structure to house portable equipment'],
  ['addition', 'Building Permit', 'New two story addition to existing single family residence'],
  ['addition', 'SFD', 'Addition/remodel'],
  ['addition', 'Residential - Addition', 'Construct new family room addition to house'],
]

test.each(spoken)('%s in plain words: %s, %s', (permitClass, type, description) => {
  expect(classifyPermit(type, description).permitClass).toBe(permitClass)
})

test('a source adds its own boilerplate, words and rules', () => {
  const config = {
    permitClasses: {
      ignore: ['per bulletin \\d+'],
      words: { whole_house_demolition: ['rzd'] },
      rules: [{ class: 'adu', projectType: '^backyard' }],
    },
  } as unknown as SourceConfig
  const own = classRules(config)
  expect(classifyPermit('Permit', 'RZD bungalow', own)).toEqual({
    permitClass: 'whole_house_demolition',
    classWords: ['rzd'],
  })
  expect(classifyPermit('Backyard home', 'New house', own).permitClass).toBe('adu')
  expect(classifyPermit('Permit', 'Per bulletin 12', own).permitClass).toBe('other')
  expect(classifyPermit('Permit', 'Raze house', own).permitClass).toBe('whole_house_demolition')
})

test.each([
  [{ ignore: ['('] }, /permitClasses\.ignore\[0\] is not a regular expression/],
  [{ words: { villa: ['x'] } }, /"villa" is not a permit class; accepted are new_house/],
  [{ rules: [{ class: 'adu' }] }, /permitClasses\.rules\[0\] needs projectType or description/],
])('an unusable class rule is named: %j', (permitClasses, message) => {
  expect(() => classRules({ permitClasses } as unknown as SourceConfig)).toThrow(message)
})
