// Contractors and architects named on permits. All names are made up.

import type { ProjectGroup } from './permit-kinds.ts'

const firmNames =
  'Tessaline Quorrick Marlowend Brackfern Sundrow Oakhelm Fennimark Larkstone Velbury Dunmorrow Ashquill Corvane Pelhurst Wrenlock Thornabey Highmeadow Kestering Rushvale Ellowick Sablefield Norvane Graymarch Tidewick Saltmere Cobbleton Hazelorn Birchlow Mirefold Stonequay Amberlin Foxhollow Ravenmoor Cedarwick Lindengate Farrowby Quillmarsh'.split(
    ' ',
  )

/** The kinds of firms; each name has some of them. */
const firmKinds = [
  { name: 'Builders', trade: 'general' },
  { name: 'Construction Inc', trade: 'general' },
  { name: '& Sons Contracting', trade: 'general' },
  { name: 'Roofing and Solar', trade: 'roofing' },
  { name: 'Home Services', trade: 'services' },
] as const

type Trade = (typeof firmKinds)[number]['trade']

const contractors = firmNames.flatMap((name, i) =>
  firmKinds.slice(i % 2, 3 + (i % 3)).map((kind) => ({ name: `${name} ${kind.name}`, trade: kind.trade })),
)

const namesOf = (...trades: Trade[]): readonly string[] =>
  contractors.filter(({ trade }) => trades.includes(trade)).map(({ name }) => name)

const [general, roofing, services, small] = [
  namesOf('general'),
  namesOf('roofing'),
  namesOf('services'),
  namesOf('general', 'services'),
] as const

/** The firms that do this kind of work. */
export const contractorsFor = (group: ProjectGroup): readonly string[] => {
  if (group === 'roof' || group === 'solar') return roofing
  if (group === 'electrical' || group === 'plumbing' || group === 'mechanical') return services
  return group === 'other' ? small : general
}

/** The firms of one family name share a license, except the roofers and the services, which have none. */
export const licenseOf = (contractor: string): string | undefined => {
  const at = firmNames.indexOf(contractor.split(' ')[0]!)
  return /Builders|Construction/.test(contractor) ? String(604_113 + 1_931 * at) : undefined
}

export const architects: readonly string[] = firmNames
  .filter((_, i) => i % 2 === 0)
  .flatMap((name) => [`${name} Architects`, `Studio ${name}`])
