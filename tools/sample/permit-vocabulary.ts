// How each city spells project types and statuses and numbers its permits. Real cities differ in the same way.

import type { PermitKind } from './permit-kinds.ts'
import { cityActivity, isHistoricIsland, type Zone } from './zones.ts'

/** In words, as codes, with the department, and short. */
const projectTypes = {
  new: ['New Single-Family Dwelling', 'RES-NEW', 'Building - Residential - New', 'SFD'],
  apartments: ['New Multi-Family Building', 'MFR-NEW', 'Building - Multi-Family - New', 'APARTMENTS'],
  demolition: ['Demolition', 'RES-DEMO', 'Building - Demolition', 'DEMO'],
  addition: ['Residential Addition', 'RES-ADD/ALT', 'Building - Residential - Addition', 'ADDITION'],
  remodel: ['Residential Remodel', 'RES-ALT', 'Building - Residential - Alteration', 'REMODEL'],
  adu: ['Accessory Dwelling Unit', 'RES-ADU', 'Building - Residential - ADU', 'ADU'],
  solar: ['Solar PV', 'RES-PV', 'Building - Solar', 'PHOTOVOLTAIC'],
  roof: ['Re-Roof', 'RES-REROOF', 'Building - Reroof', 'REROOF'],
  pool: ['Pool/Spa', 'RES-POOL', 'Building - Pool', 'SWIMMING POOL'],
  electrical: ['Electrical', 'RES-ELEC', 'Electrical - Residential', 'ELECTRIC'],
  plumbing: ['Plumbing', 'RES-PLMB', 'Plumbing - Residential', 'PLUMBING'],
  mechanical: ['Mechanical', 'RES-MECH', 'Mechanical - Residential', 'MECHANICAL'],
  other: ['Residential Miscellaneous', 'RES-MISC', 'Building - Residential - Other', 'MISC'],
} as const

/** The category of a kind of work, from which each city's project type is derived. */
export type ProjectGroup = keyof typeof projectTypes

const islandTypes: Partial<Record<ProjectGroup, string>> = {
  new: 'New Dwelling',
  addition: 'Addition',
  remodel: 'Renovation',
  adu: 'Secondary Dwelling',
  roof: 'Roof and Sidewall',
  other: 'Building Permit',
}

export function projectTypeOf({ market, city, permitTypes }: Zone, kind: PermitKind, group: ProjectGroup): string {
  if (permitTypes === 'generic') return 'Residential Building Permit'
  if (isHistoricIsland(market))
    return kind === 'houseMove' ? 'House Move' : (islandTypes[group] ?? projectTypes[group][0])
  return projectTypes[group][permitTypes === 'short' ? 3 : styleOf(city) % 4]!
}

/** As the four styles of cities write them. */
const statusNames = {
  applied: ['Submitted', 'APPLIED', 'Applied', 'SUBMITTED'],
  in_review: ['In Review', 'PLAN CHECK', 'Under Review', 'Plan Review'],
  approved: ['Approved', 'READY TO ISSUE', 'Approved', 'APPROVED'],
  issued: ['Issued', 'ISSUED', 'Permit Issued', 'issued'],
  inspections: ['Inspections', 'ISSUED', 'Under Inspection', 'Inspections'],
  finaled: ['Finaled', 'FINALED', 'Final', 'FINALED'],
  expired: ['Expired', 'EXPIRED', 'Expired', 'EXPIRED'],
  cancelled: ['Cancelled', 'VOID', 'Withdrawn', 'CANCELED'],
} as const

export type PermitStage = keyof typeof statusNames

export const statusNameOf = (city: string, stage: PermitStage): string => statusNames[stage][styleOf(city) % 4]!

export function permitNumber(city: string, year: number, serial: number): string {
  const yy = String(year).slice(2)
  const five = String(serial).padStart(5, '0')
  const four = String(serial).padStart(4, '0')
  return [`BLD${yy}-${five}`, `B${year}-${five}`, `${year}-${four}`, `BP-${year}-${five}`, `${yy}-${five}`][
    styleOf(city) % 5
  ]!
}

export const styleOf = (city: string): number =>
  Math.max(
    0,
    cityActivity().findIndex((activity) => activity.city === city),
  )
