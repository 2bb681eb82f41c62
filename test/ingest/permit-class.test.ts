import { expect, test } from 'vitest'
import { type PermitClass, permitClasses } from '../../src/domain/facts.ts'
import type { SourceConfig } from '../../src/domain/packs/source-config.ts'
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
  ['new_house', 'RESNEW', 'LOT 14 PLAN 3B'],
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
  ['multifamily', 'New construction', 'Erect mutli-residential building'],
  ['multifamily', 'MULTI FAMILY', 'Condo #12'],
  ['multifamily', 'Building Permit', 'New duplex, 2 units, 1,200 sf each'],
  ['other', 'New construction', 'Erect 5-story new residential building'],
  ['other', 'New construction', 'Erect 250 unit hotel'],
  ['other', 'Building', 'New deck at condo unit 4'],
  ['other', 'Multifamily', 'Repair stairs at building C'],
  ['adu', 'New construction', 'Single family dwelling detached in rear of existing property - ADU per state law'],
  ['adu', 'Alterations', 'Legalize in law, expand bedroom'],
  ['adu', 'Alterations', 'Legalization of an existing non-conforming first floor and garden level unit'],
  ['adu', 'Alterations', 'New dwelling unit at (e) non-conditioned storage'],
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
  ['addition', 'Residential', 'Enl kit & add sunrm at rear of SFD'],
  ['new_house', 'RES-NEW DWELLING & DET GAR', undefined],
  ['multifamily', 'RES-NEW DWELL TWNHS1OF2', undefined],
  ['multifamily', 'RES NEW DWELLING DPLX', undefined],
  ['multifamily', 'New Construction', 'Erect 3 story 3 D.U. masonry building'],
  ['new_house', 'New Construction', 'Erection of an attached structure for use as a single family household'],
  ['other', 'Residential - New / Single Family', 'Only to put up a temp pole for temp electric'],
  ['other', 'New Construction', 'Demolition of existing structures and erection of a 17 story structure'],
  ['other', 'Wrecking', 'Wreck 3 story masonry 6 D.U. building'],
  ['partial_demolition', 'Demolition / R-649 Demolition All Other Bldgs Res', undefined],
  ['remodel', 'Alteration', 'Interior alterations to create six (6) dwelling units'],
  ['adu', 'Rehab', 'We are renovating an existing garage to be a dwelling unit'],
  ['multifamily', 'New Construction', 'Erection of a 3 story two famioy dwelling'],
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
  [
    'addition',
    'Combination Building Permit / 4341 Add/Alt 1 or 2 Fam, Increase DU',
    'Add 500 sf master suite to existing single dwelling unit',
  ],
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
  ['adu', 'BLDADU', undefined],
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
]

test.each([...abbreviated, ...elsewhere])(
  '%s in the style of another city: %s, %s',
  (permitClass, type, description) => {
    expect(classifyPermit(type, description).permitClass).toBe(permitClass)
  },
)

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
