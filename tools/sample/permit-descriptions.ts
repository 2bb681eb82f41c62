// Permit descriptions, written for the sample, with phrases that some cities add.

import type { SampleParcel } from './parcel.ts'
import type { PermitKind } from './permit-kinds.ts'
import type { Random } from './random.ts'

export function describePermit(
  kind: PermitKind,
  parcel: SampleParcel,
  { sqft, units }: { sqft: number | undefined; units: number | undefined },
  random: Random,
): string {
  const area = sqft === undefined ? '' : sqft.toLocaleString('en-US')
  const wording = random.pick(wordings[kind])
  const text = typeof wording === 'string' ? wording.replace('{sqft}', area) : wording(area, random, units)
  const local = largeProjects.has(kind) && random.chance(0.6) ? localPhrase(parcel, sqft, random) : ''
  const whole = `${text}${local}`
  // Real feeds contain upper-case descriptions and trailing spaces.
  if (random.chance(0.12)) return whole.toUpperCase()
  return random.chance(0.03) ? `${whole}  ` : whole
}

const largeProjects = new Set<PermitKind>([
  'newHouse',
  'addition',
  'adu',
  'wholeRemodel',
  'islandCottage',
  'houseMove',
  'shingles',
])

function localPhrase(parcel: SampleParcel, sqft: number | undefined, random: Random): string {
  const { permitPhrase = '' } = parcel.zone
  return permitPhrase.includes('{sqft}')
    ? permitPhrase.replace('{sqft}', (sqft ?? 10 * random.int(90, 240)).toLocaleString('en-US'))
    : permitPhrase
}

/** In a text, {sqft} stands for the area. */
type Wording = string | ((area: string, random: Random, units: number | undefined) => string)

const kw = (random: Random): string => random.between(4.8, 13.6).toFixed(2)

