// How each city spells project types and statuses and numbers its permits. Real cities differ in the same way.

import type { PermitKind, ProjectGroup } from './permit-kinds.ts'
import { isHistoricIsland } from './sample-market.ts'
import { cityActivity, type Zone } from './zones.ts'

const plain: Record<ProjectGroup, string> = {
  new: 'New Single-Family Dwelling',
  apartments: 'New Multi-Family Building',
  demolition: 'Demolition',
  addition: 'Residential Addition',
  remodel: 'Residential Remodel',
  adu: 'Accessory Dwelling Unit',
  solar: 'Solar PV',
  roof: 'Re-Roof',
  pool: 'Pool/Spa',
  electrical: 'Electrical',
  plumbing: 'Plumbing',
  mechanical: 'Mechanical',
  other: 'Residential Miscellaneous',
}

const codes: Record<ProjectGroup, string> = {
  new: 'RES-NEW',
  apartments: 'MFR-NEW',
  demolition: 'RES-DEMO',
  addition: 'RES-ADD/ALT',
  remodel: 'RES-ALT',
  adu: 'RES-ADU',
  solar: 'RES-PV',
  roof: 'RES-REROOF',
  pool: 'RES-POOL',
  electrical: 'RES-ELEC',
  plumbing: 'RES-PLMB',
  mechanical: 'RES-MECH',
  other: 'RES-MISC',
}

const short: Record<ProjectGroup, string> = {
  new: 'SFD',
  apartments: 'APARTMENTS',
  demolition: 'DEMO',
  addition: 'ADDITION',
  remodel: 'REMODEL',
  adu: 'ADU',
  solar: 'PHOTOVOLTAIC',
  roof: 'REROOF',
  pool: 'SWIMMING POOL',
  electrical: 'ELECTRIC',
  plumbing: 'PLUMBING',
  mechanical: 'MECHANICAL',
  other: 'MISC',
}

const long: Record<ProjectGroup, string> = {
  new: 'Building - Residential - New',
  apartments: 'Building - Multi-Family - New',
  demolition: 'Building - Demolition',
  addition: 'Building - Residential - Addition',
  remodel: 'Building - Residential - Alteration',
  adu: 'Building - Residential - ADU',
  solar: 'Building - Solar',
  roof: 'Building - Reroof',
  pool: 'Building - Pool',
  electrical: 'Electrical - Residential',
  plumbing: 'Plumbing - Residential',
  mechanical: 'Mechanical - Residential',
  other: 'Building - Residential - Other',
}

const islandTypes: Record<ProjectGroup, string> = {
  ...plain,
  new: 'New Dwelling',
  addition: 'Addition',
  remodel: 'Renovation',
  adu: 'Secondary Dwelling',
  roof: 'Roof and Sidewall',
  other: 'Building Permit',
}

export function projectTypeOf({ market, city, permitTypes }: Zone, kind: PermitKind, group: ProjectGroup): string {
  if (permitTypes === 'generic') return 'Residential Building Permit'
  if (isHistoricIsland(market)) return kind === 'houseMove' ? 'House Move' : islandTypes[group]
  if (permitTypes === 'short') return short[group]
  return ([plain, codes, long, short] as const)[styleOf(city) % 4]?.[group] as string
}

export type PermitStage =
  | 'applied'
  | 'in_review'
  | 'approved'
  | 'issued'
  | 'inspections'
  | 'finaled'
  | 'expired'
  | 'cancelled'

const statusNames: readonly Record<PermitStage, string>[] = [
  {
    applied: 'Submitted',
    in_review: 'In Review',
    approved: 'Approved',
    issued: 'Issued',
    inspections: 'Inspections',
    finaled: 'Finaled',
    expired: 'Expired',
    cancelled: 'Cancelled',
  },
  {
    applied: 'APPLIED',
    in_review: 'PLAN CHECK',
    approved: 'READY TO ISSUE',
    issued: 'ISSUED',
    inspections: 'ISSUED',
    finaled: 'FINALED',
    expired: 'EXPIRED',
    cancelled: 'VOID',
  },
  {
    applied: 'Applied',
    in_review: 'Under Review',
    approved: 'Approved',
    issued: 'Permit Issued',
    inspections: 'Under Inspection',
    finaled: 'Final',
    expired: 'Expired',
    cancelled: 'Withdrawn',
  },
  {
    applied: 'SUBMITTED',
    in_review: 'Plan Review',
    approved: 'APPROVED',
    issued: 'issued',
    inspections: 'Inspections',
    finaled: 'FINALED',
    expired: 'EXPIRED',
    cancelled: 'CANCELED',
  },
]

export const statusNameOf = (city: string, stage: PermitStage): string =>
  (statusNames[styleOf(city) % 4] as Record<PermitStage, string>)[stage]

export function permitNumber(city: string, year: number, serial: number): string {
  const yy = String(year).slice(2)
  const five = String(serial).padStart(5, '0')
  switch (styleOf(city) % 5) {
    case 0:
      return `BLD${yy}-${five}`
    case 1:
      return `B${year}-${five}`
    case 2:
      return `${year}-${String(serial).padStart(4, '0')}`
    case 3:
      return `BP-${year}-${five}`
    default:
      return `${yy}-${five}`
  }
}

export const styleOf = (city: string): number =>
  Math.max(
    0,
    cityActivity().findIndex((activity) => activity.city === city),
  )
