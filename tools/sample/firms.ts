// Contractors and architects named on permits. All names are made up.

import type { ProjectGroup } from './permit-kinds.ts'
import { randomFor } from './random.ts'
import texts from './texts.json' with { type: 'json' }

const { firms: firmNames } = texts

const general = ['Builders', 'Construction Inc', '& Sons Contracting']
const services = ['Home Services']
const tradesOf = (group: ProjectGroup): readonly string[] => {
  if (group === 'roof' || group === 'solar') return ['Roofing and Solar']
  if (group === 'electrical' || group === 'plumbing' || group === 'mechanical') return services
  return group === 'other' ? [...general, ...services] : general
}

/** The last names are firms of the islands: no firm works in two sample markets. */
const isIslandFirm = (at: number): boolean => at >= firmNames.length - 8

/** The firms that do this kind of work, the largest of the city first: a firm is large in some cities, not in all. */
export const contractorsFor = (group: ProjectGroup, island: boolean, city: string): readonly string[] => {
  const firms = firmNames.flatMap((name, at) =>
    (isIslandFirm(at) === island ? tradesOf(group) : [])
      // Every other name has no builders.
      .filter((kind) => at % 2 === 0 || kind !== 'Builders')
      .map((kind) => `${name} ${kind}`),
  )
  const first = randomFor(0, city, firms[0]!).int(0, firms.length - 1)
  return [...firms.slice(first), ...firms.slice(0, first)]
}

export const architectsFor = (island: boolean): readonly string[] =>
  firmNames
    .filter((_, at) => at % 2 === 0 && isIslandFirm(at) === island)
    .flatMap((name) => [`${name} Architects`, `Studio ${name}`])

/** The firms of one family name share a license, except the roofers and the services, which have none. */
export const licenseOf = (contractor: string): string | undefined => {
  const at = firmNames.indexOf(contractor.split(' ')[0]!)
  return /Builders|Construction/.test(contractor) ? String(604_113 + 1_931 * at) : undefined
}
