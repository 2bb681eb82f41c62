// How often lookup finds a damaged address: exactly, among its candidates, or as another property, which must never happen.

import { lookUpItems } from '../src/operations/lookup.ts'
import type { Db } from '../src/store/engine/database.ts'
import type { MatchGrade } from '../src/wire/lookup.ts'
import { plans } from '../src/wire/plans.ts'
import type { DamagedAddress } from './damaged-addresses.ts'

export interface LookupCount {
  kind: string
  addresses: number
  /** Graded exact, and the property it was made from. */
  exact: number
  /** Exact, or listed among the candidates. */
  found: number
  /** Graded exact, but another property. */
  exactToAnother: number
  /** Graded exact on another street or in another city. */
  exactElsewhere: number
  grades: Partial<Record<MatchGrade, number>>
}

const caller = {
  plan: 'pro',
  limits: plans.pro,
  client: 'report',
  remaining: 0,
  windowResetsInSeconds: 0,
} as const

export const countLookups = async (
  db: Db,
  addresses: readonly DamagedAddress[],
  streetOf: (id: string) => string,
): Promise<{ counts: LookupCount[]; wrong: string[] }> => {
  const counts = new Map<string, LookupCount>()
  const wrong: string[] = []
  for (let at = 0; at < addresses.length; at += 250) {
    const some = addresses.slice(at, at + 250)
    const results = await lookUpItems(
      { db, caller, now: new Date(), surface: 'api' },
      some.map(({ text }) => ({ address: text })),
      [],
    )
    for (const [i, { match, candidates }] of results.entries()) {
      const { kind, id, text } = some[i]!
      const count = counts.get(kind) ?? emptyCount(kind)
      counts.set(kind, count)
      const right = candidates.some((candidate) => candidate.id === id)
      const exact = match === 'exact'
      count.addresses++
      count.grades[match] = (count.grades[match] ?? 0) + 1
      if (exact && right) count.exact++
      if (right) count.found++
      if (exact && !right) {
        count.exactToAnother++
        if (streetOf(candidates[0]!.id) !== streetOf(id)) count.exactElsewhere++
      }
      if (!right) wrong.push(`${kind}: "${text}" is ${match} (${candidates[0]?.address ?? 'no candidate'})`)
    }
  }
  return { counts: [...counts.values()], wrong }
}

const emptyCount = (kind: string): LookupCount => ({
  kind,
  addresses: 0,
  exact: 0,
  found: 0,
  exactToAnother: 0,
  exactElsewhere: 0,
  grades: {},
})

export const total = (counts: readonly LookupCount[]): LookupCount => {
  const sum = emptyCount('all')
  for (const count of counts) {
    for (const name of ['addresses', 'exact', 'found', 'exactToAnother', 'exactElsewhere'] as const)
      sum[name] += count[name]
    for (const [grade, n] of Object.entries(count.grades) as [MatchGrade, number][])
      sum.grades[grade] = (sum.grades[grade] ?? 0) + n
  }
  return sum
}

export const printed = (counts: readonly LookupCount[]): string => {
  const percent = (part: number, of: number) => `${((100 * part) / of).toFixed(1)}%`
  const rows = [...counts, total(counts)].map(({ kind, addresses, exact, found, exactToAnother, grades }) => [
    kind,
    String(addresses),
    percent(exact, addresses),
    percent(found, addresses),
    String(exactToAnother),
    Object.entries(grades)
      .map(([grade, n]) => `${grade} ${n}`)
      .join(', '),
  ])
  return [['Damage', 'Addresses', 'Exact', 'Among candidates', 'Exact to another', 'Grades'], ...rows]
    .map((cells) => cells.map((cell, at) => cell.padEnd([28, 11, 9, 18, 18, 0][at]!)).join(''))
    .join('\n')
}
