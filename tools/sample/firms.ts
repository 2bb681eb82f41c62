// Contractors and architects named on permits. All names are made up.

import type { ProjectGroup } from './permit-vocabulary.ts'
import { randomFor } from './random.ts'

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

/** The last names are firms of the islands: no firm works in two sample markets. */
const isIslandFirm = (at: number): boolean => at >= firmNames.length - 8

const namesOf = (island: boolean, ...trades: Trade[]): readonly string[] =>
  firmNames.flatMap((name, i) =>
    isIslandFirm(i) === island
      ? firmKinds
          .slice(i % 2)
          .filter(({ trade }) => trades.includes(trade))
          .map((kind) => `${name} ${kind.name}`)
      : [],
  )

const firmsOf = (island: boolean) => ({
  general: namesOf(island, 'general'),
  roofing: namesOf(island, 'roofing'),
  services: namesOf(island, 'services'),
  small: namesOf(island, 'general', 'services'),
  architects: firmNames
    .filter((_, i) => i % 2 === 0 && isIslandFirm(i) === island)
    .flatMap((name) => [`${name} Architects`, `Studio ${name}`]),
})
const firms = { island: firmsOf(true), mainland: firmsOf(false) }

export const architectsFor = (island: boolean): readonly string[] => (island ? firms.island : firms.mainland).architects

/** The firms that do this kind of work, the largest of the city first. */
export const contractorsFor = (group: ProjectGroup, island: boolean, city: string): readonly string[] => {
  const { general, roofing, services, small } = island ? firms.island : firms.mainland
  if (group === 'roof' || group === 'solar') return from(city, roofing)
  if (group === 'electrical' || group === 'plumbing' || group === 'mechanical') return from(city, services)
  return from(city, group === 'other' ? small : general)
}

/** A firm is large in some cities, not in all. */
const from = (city: string, firms: readonly string[]): readonly string[] => {
  const first = randomFor(0, city, firms[0]!).int(0, firms.length - 1)
  return [...firms.slice(first), ...firms.slice(0, first)]
}

/** The firms of one family name share a license, except the roofers and the services, which have none. */
export const licenseOf = (contractor: string): string | undefined => {
  const at = firmNames.indexOf(contractor.split(' ')[0]!)
  return /Builders|Construction/.test(contractor) ? String(604_113 + 1_931 * at) : undefined
}
