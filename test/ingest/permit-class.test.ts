import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type PermitClass, permitClasses } from '../../src/domain/facts.ts'
import type { SourceConfig } from '../../src/domain/packs/source-config.ts'
import { classifyPermit } from '../../src/ingest/permit-class.ts'
import { classRules } from '../../src/ingest/permit-rules.ts'

const cases: readonly [PermitClass, string | undefined, string | undefined][] = [
  ['whole_house_demolition', 'DEMOLITION', 'Demo'],
  ['whole_house_demolition', 'DEMOLITION', undefined],
  ['whole_house_demolition', 'Building Permit', 'Demo'],
  ['whole_house_demolition', 'Building Permit', 'Full demo and haul away'],
  ['whole_house_demolition', 'DEMOLITION / MAIN STRUCTURE', 'Demolition of residence/TPP'],
  ['whole_house_demolition', 'Demolition', 'House, swimming pools, shed'],
  ['whole_house_demolition', 'Building Permit', 'Demolish existing single family residence and detached garage'],
  ['whole_house_demolition', 'Building Permit', 'Raze house'],
  ['partial_demolition', 'Demolish / Single Family Dwelling', 'Several structures: barn, shed & silo'],
  ['whole_house_demolition', 'Demolition', 'Demolish all structures and pool'],
  ['whole_house_demolition', 'Demolition', 'Demolish all existing structures, pool and driveway'],
  ['whole_house_demolition', 'Demolition', 'Demo existing structures including garage & shed'],
  ['whole_house_demolition', 'Demolition', 'Demolish all existing structures: pool, garage'],
  ['whole_house_demolition', 'Demolition', 'Demolish 2 structures and swimming pool'],
  ['whole_house_demolition', 'Residential Demolition', 'Demolish all structures on site, including pool and fence'],
  ['whole_house_demolition', 'Building Permit', 'Demolish all structures and detached garage'],
  ['other', 'Demolish / Place of Worship', 'Demo'],
  ['other', 'Permit - Wrecking/Demolition', 'Wreck and remove 3 story frame multi unit residence'],
  ['other', 'Permit - Wrecking/Demolition', 'Wreck and remove a 2 story frame mult unit residence'],
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
  ['other', 'New Single Family Dwelling', 'Detached garage'],
  ['new_house', 'Building Permit', 'Construct new 3,200 sf single-family residence with attached garage and solar'],
  ['new_house', 'Building Permit', 'Demolish existing house and construct new two-story residence'],
  ['new_house', 'new construction wood frame', 'to erect 3 stories single family dwelling'],
  ['multifamily', 'new construction', 'to erect 6 stories, 1 basement, 96 units residential'],
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

test('every row of the patterns is used, and every pattern that is used has a row', () => {
  const folder = join(import.meta.dirname, '../../src/ingest')
  const files = readdirSync(folder).filter((name) => name.startsWith('permit-'))
  const code = files.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n')
  const table = readFileSync(join(folder, 'permit-patterns.ts'), 'utf8').split(/String\.raw`|\n`/)[1]!
  const rows = [...table.matchAll(/^ {2}(\w+)[:=>]/gm)].map(([, name]) => name!)
  const used = [
    ...table.matchAll(/\{([a-zA-Z]\w*)\}/g),
    ...code.matchAll(/(?<=\b(?:has|pattern|wordsOf|when|without)\([^()]*)'(\w+)'/g),
  ]
  // The quoted class and flag beside a name are no rows.
  const others = new Set<string>(['g', ...permitClasses].filter((name) => !rows.includes(name)))
  const names = new Set(used.map(([, name]) => name!).filter((name) => !others.has(name)))
  expect([...rows].sort()).toEqual([...names].sort())
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
  [
    'other',
    'Building Permit',
    'Install new fire sprinkler system throughout building and rear guest house. Ref PA #123',
  ],
  ['other', 'Building Permit', 'Install fire sprinkler system to entire building, reference to ADU #456'],
  ['other', 'Building Permit', 'Install fire sprinklers in 2 baths. Attach piping above the new ceiling in bathroom'],
  ['remodel', 'Building Permit', 'Replace smoke detectors in hallway, kitchen remodel'],
  ['remodel', 'Building Permit', 'Replace smoke detectors in hallway. Remodel kitchen and 2 baths'],
  ['adu', 'Building Permit', 'New detached ADU with fire sprinklers'],
  ['remodel', 'Building Permit', 'Replace smoke detectors and remodel kitchen and 2 baths'],
  ['roof', 'Building Permit', 'Replace roof and smoke detectors'],
  ['partial_demolition', 'Building Permit', 'Replace smoke detectors and demolish detached garage'],
  ['new_house', 'Building Permit', 'New 2-story single family residence with fire sprinklers'],
  ['addition', 'Alterations', 'Add bedroom, bath and fire sprinklers'],
  ['remodel', 'Alterations', 'Replace kitchen cabinets and smoke detectors'],
  ['other', 'Electrical', 'New single family dwelling'],
  ['multifamily', 'Building Permit', 'Construct new 6-unit townhouse'],
  ['other', 'Commercial - New', 'Construct structure to house portable equipment'],
  ['addition', 'Building Permit', 'New two story addition to existing single family residence'],
  ['addition', 'SFD', 'Addition/remodel'],
  ['addition', 'Residential - Addition', 'Construct new family room addition to house'],
]

test.each(spoken)('%s in plain words: %s, %s', (permitClass, type, description) => {
  expect(classifyPermit(type, description).permitClass).toBe(permitClass)
})

// Invented permits in the styles of cities whose exports were never read.
const abbreviated: readonly [PermitClass, string | undefined, string | undefined][] = [
  ['new_house', 'BLDG-NEW SNGL FAM DET', undefined],
  ['new_house', 'Res New Bldg Permit', undefined],
  ['new_house', 'RES_NEW_SFR', undefined],
  ['new_house', 'NewSingleFamily', undefined],
  ['new_house', 'Resid. New - S.F.D.', '2 sty dwlg w/ att gar'],
  ['new_house', 'New / 1-FAM DWLG', undefined],
  ['new_house', 'Bldg-New / 1 or 2 Family Dwelling', 'NEW 2-STORY SFD W/ ATT GARAGE'],
  ['new_house', 'NEW CONST RESI', 'Const new SFR, 4BR/3BA'],
  ['new_house', 'Building', 'Erect one-family dwelling with attached 2-car garage'],
  ['new_house', 'Construction Permit', 'Establish use as and construct new single family residence with attached AADU'],
  [
    'new_house',
    'PERMIT - NEW CONSTRUCTION',
    'ERECT 2 STORY FRAME SINGLE FAMILY RESIDENCE WITH BASEMENT AND DETACHED GARAGE',
  ],
  ['new_house', 'R- 101 Single Family Houses', 'New 2 sty res w/ att gar, cov patio'],
  ['new_house', 'SFD', 'SFD with attached ADU'],
  ['new_house', 'R- 101 Single Family Houses / New', '2 stry frm w/ att gar'],
  ['other', 'Residential New / Fire Sprinkler', 'NFPA 13D system for new SFR'],
  ['other', 'New Installation Fire Suppression Permit', 'New single family residence'],
  ['other', 'Residential New', 'Electrical for new SFR'],
  ['other', 'Building Permit', 'HVAC new single family dwelling'],
  ['other', 'Building Permit', 'Temp power for new house'],
  ['other', 'Residential - New', 'Green House 120 sq ft'],
  ['other', 'SFR', 'Replace 6 windows like for like'],
  ['other', 'Plumbing', 'New house'],
  ['multifamily', 'New Multi-Fam Bldg', undefined],
  ['other', 'Bldg Non Res Demo', undefined],
  ['solar', 'RES SOLAR PV', 'New house, roof mount'],
  ['adu', 'AADU', undefined],
  ['adu', 'Acc Dwlg Unit - Att', undefined],
  ['adu', 'JADU', 'Convert bedroom'],
  ['adu', 'Residential', 'Build det. acc. dwlg unit behind SFR'],
  ['adu', 'Building Permit', 'Backyard cottage, 800 sf, per plan'],
  ['adu', 'Building Permit', 'Convert basement to in-law suite'],
  ['adu', 'Building Permit', 'New garage apartment over detached garage'],
  ['adu', 'Residential', 'NEW 2 STORY GARAGE APT'],
  ['roof', 'Residential', 'REROOF GARAGE APT 4'],
  ['other', 'Residential', 'Garage, Oak St garage apt. bldg 3'],
  ['adu', 'Residential', 'Garage with qtrs above'],
  ['adu', 'Alteration', 'Legalize existing unit at ground floor'],
  ['other', 'Building Permit', 'Adult day health center signage'],
  ['other', 'Building Permit', 'Install new rooftop units on existing building'],
  ['other', 'Building Permit', 'Replace 2nd unit air conditioner'],
  ['other', 'Residential New / Detached Garage', 'Detached garage, not an accessory dwelling unit'],
  ['multifamily', 'Multifamily Townhome - New', 'New townhouse unit on slab'],
  ['other', 'Tenant Finish / Condominium', 'Construct 1,400 sf dwelling unit with porch'],
  ['remodel', 'Rehab', 'Finish basement, not to add a second dwelling unit'],
  ['other', 'Building Permit', 'Electrical service for existing ADU'],
  ['roof', 'Building Permit', 'Re-roof ADU'],
  ['addition', 'Res Add', '12x20 sunroom'],
  ['addition', 'Bldg - Resid Addn', undefined],
  ['addition', 'Building Permit', "2nd sty add'n over garage"],
  ['addition', 'Building Permit', 'Pop-top and rear addition to SFR'],
  ['addition', 'Building Permit', 'Expand kitchen and family room at rear, 240 sf'],
  ['other', 'Building Permit', 'Addition of 100 amp electrical subpanel'],
  ['other', 'Building Permit', 'Addition of 3 antennas to existing monopole'],
  ['other', 'Building Permit', 'Extension of permit 2019-123'],
  ['other', 'Building Permit', 'Add 40 ft of fence'],
  ['new_house', 'New construction', 'Erect three story, no basement single family dwelling'],
  ['new_house', 'Building', 'Erect 2-story, type 5, single dwelling unit building'],
  ['new_house', 'Building', 'Construct singel famly home'],
  [
    'new_house',
    'New construction',
    'New construction on empty lot, single family home, demolish existing retaining wall',
  ],
  ['new_house', 'BP - Residential', 'NSFR 3,200 sq ft'],
  ['new_house', 'Building Permit', 'New const. of a 2 story sgl fam dwlg w/ att. 3 car gar.'],
  ['new_house', 'Detached Single Family', 'New'],
  ['multifamily', 'New construction', 'Erect 4-story, 2 families dwelling'],
  ['multifamily', 'New construction', 'Erect 4 stories, 117 residential with parking'],
  ['multifamily', 'MULTI FAMILY', 'Condo #12'],
  ['multifamily', 'Building Permit', 'New duplex, 2 units, 1,200 sf each'],
  ['other', 'New construction', 'Erect 5-story new residential building'],
  ['other', 'New construction', 'Erect 250 unit hotel'],
  ['other', 'Building', 'New deck at condo unit 4'],
  ['other', 'Multifamily', 'Repair stairs at building C'],
  ['adu', 'Alterations', 'Legalize in law, expand bedroom'],
  ['adu', 'Alterations', 'Legalization of an existing non-conforming first floor and garden level unit'],
  ['adu', 'Alterations', 'Dwelling unit addition at ground floor'],
  ['adu', 'Alterations', 'Addition of kitchen in lower floor to create a 2nd separate unit'],
  ['adu', 'Alterations', 'Attic to living space to accommodate one additional unit'],
  ['remodel', 'Alterations', 'Remodel bath. Ref PA #2020-123 and #2020-124 are ADU'],
  ['addition', 'Alterations', 'Horizontal addition to accommodate 4 dwelling units'],
  ['addition', 'Building', 'Second story add. to existing home'],
  ['remodel', 'Alterations', 'Addition of one half bath'],
  ['other', 'Building Permit', 'Addition of 2 new property line windows'],
  ['other', 'Building Permit', 'Retain door to former pantry addition'],
  ['other', 'Building Permit', 'Addition of handrail and ramp'],
  ['remodel', 'Alteration', 'Convert building to a three family dwelling'],
  ['other', 'Building Permit', "Add 10'x12' wood deck to rear of dwelling"],
  ['remodel', 'Rehab / Accessory Dwelling Unit', 'Interior renovation of existing ADU'],
  ['adu', 'Rehab / Accessory Dwelling Unit', 'Convert detached garage to living space'],
  ['partial_demolition', 'Building Permit', 'Interior demo to prepare for a future addition and DADU'],
  ['adu', 'New / Building Permit / R-102 Secondary Apartment', undefined],
  ['adu', 'Building Permit', 'Convert garage to auxiliary dwelling unit'],
  ['adu', 'Single Family / New Building', 'New ohana dwelling unit attached to existing dwelling'],
  ['adu', 'Residential', 'Guest living quarters, 480 sf'],
  ['adu', 'New Construction and Additions', 'New detached garage w/ apt above'],
  ['adu', 'Addition / Accessory Structure, Garage', 'Detached garage with studio apartment above'],
  ['adu', 'Building Permit', 'Build laneway house at rear'],
  ['adu', 'Alterations', 'Addition of one (n) unit in basement'],
  ['addition', 'Addition and Remodel / Building Permit / Addition & Alterations', undefined],
  ['addition', 'Addition / Building Permit / Addition & Alterations', undefined],
  ['remodel', 'Addition and Remodel / Building Permit', 'Update kitchen'],
  ['other', 'Zoning Addition', 'Erect 4 antennas on existing tower'],
  ['other', 'Single Family Addition', 'Create one parking space for existing dwelling'],
  ['other', 'Building Permit', 'Remove illegally constructed rear addition, erect shed'],
  ['addition', 'Building Permit', 'Demolition of porch and construction of rear addition'],
  ['remodel', 'Rehab', 'Renovate and expand space into adjacent unit'],
  ['new_house', 'RES-NEW DWELLING & DET GAR', undefined],
  ['multifamily', 'RES-NEW DWELL TWNHS1OF2', undefined],
  ['multifamily', 'RES NEW DWELLING DPLX', undefined],
  ['multifamily', 'New Construction', 'Erect 3 story 3 D.U. masonry building'],
  ['other', 'Residential - New / Single Family', 'Only to put up a temp pole for temp electric'],
  ['other', 'New Construction', 'Demolition of existing structures and erection of a 17 story structure'],
  ['other', 'Wrecking', 'Wreck 3 story masonry 6 D.U. building'],
  ['partial_demolition', 'Demolition / R-649 Demolition All Other Bldgs Res', undefined],
  ['remodel', 'Alteration', 'Interior alterations to create six (6) dwelling units'],
  ['remodel', 'Alterations', 'Remodel floor 1; additions are 2 duct detectors'],
  ['whole_house_demolition', 'Demo Res SFD', undefined],
  ['whole_house_demolition', 'Demolition / Building Permit', 'For new house with pool'],
]

// Invented permits as large cities, the census classes, type codes and BLDS write them.
const elsewhere: typeof abbreviated = [
  [
    'new_house',
    'Long Form/Alteration Permit / ERECT / 1-2FAM',
    'Erect new single family dwelling on vacant lot as per plans',
  ],
  ['multifamily', 'Erect/New Construction / 1-3FAM', 'Erect a three family dwelling on existing vacant lot'],
  [
    'remodel',
    'Short Form Bldg Permit / Renovations - Interior NSC / 1-2FAM',
    'Remodel kitchen and bath, no structural changes',
  ],
  ['addition', 'Long Form/Alteration Permit / Addition / 1-2FAM', 'Rear two story addition with roof deck'],
  [
    'adu',
    'Long Form/Alteration Permit / Change Occupancy / 1-2FAM',
    'Change occupancy to include an Additional Dwelling Unit in the basement (ADU program)',
  ],
  [
    'whole_house_demolition',
    'Short Form Bldg Permit / RAZE / 1-2FAM',
    'Raze the existing single family structure and remove all debris',
  ],
  ['other', 'Electrical Permit / 1-2FAM', 'Wire new house'],
  ['whole_house_demolition', 'DM', 'DEMOLITION OF EXISTING 2 STORY ONE FAMILY DWELLING'],
  ['new_house', 'NB', 'PROPOSED NEW 2 STORY ONE FAMILY DWELLING WITH ATTACHED GARAGE'],
  ['addition', 'A1', 'HORIZONTAL AND VERTICAL ENLARGEMENT OF EXISTING ONE FAMILY DWELLING'],
  ['remodel', 'A2', 'INTERIOR RENOVATION. NO CHANGE IN USE, EGRESS OR OCCUPANCY'],
  ['multifamily', 'NB', 'NEW 6 STORY BUILDING WITH 24 DWELLING UNITS'],
  ['other', 'EQ / FENCE', 'CONSTRUCTION FENCE FOR DEMOLITION OF BUILDING'],
  [
    'new_house',
    'PERMIT - NEW CONSTRUCTION',
    'NEW 2 STORY SINGLE FAMILY RESIDENCE WITH BASEMENT, FRONT PORCH, REAR DECK AND 2 CAR FRAME GARAGE AS PER PLANS',
  ],
  [
    'multifamily',
    'PERMIT - NEW CONSTRUCTION',
    'ERECT A 3 STORY 3 DWELLING UNIT MASONRY BUILDING WITH REAR OPEN PORCHES',
  ],
  ['other', 'PERMIT - NEW CONSTRUCTION', 'ERECT A DETACHED 20 X 22 FRAME GARAGE'],
  ['whole_house_demolition', 'PERMIT - WRECKING/DEMOLITION', 'WRECK AND REMOVE A 1.5 STORY FRAME SFR'],
  ['partial_demolition', 'PERMIT - WRECKING/DEMOLITION', 'WRECK AND REMOVE FRAME GARAGE AND COACH HOUSE'],
  [
    'adu',
    'PERMIT - RENOVATION/ALTERATION',
    'CONVERSION UNIT PER ADU ORDINANCE: ADD BASEMENT DWELLING UNIT TO EXISTING 3 FLAT',
  ],
  ['addition', 'PERMIT - RENOVATION/ALTERATION', '2ND FLOOR ADDITION TO EXISTING 1 STORY SFR'],
  ['remodel', 'PERMIT - RENOVATION/ALTERATION', 'DECONVERT 2-FLAT TO SINGLE FAMILY RESIDENCE, INTERIOR REMODEL'],
  ['roof', 'PERMIT - EASY PERMIT PROCESS', 'TEAR OFF AND REROOF SINGLE FAMILY RESIDENCE'],
  [
    'new_house',
    'Building / Single Family/Duplex / New',
    'Establish use as and construct a single family residence, per plan',
  ],
  [
    'adu',
    'Building / Single Family/Duplex / New',
    'Construct detached accessory dwelling unit in rear yard of existing SFR, per plan',
  ],
  [
    'whole_house_demolition',
    'Demolition / Single Family/Duplex',
    'Demolish existing single family residence (per 23.44.008), subject to field inspection',
  ],
  [
    'addition',
    'Building / Single Family/Duplex / Addition/Alteration',
    'Construct second story addition and interior alterations to SFR, per plans',
  ],
  ['multifamily', 'Building / Multifamily / New', 'Construct townhouse building with 4 units, per plans'],
  ['other', 'Grading', 'Grading for new single family residence'],
  ['new_house', 'Bldg-New / 1 or 2 Family Dwelling', '(N) 2-STORY SFD W/ BASEMENT & ATTACHED 2-CAR GARAGE'],
  [
    'adu',
    'Bldg-Alter/Repair / 1 or 2 Family Dwelling',
    'CHANGE OF USE OF (E) DETACHED GARAGE TO ADU PER GOV CODE 65852.2',
  ],
  ['adu', 'Bldg-Addition / 1 or 2 Family Dwelling', 'CONVERT (E) GARAGE TO ADU AND ADD 200 SF'],
  ['other', 'Bldg-New / Garage-Private', "NEW DETACHED 2-CAR GARAGE 20'X20'"],
  ['pool', 'Swimming-Pool/Spa / 1 or 2 Family Dwelling', 'NEW POOL AND SPA PER STD PLAN'],
  ['partial_demolition', 'Bldg-Demolition / Garage-Private', 'DEMO EXISTING DETACHED GARAGE (SEWER CAP NOT REQUIRED)'],
  ['multifamily', 'Bldg-New / Apartment', 'NEW 5-STORY, 48-UNIT APARTMENT BUILDING OVER 2 LEVELS PARKING'],
  ['remodel', 'Bldg-Alter/Repair / 1 or 2 Family Dwelling', 'VOLUNTARY: INTERIOR REMODEL BATHROOM AND KITCHEN IN SFD'],
  ['new_house', 'Building Permit / 101 One Family Detached', 'New 2 story SDU with attached garage'],
  ['adu', 'Building Permit / 1051 Companion Unit', 'Proposed 600 sq ft companion unit detached'],
  ['whole_house_demolition', 'Demolition/Removal / 645 Demo of 1 Family Houses', undefined],
  ['new_house', 'Residential Construction Permit - New Single Family', 'New SFR w/ detached garage'],
  ['addition', 'RESCON', 'Pop top addition to existing home'],
  ['adu', 'Residential Construction Permit - New ADU', 'ADU above new detached garage'],
  ['whole_house_demolition', 'DEMO - Total - Residential', 'Total demo of single family home'],
  ['partial_demolition', 'DEMO - Garage', 'Demo of detached garage'],
  ['multifamily', 'Residential Construction - Duplex', 'New duplex side A and side B'],
  ['remodel', 'RESCON', 'Basement finish with bath and bedroom in existing SFD'],
  [
    'whole_house_demolition',
    'Residential Permit / Demolition',
    'DEMO 1 STORY SINGLE FAMILY RESIDENCE W/ TUCKUNDER GARAGE; NO GRADING BEYOND DEMO',
  ],
  ['new_house', 'Residential Permit / New Construction', 'NSFR W/ATTACHED ADU'],
  ['adu', 'Residential Permit / Alteration', 'CONVERT EXISTING DETACHED GARAGE TO ADU. ADD BATHROOM AND KITCHEN'],
  ['addition', 'Residential Permit / Addition', '2 STORY ADDITION AT REAR; REMODEL KITCHEN'],
  ['remodel', 'Residential Permit / Alteration', 'CONVERT ATTIC TO LIVING SPACE, NEW BATH'],
  ['new_house', 'Residential / New / Single Family', 'NEW SFD'],
  ['addition', 'ADDITION - RESIDENTIAL / SINGLE UNIT', 'SUNROOM ADDITION'],
  ['other', 'ACCESSORY STRUCTURE - RESIDENTIAL', 'STORAGE BUILDING 12X16'],
  ['whole_house_demolition', 'DEMOLITION RESIDENTIAL / SINGLE FAMILY', undefined],
  ['adu', 'NEW BUILDING - RESIDENTIAL / ACCESSORY DWELLING', undefined],
  ['multifamily', 'NEW BUILDING - RESIDENTIAL / TOWNHOUSE', 'LOT 4 END UNIT'],
  ['new_house', 'RES NEW CONST', 'SUBD LOT 44 PLAN 3513 STD'],
  ['adu', 'RES CUSTOM', 'DETACHED GUEST HOUSE 750 SQ FT LIVABLE W/ KITCHEN'],
  ['other', 'RES FENCE', '6FT CMU FENCE AT SFR'],
  ['addition', 'RES ADD/REM', 'LIVABLE ADDITION 320 SF TO (E) SFR'],
  ['addition', 'RES ADDITION/REMODEL', 'ENCLOSE PATIO TO CREATE 200 SF LIVABLE'],
  [
    'new_house',
    'Building Residential - New / Single Family Residence',
    'to construct a new single family residence with 2800 sf living and 400 sf garage',
  ],
  ['adu', 'Building Residential - New / Accessory Dwelling Unit (DADU)', 'Construct DADU at rear of lot'],
  [
    'whole_house_demolition',
    'Building Demolition Permit / Demolition Permit - Residential',
    'to demo existing residence on lot',
  ],
  [
    'partial_demolition',
    'Building Demolition Permit / Demolition Permit - Residential',
    'demo existing detached garage only. house to remain',
  ],
  ['whole_house_demolition', 'WRECK / Res Wrecking', 'WRECK SFD & GARAGE'],
  ['new_house', 'Res New Constr / Single Family', '2 STORY NEW SINGLE FAMILY DWELLING'],
  ['addition', 'Res Addition', 'DORMER ADDITION TO SFD'],
  ['new_house', 'BP-RES New Construction / Single-Family', 'NEW SFD 2-STORY 3,200 SF W/ 3 CAR GARAGE (BEPM 100%)'],
  ['adu', 'B-Building / Single-Family / Secondary Dwelling', 'DETACHED ADU 700 SF BEPM'],
  ['addition', 'B-Combo / Single-Family / Addition', 'ADD 400 SF FAM RM & BATH TO SFR BEPM100%'],
  ['whole_house_demolition', 'Demolition / Single-Family', 'DEMO SFR'],
  ['other', 'B-Electrical / Single-Family', 'TEMP POWER POLE FOR NEW SFR'],
  ['new_house', 'BP / New / R- 101 Single Family Houses', 'New single family res w/ att gar, cov patio, cov porch'],
  ['adu', 'BP / New / R- 102 Secondary Apartment', 'New detached secondary dwelling with carport'],
  ['whole_house_demolition', 'BP / Demolition / R- 645 Demolition One Family Homes', 'Demo single family residence.'],
  [
    'addition',
    'BP / Addition / R- 434 Addition & Alterations',
    '1st flr addn to rear of exst res to create new master bed & bath',
  ],
  ['other', 'BP / New / R- 329 Res Structures Other Than Bldg', 'New wood deck'],
  ['multifamily', 'BP / New / R- 103 Two Family Bldgs', 'New duplex'],
  ['partial_demolition', 'BP / Demolition / R- 649 Demolition All Other Bldgs Res', 'Demo shed'],
  ['new_house', 'Building / New Construction / Single Family Residence', 'NEW 2 STORY CBS RESIDENCE'],
  ['whole_house_demolition', 'Building / Total Demolition', 'TOTAL DEMOLITION OF SINGLE FAMILY RESIDENCE AND POOL'],
  ['addition', 'Building / Addition Attached', 'ONE STORY ADDITION FOR FAMILY ROOM'],
  ['other', 'Building / Windows/Doors', 'REPLACE WINDOWS IN SFR'],
  ['new_house', 'Residential - New - Single Family', 'New 2-story single family house on basement, 3,800 sf'],
  ['whole_house_demolition', 'Demolition - Residential Single Family', 'Demo house - full structure'],
  ['adu', 'Residential - Accessory Structure', 'Detached guest house with kitchen'],
  ['addition', 'Residential - Alteration/Addition', 'Add second story and rear addition to existing house'],
  ['new_house', 'One/Two Family / New', '1 FAMILY DETACHED, 3 BR 2.5 BA, HTD SQ FT 2145'],
  ['addition', '434 - Residential addition', 'ADD BONUS ROOM OVER GARAGE'],
  ['whole_house_demolition', '645 - Demo one family', undefined],
  ['new_house', 'RSF-NEW', 'NEW SFR STD PLAN 4021'],
  ['other', 'PMT-RES-MEP', 'REPLACE AC'],
  ['new_house', '101 - Single family houses detached', undefined],
  ['new_house', '102 - Single family houses attached', undefined],
  ['multifamily', '103 - Two-family buildings', undefined],
  ['multifamily', '105 - Five or more family buildings', undefined],
  ['addition', '434 - Additions, alterations residential', 'Room addition 300 sf'],
  ['remodel', '434 - Residential alteration', 'Kitchen remodel'],
  ['other', '438 - Residential garages and carports', 'New 2 car garage'],
  ['whole_house_demolition', '645 - Demolition single family houses', undefined],
  ['other', '648 - Demolition five or more family buildings', undefined],
  ['new_house', 'RES-NEW', undefined],
  ['whole_house_demolition', 'BLD-DEMO', 'SFR'],
  ['whole_house_demolition', 'RDEMO', 'house'],
  ['partial_demolition', 'DEMO-ACC', undefined],
  ['addition', 'ALT/ADD', 'Rear addn 12x14'],
  ['adu', 'ADU-DET', undefined],
  ['other', 'RES-ACC STR', 'Pole barn'],
  ['other', 'ELE-RES-NEW', 'New service for SFR'],
  ['other', 'E-NEW SFD', undefined],
  ['remodel', 'RES-ALT', 'Kitchen'],
  ['new_house', 'New / Residential / Single Family', 'New home lot 5'],
  ['whole_house_demolition', 'Demolition / Residential / Single Family', undefined],
  ['addition', 'Addition / Residential', undefined],
  ['remodel', 'Alteration / Residential', undefined],
  ['other', 'New / Commercial', 'New restaurant'],
  ['adu', 'New / Residential / Accessory Dwelling Unit', undefined],
  ['multifamily', 'New / Residential / Multi-Family', undefined],
  ['other', 'Building Permit', 'Detached office, not for use as dwelling, no kitchen'],
  ['remodel', 'Building Permit', 'Interior remodel, no addition of square footage'],
  ['multifamily', 'Building Permit', 'Construct 24-unit apartment building including 2 ADUs'],
  ['solar', 'Building Permit', 'Roof mounted PV 5 kW on new house'],
  ['other', 'Building Permit', 'New model home sales trailer'],
  ['other', 'Building Permit', 'New roof deck on single family house'],
  ['adu', 'Building Permit', 'Convert attached garage into junior ADU'],
  ['adu', 'Building Permit', 'Build mother-in-law cottage at rear'],
  ['adu', 'Building Permit', 'New detached secondary dwelling 900 sf'],
  ['adu', 'Building Permit', 'Construct garage with second story dwelling unit'],
  ['adu', 'Building Permit', 'Convert 1 car garage to studio apt'],
  ['addition', 'Building Permit', 'Addition - 2 bedrooms and bath, 420 SF'],
  ['addition', 'Building Permit', 'Build new second floor on existing house'],
  ['addition', 'Building Permit', 'Two-story rear add & interior reno'],
  ['whole_house_demolition', 'Building Permit', 'Demolish fire damaged SFD, cap sewer'],
  ['partial_demolition', 'Demolition', 'Remove inground pool'],
  ['other', 'Demolition', 'Gas station canopy and store'],
  // Conversions that leave fewer dwellings, work at a unit that exists, and equipment that is "added".
  ['remodel', 'Renovation/Alteration', 'Conversion of a 2 unit building into a 1 unit single family home'],
  ['remodel', 'Renovation/Alteration', 'De-convert 3 dwelling units to 2 dwelling units'],
  ['remodel', 'Renovation', 'Convert existing second floor dwelling unit to an office'],
  ['remodel', 'Renovation', 'Interior remodeling and down conversion from 2 unit to single family'],
  ['remodel', 'Residential', 'Residential conversion, single family residence to duplex'],
  ['remodel', 'Renovation', 'Convert unit 12 from 1 unit into 2 units'],
  ['remodel', 'Renovation', 'Legalize existing multi-unit building, new kitchen'],
  ['other', 'Easy Permit', 'Replace existing front porch, coach house one story'],
  ['other', 'Express Permit', 'New 100 amp service installed on existing coach house'],
  ['other', 'Express Permit', 'Upgrade services for front house and coach house to 200 amps each'],
  ['remodel', 'Alteration', 'Addition of second exit for existing basement unit'],
  ['other', 'Express Permit', 'Add public meter, 2 units and 1 public'],
  ['remodel', 'Alteration', 'Interior alteration to add 3 bathrooms and remodel 3 units'],
  ['remodel', 'Building Permit', 'Change of address for legalized unit'],
  ['adu', 'Building Permit', 'Addition of quarters above det gar'],
  ['adu', 'Building Permit', 'Build a pre-approved DADU in rear yard'],
  ['adu', 'Alterations', 'Remodel of a basement into an additional dwelling unit'],
  [
    'adu',
    'Alterations',
    'Addition of 2 (n) units at ground floor for total of 17 units, fire sprinklers under separate permit',
  ],
  ['other', 'Express Permit', 'Power and voice/data additions on the 13th floor'],
  ['other', 'Express Permit', 'Additions to existing low voltage alarm system'],
  ['other', 'Express Permit', 'Extend existing power and data to new floor box'],
  ['remodel', 'Alteration', 'Replace rear 2-story additions with open porches'],
  ['remodel', 'Building Permit', 'Garage conversion to master bedroom, adding one bedroom and bath'],
  ['remodel', 'Building Permit', 'Interior remodel of guest bath. Enlarge garage door'],
  ['other', 'Building Permit', 'Addition of card readers at three sets of doors'],
  ['addition', 'Zoning', 'Third story addition of an existing two story structure'],
  ['addition', 'Building Permit', 'Construct a 650 sf addition of living space to rear of residence'],
  ['other', 'Building Permit', 'Demolition of bus station and building overhang'],
  ['partial_demolition', 'Building Permit', 'Total demo of covered structure 300 sq ft'],
  ['new_house', 'New Single Family Dwelling', '4 story res w/ att gar'],
  ['addition', 'Building Permit', 'Addition to 1st and 2nd floor, new bedroom and home gym'],
  ['other', 'Wrecking', 'Wreck and remove a 3 story multi family residence mixed use'],
  ['other', 'Demolition (C)', undefined],
  ['partial_demolition', 'Wrecking', 'Demo of a one story brick field house'],
  ['other', 'Renovation', 'Demolish masonry structure, replace brick and tuckpoint wall'],
  ['other', 'New Construction', 'Construct temporary modular classroom in parking lot'],
  ['other', 'Express Permit', 'New service 200 amp, new electric all house, garage'],
  ['new_house', 'Building Permit', 'New SFR 4 bedrooms 3 bathrooms attached 3 car garage'],
  ['other', 'Express Permit', 'Total rewire. Permit for rear coach house only'],
  ['remodel', 'Renovation', 'Rebuild porch on coach house'],
  ['adu', 'New Construction', 'New A.D.U. coach house on top of new garage'],
  ['remodel', 'Renovation', 'Replace wood stair with new wood stair and remove illegal dwelling unit from basement'],
  ['remodel', 'Renovation', 'Conversion of body shop into new strip mall (3 units)'],
  ['adu', 'Renovation', 'Legalize existing basement apartment'],
  ['other', 'Express Permit', '**Fire alarm permit** renovations and addition to existing building'],
  ['addition', 'Residential: Addition(Living Space), Alteration(Interior)', undefined],
  ['other', 'Commercial: Repair/Modify/Add Circuit', undefined],
  ['other', 'Wrecking', 'Wrecking two story brick commercial and residential bldg'],
  ['other', 'Express Permit', 'Install a circuit from 2nd floor apartment to the garage'],
  ['remodel', 'Renovation', 'Converting 2 bedroom apartments to 3 bedroom apartment'],
  ['remodel', 'Renovation', 'Convert basement and 1st floor unit into duplex apartment'],
  ['remodel', 'Renovation', 'Convert rear coach house unit into a 2 car garage'],
  ['other', 'Express Permit', 'Coach house on rear of lot, one meter and 100 amp service'],
  ['other', 'Express Permit', 'Extend 100 amp riser to rear of house'],
  ['remodel', 'Renovation', 'Expansion of existing dental office into adjacent tenant space, new interior'],
  ['addition', 'Renovation', 'Proposed 2nd floor front and rear dormers to SFR. Erect fence'],
  // A building behind the house is an accessory unit only if it is what is built.
  ['remodel', 'Renovation', 'Rebuild side porch (coach house) per plans'],
  ['other', 'Express Permit', 'New 150a service for carriage house'],
  ['other', 'Express Permit', 'Add 6 new circuits rear coach house'],
  ['other', 'Easy Permit', 'Coach house/garage: tuckpointing on west elevation'],
  ['adu', 'Construction Permit', 'Construct backyard cottage accessory to single family residence'],
  ['adu', 'Renovation', 'New coach house over existing brick garage'],
  ['adu', 'Building Permit', 'Convert detached garage to guest house'],
  // Other work, other permits and fewer dwellings.
  ['other', 'Pre-application', 'Unit lot subdivision to separate house and DADU'],
  ['other', 'Building Permit', 'Revision to permit 81-220: ADU project, footings changed due to field conditions'],
  ['remodel', 'Renovation', 'Interior alterations in 3 flats [see permit #55810 to add unit in basement]'],
  ['remodel', 'Renovation', 'Convert from 3 to 2 dwelling units and rebuild rear porch'],
  ['adu', 'Renovation', 'Convert from 2 to 3 dwelling units and rebuild rear porch'],
  ['remodel', 'Renovation', 'Convert 2nd and 3rd floor to single dwelling unit'],
  ['other', 'Express Permit', 'Add meter and basement d.u. to existing 200 amp service'],
  ['remodel', 'Renovation', 'Office build-out, new window openings/units at wall of ground level'],
  // Larger rooms within the walls are no addition.
  ['remodel', 'Renovation', 'Interior alterations on the 30th floor to expand existing office suite'],
  ['remodel', 'Renovation', 'Expand kitchen by relocating powder room and removing partition'],
  ['remodel', 'Renovation', 'Deconvert 2 unit to single family home. Add 3 bedrooms and 1.5 bathrooms'],
  ['remodel', 'Alterations', 'Addition of 14 guestrooms and alterations to lobby'],
  ['other', 'Express Permit', 'Install 100 amp subpanel for new addition'],
  ['addition', 'Building Permit', 'Add bedroom and bath to rear of house'],
  ['addition', 'Renovation', 'Expand building footprint 300 sf at rear'],
  // An addition that names an accessory unit after other work does not build one.
  ['addition', 'Residential Addition', 'New family room and bedroom addition at rear of house next to ADU'],
  ['adu', 'Addition', 'Construct a new attached ADU of 700 sf'],
  ['adu', 'Addition', 'Build a pre-approved DADU in rear yard'],
  ['adu', 'Addition', 'Convert attached garage into junior ADU'],
  ['adu', 'Addition', 'Convert detached garage to ADU and add 200 sf'],
  // Papers that are added make no building larger, and a lot line builds no unit.
  ['other', 'Building Permit', 'Addition to plans for permit 2020-123'],
  ['other', 'Building Permit', 'Addition to scope of work: new window'],
  ['other', 'Building Permit', 'Parking lot lighting additions'],
  ['other', 'Building Permit', 'Lot line adjustment, house and ADU'],
  // The new house itself is the accessory unit; then a new house with one.
  ['adu', 'Construction Permit', 'Construct one-family dwelling (DADU), per plan'],
  ['new_house', 'Construction Permit', 'Construct single-family residence and detached accessory dwelling unit (DADU)'],
  ['remodel', 'Rehab / Detached Accessory Dwelling Unit', 'Renovate the existing second floor of DADU, interior work'],
  // Parts of a house, other buildings, and the demolition that makes room for a duplex.
  ['partial_demolition', 'Demolition', 'Remove lean-to from house and garage'],
  ['partial_demolition', 'Residential Building', 'Demo of fire affected building materials in upper level of home'],
  ['other', 'Wrecking', 'Wreck and remove a 1 story masonry building (former community center)'],
  ['whole_house_demolition', 'Wrecking', 'Wreck and remove a 2 story brick with basement and frame garage'],
  ['other', 'Residential - New / Duplex', 'Tearing down an existing duplex, building another'],
  ['multifamily', 'Residential New', '4 plex on Main Street'],
  // A type that says addition, and work that adds nothing.
  ['other', 'Residential - Addition', 'Extending existing concrete driveway by 9 ft'],
  ['remodel', 'Residential - Addition', 'General refurbishing, drywall and paint throughout'],
  ['other', 'Accessory-Addition Permit', '12 Oak St garage rebuild'],
  ['addition', 'Residential - Addition', 'Adding a 16x14 (224 sf) office to the side of home. Signs must be posted'],
  ['other', 'Easy Permit', 'Repointing SFR coach house with garage'],
  ['remodel', 'Renovation', 'Remodel existing basement apartment to an existing 3 dwelling unit building'],
  ['other', 'Easy Permit', 'Discontinue use of basement as dwelling unit, electrical work'],
  ['adu', 'Construction Permit', 'Construct one-family dwelling [detached accessory dwelling unit], per plan'],
  ['other', 'Wrecking', 'Wreck and remove a two story masonry multi residence building'],
  ['partial_demolition', 'Rehab', 'Interior and exterior demolition of an existing single-family dwelling'],
  ['other', 'Commercial - Addition', 'Tenant build out of approx. 1,200 sq ft'],
  ['other', 'Addition / Accessory Structure', 'To construct a detached 20 x 23 carport'],
  ['partial_demolition', 'Rehab', 'Demo portion of existing house for future addition'],
  ['other', 'Wrecking', 'Demolition of a 2 story masonry building. Commercial/private'],
  ['other', 'Wrecking', 'Wreck and remove a 7 story mid rise building'],
  ['whole_house_demolition', 'Wrecking', 'Wreck and remove 1.5 story frame'],
  ['partial_demolition', 'Complete demolition', 'Demolition of rear first story'],
  ['other', 'Zoning - Addition', 'Removal of an existing trailer and erection of a detached structure'],
  ['remodel', 'Renovation', 'Basement renovation to existing 2 story building with basement as 2 dwelling units'],
  ['other', 'Easy Permit', 'Add 700 sq ft of drywall to exposed wall'],
  ['remodel', 'Renovation permit', 'Extend front stairs up to roof'],
  ['adu', 'Renovation', 'Interior renovation to add 1 dwelling unit in basement to existing 3-dwelling unit building'],
  ['remodel', 'Renovation', 'Existing 2 story frame construction coach house at rear of lot. Repair damage to walls'],
  ['addition', 'Renovation', 'Remodel of existing home- new addition, one new bathroom'],
  ['addition', 'Renovation', 'Expanding existing 2nd floor dormer'],
  ['other', 'Wrecking', 'Wreck and remove a 1 story brick non dwelling structure at the academy'],
  // A whole house under a type of smaller work, and names of streets.
  ['whole_house_demolition', 'Additions alterations or repairs', 'Demolish single family dwelling, detached garage'],
  ['whole_house_demolition', 'Residential Addition', 'Demolish house'],
  ['whole_house_demolition', 'Demolition', 'House and exterior patio'],
  ['partial_demolition', 'Demolition', 'Exterior demo of house'],
  ['partial_demolition', 'Demolition', 'Wreck an exterior smoke stack'],
  ['whole_house_demolition', 'Demolition', '1240 Hall Rd single family house'],
  ['whole_house_demolition', 'Demolition', '16 Academy Ave. SFR and garage'],
  ['whole_house_demolition', 'Demolition', 'Structure at 8 Commercial St'],
  ['whole_house_demolition', 'Building Permit', 'Demolish structure at 8 Commercial St'],
  // Revised plans and the name of a subdivision do not change what is built.
  ['adu', 'Building Permit', 'New ADU (revised)'],
  ['adu', 'Building Permit', 'New detached ADU, revised plans'],
  ['other', 'Building Permit', 'Revised footings at ADU'],
  ['adu', 'Building Permit', 'Construct ADU in Elm Hills subdivision'],
  ['other', 'Building Permit', 'Apply for unit lot subdivision for an SFR and ADU'],
  ['adu', 'Building Permit', 'Lot 6 Eastwood Subdivision. New detached ADU'],
  // Rooms make the building larger, whatever else the permit names.
  ['addition', 'Residential Addition', 'Family room and bedroom at rear, new driveway'],
  ['addition', 'Residential Addition', 'Remove deck. 280 sf sunroom'],
  ['addition', 'Building Permit', 'Addition of a guest bedroom and bath'],
  ['addition', 'Building Permit', 'Remodel existing home plus addition'],
  ['addition', 'Building Permit', 'Add two bedrooms, 380 sf'],
  // Remarks, titles and types that name a house or a building besides what is torn down.
  ['partial_demolition', 'Building Permit', 'Demolition Building Permit. Demolish 240 SF garage'],
  ['whole_house_demolition', 'Demolition', 'Remove a 1 storey detached dwelling and demolish a shed'],
  ['other', 'Demolition / Demolition', 'Demolish a 1 storey theatre'],
  ['other', 'Demolition', 'Demolition of a 2 storey institutional building (River Rd.)'],
  ['other', 'Demolition permit / Business building', 'Demo only, bond 1881'],
  ['other', 'Demolition / Fourplex', undefined],
  // Spellings and nouns of other places; several houses on one permit.
  ['new_house', 'Construction / Single', 'Construct a 2 Storey Single with attached garage Model: Elm B'],
  ['multifamily', 'Construction', 'Construct a 2 storey block of 5 rowhouse dwellings'],
  ['multifamily', 'Construction', 'Construct a block of 4, 3 storey rowhomes'],
  ['multifamily', 'New Construction', 'Construct 14 tiny homes per plans'],
  ['new_house', 'Other', 'Permit to build a new single family home on the block of 6900 Elm St'],
  // An accessory unit that is the reason, belongs to another permit, or has only its papers changed.
  ['adu', 'Zoning', 'Convert ADU approved under B2031-00029 and garage into a new JADU'],
  ['other', 'Building Permit', 'Request to rescind JADU deed restriction'],
  ['roof', 'Building Permit', 'Re-roof rear ADU'],
  ['adu', 'Addition', 'Construct accessory dwelling unit (remove garage)'],
  ['remodel', 'Retail', 'Interior alterations and demising wall to create two units on 1st floor'],
  ['remodel', 'Rowhouse', 'Interior alterations to convert a rooming house into a 1 unit rowhouse'],
  ['addition', 'Semi-detached', 'Construct an addition at the side to convert it into a semi-detached dwelling'],
  // A room named first, a count of other houses, the number of a permit and a remark do not hide the work.
  ['addition', 'Addition', 'Family room with fire sprinklers'],
  ['addition', 'Residential Addition', 'Two story wing and solar'],
  ['addition', 'Residential Addition', 'Bedroom wing, repair retaining wall'],
  ['addition', 'Residential - Addition', 'Garage expansion and retaining wall'],
  ['addition', 'Residential - Addition', 'Den, new awning over door'],
  ['addition', 'Residential - Addition', 'Repair foundation, den off the back'],
  ['addition', 'Residential - Addition', 'Modify roofline for upper level'],
  ['addition', 'Addition', 'Alter existing house, two story rear wing'],
  ['new_house', undefined, 'New dwelling, 1 of 5 homes on the site'],
  ['new_house', undefined, 'Construct single family home in a 20 homes subdivision'],
  ['new_house', undefined, 'New single family dwelling on 12 Houses Ln'],
  ['new_house', undefined, 'Construct SFD, block of 4 lots'],
  ['new_house', undefined, 'Construct 2,400 sf house, matches 3 other houses'],
  ['multifamily', undefined, 'Construct 4 new homes'],
  ['new_house', undefined, 'New two story single family residence constructed under B2031-00123'],
  ['adu', undefined, 'Foundation and framing. Build 600 sf detached ADU under permit B31-12345'],
  ['addition', undefined, 'Finish 450 sf rear addition started under B2031-00321'],
  ['whole_house_demolition', undefined, 'Demolish house on BR31-00123 parcel'],
  ['whole_house_demolition', undefined, 'Demo garage (house also)'],
  ['whole_house_demolition', undefined, 'Demo: pool - house - deck'],
  ['whole_house_demolition', undefined, 'Demolition - shed - single family residence'],
  ['other', undefined, 'Add attached garage subpanel'],
  // Work that adds nothing under a type that says addition.
  ['other', 'Addition', 'Repair deck'],
  ['other', 'Addition', 'Modify existing fire sprinklers per plan'],
  ['other', 'Addition', 'Concrete block retaining wall, 46 linear feet'],
  ['remodel', 'Addition / Warehouse', 'Alterations - existing industrial building'],
  // Additions without the word, and the word without an addition.
  ['addition', 'Construction', 'Construct a 2nd storey to a 1 storey detached dwelling'],
  ['addition', 'Construction', 'Construct an additional storey and interior alterations'],
  ['addition', 'Alteration', 'Construct a 3 season sunroom (side yard)'],
  ['addition', 'Renovation', 'Interior remodel, new attached 2 car garage to existing residence'],
  ['addition', 'Apartment', 'Construct a 3 storey addition at the rear to add 2 units in an 8 unit apartment building'],
  ['addition', 'Zoning', 'Horizontal addition in preparation to convert a portion of the house to a JADU'],
  ['other', 'Express Permit', 'Provide power to new sun room'],
  ['other', 'Construction', 'Repair foundation on 1 storey addition of a 2 storey detached dwelling'],
  ['remodel', 'Alteration', 'Interior alterations to commercial building extension granted'],
  // A part named before the demolition, an object of its own, another permit, an out building.
  ['other', 'Alteration', 'SFR/Demo existing stoop and build new landing'],
  ['partial_demolition', 'Carport / Demolition', 'Demolish detached carport *** main house demo permit 31-2000 ***'],
  ['partial_demolition', 'Demolition Permit', 'Full demolition of a 875 sq ft small out building'],
  // Trade work under a type for new houses; new houses with other words.
  ['other', 'Residential 1 & 2 Family / New Construction', 'Install venting, ductless & ducted mini-split systems'],
  ['other', 'Residential 1 & 2 Family / New Construction', 'New 200 amp service and wire new home of 3700 sqft'],
  ['other', 'Residential 1 & 2 Family / New Construction', 'New washer box, 3 hose bibs, 9 sinks, water heater'],
  [
    'other',
    'Single Family Dwelling / New Connection',
    '290 LF of 14" main. Build storm wye connection to branch at curb',
  ],
  ['new_house', 'Residential', 'To install a new double wide modular/manufacturer home'],
  ['new_house', 'Residential - New / Single Family', 'Excavation, framing, plumbing, electrical, cabinets'],
  ['multifamily', undefined, 'New construction of 2 buildings: parcel 1 - 135 res. units & parking'],
  // Systems and papers of an accessory unit; other buildings; guest houses without a verb.
  ['other', 'Alteration', 'Add a new 100a service and circuits for an ADU'],
  ['other', 'Alteration', '60 lf new 4" sewer line and 75 lf water line between ADU and house'],
  ['other', 'Alteration', 'Replace meter base. Refeed house panel, and new ADU panel with 100 amps'],
  ['other', 'New Construction', 'Service upgrade - new ADU'],
  ['partial_demolition', 'Building Permit', 'Demolish detached garage. (See new ADU Permit #B2031-02736.)'],
  ['remodel', 'Remodel', 'Remodel that was not permitted**/will not be a second dwelling unit'],
  ['adu', undefined, 'Interior alterations, create 2nd suite in basement'],
  // No larger building.
  ['other', undefined, 'HVAC - proposal for 3rd floor addition and rear deck'],
  ['other', 'Commercial', 'Grading permit to erect an addition to existing commercial building'],
  ['remodel', undefined, 'Minor interior alterations to office space to add new storage room'],
  ['other', undefined, 'Proposed sprinkler system addition in the east mezzanine'],
  ['remodel', 'Alteration', 'New bathroom addition in attic space, two sinks and shower'],
  ['other', 'Addition / Clinic', 'Leasehold improvements for a new clinic'],
  ['remodel', '1-2 Family Res Add / Alt', 'Install vinyl windows in existing lanai'],
  ['addition', 'Addition / 3303 - Gas Bar', 'Expansion of an existing gas bar'],
  ['other', 'Residential 1 & 2 Family / New Construction', 'NSF plumbing'],
  ['remodel', 'Residential 1 & 2 Family / New Construction', 'New bathroom fan'],
  ['remodel', 'Remodel', 'Add bathrooms in basement. The project is not an accessory dwelling unit (ADU)'],
  ['partial_demolition', 'Building Permit', 'Demolish shed. (See Permit B2031-02148 for new accessory dwelling unit.)'],
  ['other', 'Fire Permit', 'Additions / alterations to the existing wet pipe sprinkler system for a tenant finish'],
  ['pool', 'Remodel', 'Deck extension and hot tub. Adding 52 sq ft to deck'],
  ['pool', 'Addition', 'Install inground pool'],
  ['remodel', 'Alteration', 'Exterior alterations to extend the roof trusses on a 2 storey rowhouse'],
  // Ramps, alarms, walls and basements make no building larger; a deck counts where the city files it as an addition.
  ['addition', 'Addition', 'Construct rear deck, 14 x 16'],
  ['other', 'Other', 'Deck addition 12 x 20'],
  ['other', 'Residential Addition', 'Wheelchair ramp at side door'],
  ['other', 'Addition', 'Mill buildings 3-5, fire alarm'],
  ['remodel', 'Addition', 'Finish basement with bath'],
  ['remodel', 'Alteration', 'Alterations to widen hall, expand walkway between kitchen and dining room'],
  ['remodel', 'Mixed', 'Interior alterations to expand a bakery into the basement of a 4 story building'],
  ['other', 'Residential', 'Extend covered porch at the side of a 2 story dwelling'],
  ['other', 'Addition', 'Exterior staircase addition to building B'],
  ['other', 'Addition', '12 Elm porch replacement'],
  ['other', 'Residential Addition', 'Attached pergola'],
  ['other', 'Sitework Permit / New', 'Site work - clinic addition'],
  ['remodel', 'Remodel', 'Renovation and interior addition to a laboratory in an existing shell'],
  ['addition', 'Addition', 'Sunroom and deck'],
  ['addition', 'Addition', '12 x 14 three season room on existing deck'],
  ['addition', 'Residential', 'Enclose back deck and convert it to a sunroom'],
  // Accessory units that belong to the house, and a second dwelling in it.
  ['pool', undefined, 'New pool to building with 1 primary dwelling unit, 1 secondary suite and garage'],
  ['remodel', 'Alteration', 'Convert an existing lodge into a 4 d.u.'],
  ['remodel', 'Alteration', 'Conversion of second floor office to twelve (12) residential apartment units'],
  ['roof', 'Minor Permit', 'Building permit. Re-roof rear ADU'],
  // Rooms within the walls, denials, garages, forms and names of subdivisions.
  ['remodel', 'Addition', 'New bath in existing foot print of house'],
  ['addition', 'Addition', 'Add a third story within the existing footprint'],
  ['remodel', 'Alteration', 'New kitchen, small extension of mudroom into garage'],
  ['addition', 'Building / Addition', 'No change in original work Addition & renovation'],
  ['remodel', 'Alteration', 'Basement to become inlaw suite - will not be used as ADU'],
  ['other', '438 Residential Garage/Carport Addn / New', 'Carport'],
  ['other', 'Paving', 'Parking lot (new, addition or grade change)'],
  ['other', 'Meadow', 'Application name: Elm Estates Addition'],
  // A bare kind of house, filed under no work.
  ['new_house', 'Single Family', undefined],
  ['new_house', 'Modular Home', undefined],
  ['new_house', 'Single-Family Detached / Building', 'Online | single family detached plan 1945 elev B'],
  ['other', 'Single Family / Deck', undefined],
  ['remodel', 'Single Family / Alteration', undefined],
  ['multifamily', 'New Construction / Single Family Houses Attached', 'New construction duplex'],
  ['new_house', 'Residential - New / Single Family', 'To construct unit A of a duplex with 2,100 sqft of living area'],
  ['new_house', 'Single family res, 1500 sq.ft. or less', undefined],
  ['other', 'Commercial / Addition', 'Addition-cell tower'],
  ['other', 'Commercial / Addition', 'Like for like rooftop unit replacement, 3 units'],
  ['adu', 'Residential / Alterations', 'Convert garage into a inlaw living area'],
  // Other classes in other words.
  ['new_house', undefined, 'Replacement dwelling, modular home on permanent foundation'],
  ['other', undefined, 'Replacement house sewer line'],
  ['new_house', 'Residential New', 'Master plan 3105, lot 8 Elm Hollow Subdivision'],
  ['solar', 'Electrical', 'Roof mount PV 6.4 kW, 16 modules'],
  ['remodel', undefined, 'Finish basement, add rec room'],
]

test.each([...abbreviated, ...elsewhere])(
  '%s in the style of another city: %s, %s',
  (permitClass, type, description) => {
    expect(classifyPermit(type, description).permitClass).toBe(permitClass)
  },
)

test('a long description of repeated words is classified', () => {
  const repeated =
    "1|1 |1,|1x|1.| |,|.|'|(|x|new |add |adu |13 |nfpa 13 |permit for |condo|apartment |not |convert to |rear & |new a b |" +
    'separate |addition of |unit |garage |the existing |coach house to |demo for (1 sf |under |wood |of a |replacement '
  for (const words of repeated.split('|'))
    for (const description of [
      words.repeat(8_000 / words.length),
      `${words.repeat(1_900 / words.length)} zz coach house`,
      `2 ${words.repeat(1_900 / words.length)} zz`,
      `Convert 1 ${words.repeat(1_900 / words.length)} to 2 zz`,
    ])
      expect(permitClasses).toContain(classifyPermit('Residential', description).permitClass)
})

test('what the city files a permit under decides before its words', () => {
  const of = (type: string, description?: string, units?: number) =>
    classifyPermit(type, description, undefined, units).permitClass
  expect(of('NEW / Residential (1 & 2 Family Homes)')).toBe('new_house')
  expect(of('New / Institutional or Group Home')).toBe('other')
  expect(of('New / Institutional / Nursing Home')).toBe('other')
  expect(of('New / Single Detached Dwelling / Tiny Home Manufacturing')).toBe('other')
  // The use is in the description where the type says only that the building is new.
  for (const use of ['Institutional or Group Home', 'New nursing home, 80 beds', 'Tiny Home Manufacturing facility'])
    expect(of('NEW', use)).toBe('other')
  expect(of('Building Permit', 'Construct new group home')).toBe('other')
  expect(of('Demolition', 'Demolish nursing home')).toBe('other')
  expect(of('NEW', 'Construct new tiny home')).toBe('new_house')
  expect(of('Maglocks / Multi-Residential / Apartment')).toBe('other')
  expect(of('New Single Family Dwelling', 'Townhouse', 1)).toBe('new_house')
  expect(of('New Single Family Dwelling', 'Townhouse, 4 units', 1)).toBe('multifamily')
  expect(of('Building', 'Detached garage w/ quarters above')).toBe('adu')
  expect(of('Residential Construction / New Non-Building Structure')).toBe('other')
  expect(of('Demolition / Ind')).toBe('other')
  expect(of('Carport Permit', '12 Elm - carport/addition')).toBe('other')
  expect(of('Deck Permit', 'New deck and addition')).toBe('other')
  expect(of('Building', 'Close off existing front porch to create a mudroom')).toBe('addition')
})

test('work on a house filed under its kind builds no house', () => {
  const classes: readonly [PermitClass, string][] = [
    ['roof', 'New roof|Reroof with new shingles'],
    ['remodel', 'New bathroom|New kitchen cabinets|finish basement bedrooms'],
    ['other', 'New windows|upgrade house|replace siding on house|New front door|Awning on existing brick house'],
    ['new_house', 'New house|4 bedroom, 3 bath, 2-story'],
  ]
  const kinds = ['Single Family', 'Single Family Residential', 'Single Family Home', 'Single Family / Residential']
  const rows = (types: readonly string[], among = classes) =>
    types.flatMap((type) =>
      among.flatMap(([wanted, scopes]) => scopes.split('|').map((scope) => [type, scope, wanted] as const)),
    )
  const all = [
    ...rows([...kinds, 'SFD', 'Modular Home']),
    ...rows(['Single Family Residential/Home'], classes.slice(0, 3)),
    ...rows(kinds, [['other', 'Paint house|New light in bedroom|New fireplace in living room']]),
    ['New', 'Shoring at existing brick residence', 'other'] as const,
  ]
  expect(all.map(([type, scope]) => [type, scope, classifyPermit(type, scope).permitClass])).toEqual(all)
})

test.each<[PermitClass, string, string]>([
  // Under a type for houses: smaller work first of all, also with stories, bedrooms or a lot.
  [
    'addition',
    'Single Family|Single Family Residence|SFD|SFR|Single Family Dwelling|Single Family Detached',
    'two story addition|2-story addition at rear of house|Add 2 bedrooms and bath|add 1 bedroom|new 2-story addition',
  ],
  [
    'other',
    'Single Family|Single Family Residence|SFD|SFR|Single Family Dwelling|Single Family Detached|New / SFR',
    '2 story deck|new detached garage 1-story|1 story detached garage|accessory building, 1-story|lot 12 shed',
  ],
  ['addition', 'Single Family|SFD|101 Single Family / New', 'Addition of 500 sf living area'],
  ['addition', '101 Single Family / New', '2-story addition with deck'],
  ['other', 'SFD', 'lot 12 slab w/att shed'],
  [
    'other',
    'Residential Addition',
    'Water heater replacement|Install new HVAC system|Sewer line replacement|200 amp service',
  ],
  ['solar', 'Residential Addition', 'PV 7.47 kW with battery'],
  ['remodel', 'Residential Addition', 'Plumbing remodel'],
  ['adu', 'Multi-Family New|Apartment Alteration', 'Legalize unit at 1st floor'],
  ['other', 'Commercial Building', 'Add dwelling unit on 2nd floor'],
  ['other', 'Zoning Verification Letter|Research Letter', 'New house'],
  ['addition', 'RES ADDT|RES ADDITN', '|2 story'],
  ['remodel', 'RES REMODL', ''],
  ['new_house', 'NEW RESDL', ''],
  ['other', 'RES ACCSRY NEW', ''],
  ['partial_demolition', 'Demolition', 'Demo 2nd floor of existing house|Demolish upper level of residence'],
  ['new_house', 'Single Family', 'Heated area 2,145, garage 400'],
  ['other', 'Single Family', '744 sq ft garage with 620 sq ft living unit above'],
  ['other', 'New / Single Family', '40x60 metal building|Pole building|Utility structure|New office building'],
  ['other', 'SFD', 'Single family dwelling in the same existing structure|Piping for 4 family dwelling'],
  ['multifamily', 'SFD|New / SFR', 'Erect 4 story 3 family dwelling|Construct 4-story building with 7 dwelling units'],
  [
    'new_house',
    'Single Family|SFD',
    '2,000 sq ft heated, 400 sq ft garage|1,472 sq ft of living space. A 60 sq ft porch',
  ],
  [
    'new_house',
    '101 Single Family / New',
    '2 stry frm pud w/brk ven & att gar|New 2 story resid att garage cvrd porch|4 bedrooms, 3.5 baths 2 car garage|' +
      'Two story residencew/garage|New 4 bedroom, 3 bath house with carport|' +
      'Rebuild existing Sf residence over existing foundation add arbor-trellis',
  ],
  // "Heated" and "conditioned" describe a house only with an area.
  ['remodel', 'Single Family|SFD', 'heated floor in bathroom'],
  ['pool', 'Single Family|SFD', 'heated pool|heated spa'],
  [
    'other',
    'Single Family',
    'Conditioned crawl space with vapor barrier|heated driveway|hardwood floors in living space|' +
      'seismic bolting conditioned basement|200 sf living room flooring|insulate conditioned space',
  ],
  ['new_house', 'Building Permit', 'construct two story single; attached garage'],
  ['other', 'New and Replacement Residential Garage|New & Existing Residential Carport', '|two story'],
  ['remodel', 'Residential Alteration', 'demolition of house interior, new kitchen'],
  ['other', 'Residential Remodel', 'demo house interior non-structural'],
  ['other', 'Building - Alteration', 'Demolish house interior walls'],
  ['other', 'Repair', 'Demo fire damaged house interior'],
  [
    'other',
    'Building Permit',
    'Extend gas line to house|extend conduit to garage for EV|extend riser to building|extend data cable to building|' +
      'extend wiring to house|extend piping to house|expand parking in front|' +
      'install tv in sun room|ceiling fan in new sun room|new carpet in sunroom|' +
      'new carpet at front sun room|new light on sunroom|add primary disconnect|' +
      'addition of telephone jacks in bedroom 2|addition of radio in bedroom 2|camera additions|vista additions lot 3',
  ],
  ['remodel', 'Building Permit', 'Add primary bath'],
  ['remodel', 'Alteration Permit', 'INT ALT TO EXPAND LIVINGROOM'],
  [
    'addition',
    'Building Permit',
    'Add primary suite|New attached sun room to rear of existing residence|Elevator Addition To Existing Church',
  ],
  ['multifamily', 'Building Permit', 'erect new 1 story type-v 2 unit residence in rear lot'],
])('%s among smaller works: %s, %s', (permitClass, types, scopes) => {
  const rows = types.split('|').flatMap((type) => scopes.split('|').map((scope) => [type, scope, permitClass]))
  expect(rows.map(([type, scope]) => [type, scope, classifyPermit(type, scope).permitClass])).toEqual(rows)
})

test('demolished garages, sheds and farm buildings are no houses', () => {
  for (const part of ['Accessory Building', 'Detached Garage', 'Attached Deck', 'Attached Garage/Carport'])
    expect(classifyPermit(`Demolition -Building / Single Detached Dwelling / ${part}`, undefined).permitClass).toBe(
      'partial_demolition',
    )
  for (const scope of ['farm building and silo', 'machine shed at farm', 'agricultural building', 'barn'])
    expect(classifyPermit('Demolition', scope).permitClass).toBe('partial_demolition')
  expect(classifyPermit('Demolition / Agricultural', undefined).permitClass).toBe('partial_demolition')
  expect(classifyPermit('Demolition', 'farmhouse, barn and silo').permitClass).toBe('whole_house_demolition')
})

test("a city's own count of dwellings decides between a house and several", () => {
  const of = (description: string, units: number) => classifyPermit('New', description, undefined, units).permitClass
  expect(of('Erect single family residence', 1)).toBe('new_house')
  expect(of('Erect single family residence', 2)).toBe('multifamily')
  expect(of('Erect single family residence with ADU', 2)).toBe('new_house')
})

test('abbreviations are shown as the permit has them', () => {
  expect(classifyPermit('BLDG-NEW SNGL FAM DET', undefined).classWords).toEqual(['new'])
  expect(classifyPermit('Acc Dwlg Unit - Att', undefined).classWords).toEqual(['acc dwlg unit'])
  expect(classifyPermit('Bldg - Resid Addn', undefined).classWords).toEqual(['addn'])
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