const wordings: Record<PermitKind, readonly Wording[]> = {
  newHouse: [
    (a, r) =>
      `New two-story single-family residence, ${a} sf, with attached two-car garage, fire sprinklers and ${kw(r)} kW PV`,
    'New one-story SFD, {sqft} sf, on existing lot after demolition under separate permit',
    (a, r) =>
      `New SFD with full basement, ${a} sf above grade, ${10 * r.int(80, 190)} sf below; shoring under separate permit`,
    'New SFD {sqft} sf',
    'New 2 Story SFD, {sqft} sq ft, detached garage',
  ],
  demolition: [
    'Demolish single-family dwelling {sqft} sf and detached garage; asbestos clearance on file',
    'Demolition of existing single family residence, {sqft} sf',
    'Demo SFD',
    'Demolish existing house and all accessory structures, cap utilities',
  ],
  partialDemolition: [
    'Partial demolition for addition, over half of exterior walls',
    'Partial Demo',
    'Demo rear wall and porch for addition under separate permit',
  ],
  interiorDemolition: ['Interior soft demolition only', 'Interior demo, non-structural, kitchen and baths'],
  poolDemolition: ['Demolish in-ground pool, fill and compact, soils report', 'Pool Demo', 'Swp Demo'],
  shedDemolition: ['Demolish detached shed and carport', 'Demo detached garage only'],
  addition: [
    'Rear addition {sqft} sf, family room and primary bath',
    'Second-story addition {sqft} sf, three bedrooms, two baths',
    'Addition {sqft} sf at kitchen, new covered porch',
    'First floor addition {sqft} sf and interior remodel',
    'Enlarge garage and add {sqft} sf of living area',
  ],
  wholeRemodel: [
    'Whole-house interior remodel, move walls, new electrical and plumbing throughout',
    'Remodel {sqft} sf: kitchen, three baths, new windows and finishes',
    'Remove bearing wall between kitchen and dining, install beam, remodel main floor',
    'Interior remodel, replace all plumbing and wiring, new insulation and drywall',
  ],
  kitchen: [
    'Kitchen remodel, non-structural, like-for-like layout',
    'Kitchen remodel with new island, relocate range, upgrade lighting',
    'Remodel kitchen and laundry, new window at sink',
  ],
  bath: [
    'Remodel two bathrooms, new fixtures and exhaust fans',
    'Hall bath remodel, tub to shower conversion',
    'Primary bath remodel, same layout',
  ],
  adu: [
    'New detached ADU {sqft} sf, two bedrooms, one bath',
    'Attached ADU {sqft} sf within rear addition',
    'Prefabricated ADU {sqft} sf on new foundation, site utilities',
    'A.D.U. {sqft} sf, detached, one bedroom',
  ],
  aduConversion: [
    'Convert existing detached garage to {sqft} sf studio ADU',
    'Garage conversion to ADU, {sqft} sf',
    'Convert lower level to ADU {sqft} sf, separate entry',
  ],
  jadu: ['Junior ADU {sqft} sf inside existing house', 'JADU {sqft} sf, convert bedroom, efficiency kitchen'],
  solar: [
    (_, r) => `Roof-mounted PV ${kw(r)} kW, ${r.int(12, 34)} modules, no panel change`,
    (_, r) => `Roof PV ${kw(r)}kW`,
    'Photovoltaic system, roof mounted',
    (_, r) => `PV ${kw(r)} kW with 13.5 kWh battery and 225 A main panel`,
  ],
  battery: ['13.5 kWh battery added to existing PV', 'Energy storage system, two units at garage wall'],
  roof: [
    (_, r) => `Tear-off and re-roof ${r.int(16, 44)} squares, composition shingle over new sheathing`,
    (_, r) => `Re-roof standing-seam metal, ${r.int(18, 48)} squares`,
    (_, r) => `Reroof ${r.int(14, 40)} sq, Class A`,
  ],
  pool: [
    (_, r) => `New in-ground pool and spa ${r.int(12, 20)} by ${r.int(28, 44)} ft with auto cover`,
    'Swimming pool, gunite, with equipment pad and fence',
  ],
  heatPump: [
    'Replace furnace with ducted heat pump, add condenser in side yard',
    'Ductless mini-split, two zones',
    'Furnace replacement in kind',
  ],
  waterHeater: ['Water heater replacement, 50 gal, same location', 'Heat pump water heater in garage, 240 V circuit'],
  sewer: ['Sewer lateral replacement by pipe burst', 'Repair sewer lateral, new cleanout at property line'],
  evCharger: ['Level 2 EV charger, 50 A circuit in garage', 'EV charging outlet, 40 A'],
  panel: ['Upgrade service from 100 A to 200 A', 'Main panel replacement, like for like', 'New subpanel, 100 A'],
  temporaryPower: ['Temporary power pole for construction'],
  sprinklers: ['Fire sprinkler system, NFPA 13D, deferred submittal'],
  windows: [(_, r) => `Replace ${r.int(4, 24)} windows, same openings, dual-pane`, 'Window and patio door change-out'],
  foundation: [
    'Foundation replacement, perimeter footing and new sill bolts',
    'Foundation repair, helical piers at north wall',
  ],
  braceBolt: ['Seismic brace and bolt, standard plan'],
  retainingWall: ['Retaining wall 5 ft and drainage at rear slope', 'Replace fence over 6 ft and retaining wall'],
  repair: [
    'Dry rot and termite repair per report',
    'Legalize unpermitted rumpus room at lower level',
    'Repair fire damage at kitchen',
    'Deck repair, replace joists and guardrail',
  ],
  revision: [
    'Revision to issued permit: change window sizes, relocate laundry',
    'Revise structural details, sheet S-2',
  ],
  shingles: [
    'New sidewall cedar shingles',
    'Strip and reshingle roof, red cedar',
    'Sidewall and trim replacement in kind',
  ],
  islandCottage: [
    'Secondary dwelling {sqft} sf, one and a half stories',
    'Garage with studio above, {sqft} sf',
    'New cottage {sqft} sf, tertiary dwelling',
  ],
  apartments: [
    (_, r, units) => `New ${r.int(3, 5)}-story apartment building with ${units} dwelling units over parking`,
    (_, _r, units) => `New construction of ${units}-unit condominium building, affordable units on site`,
  ],
  houseMove: [
    'Move existing cottage onto new foundation, restore chimney',
    'Lift house, new foundation above flood elevation',
  ],
}
