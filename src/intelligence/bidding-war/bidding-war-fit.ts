// Fits the bidding-war model to closed listings.
//
// The fit has two steps, because how far a sale closed from its list price says more than which side of 1% it fell on. The
// first step learns from that distance (soft labels). The second learns the threshold itself and is shrunk toward the first.

import { probabilityReport } from '../statistics/calibration.ts'
import { foldsOf, type RandomSource, sparseDesign, standardOf } from '../statistics/design.ts'
import { fingerprint } from '../statistics/fingerprint.ts'
import { sigmoid } from '../statistics/logistic.ts'
import { type BiddingWarModel, biddingWarPrior } from './bidding-war.ts'
import { crossFit } from './bidding-war-cross-fit.ts'
import { areaLevels, type BiddingRow, commonWords, newColumns, sparseRow } from './bidding-war-design.ts'
import { biddingBaseLogOdds, biddingFeatures } from './bidding-war-features.ts'
import { fitSaleToList } from './expected-price.ts'

/** The prior is used when there are fewer closings than this above or below the 1% line. */
const minEach = 30
/** Words in fewer rows than this are ignored. */
const minWordRows = 5

/** At least three: measuring leaves one out, the line to the threshold a second, and one is left to learn from. */
const foldCount = 3

/** Log distance from the threshold at which a soft label reaches 0.73. From 0.06 to 0.15 the results do not differ. */
const softness = 0.08

/** 0.5 for a sale at 1% over list, closer to 1 the further above it and closer to 0 the further below. */
const softLabel = (saleToList: number): number => sigmoid(Math.log(saleToList / 1.01) / softness)

export const fitBiddingWar = (rows: readonly BiddingRow[], random: RandomSource): BiddingWarModel => {
  const labels = Float64Array.from(rows, (row) => Number(row.over))
  const positives = labels.reduce((sum, y) => sum + y, 0)
  if (Math.min(positives, rows.length - positives) < minEach)
    return { ...biddingWarPrior, rows: rows.length, positives }
  const { levels, everywhere } = areaLevels(rows)
  const values = rows.map((row) =>
    biddingFeatures.map((item) => item.valueFrom(row.facts, levels.get(row.facts.area) ?? everywhere)),
  )
  const standards = biddingFeatures.map((item, j) => {
    const column = values.map((row) => row[j])
    return column.every((value) => value === undefined) ? { mean: item.typical, deviation: 1 } : standardOf(column)
  })
  const columns = newColumns()
  biddingFeatures.forEach((item, j) => {
    columns.add(`n:${item.name}`, 'numbers', item.prior * standards[j]!.deviation)
  })
  for (const item of biddingFeatures) if (item.squared) columns.add(`s:${item.name}`, 'numbers')
  const common = commonWords(rows, minWordRows)
  const sparse = rows.map((row, r) => sparseRow(row.facts, values[r]!, standards, common, columns))
  const design = sparseDesign(sparse, columns.names.length)
  let interceptCenter = biddingBaseLogOdds
  biddingFeatures.forEach((item, j) => {
    interceptCenter += item.prior * (standards[j]!.mean - item.typical)
  })
  const signs = new Float64Array(columns.names.length)
  signs.set(biddingFeatures.map(({ sign }) => sign))
  const soft = Float64Array.from(rows, (row) => softLabel(row.saleToList))
  const { heldOut, final } = crossFit({
    design,
    labels,
    soft,
    groups: columns.groups,
    signs,
    centers: Float64Array.from(columns.centers),
    interceptCenter,
    fold: foldsOf(rows.length, foldCount, random, labels),
  })
  const weight = (name: string): number => final.coefficients[columns.at.get(name) ?? -1] ?? 0
  const named = (prefix: string): Record<string, number> =>
    Object.fromEntries(
      columns.names.flatMap((name) => (name.startsWith(prefix) ? [[name.slice(2), weight(name)]] : [])),
    )
  const areaWeights = named('a:')
  return {
    kind: 'fitted',
    version: `bidding-war-fit-4-${rows.length}-${positives}-${fingerprint([final.intercept, ...final.coefficients])}`,
    intercept: final.intercept,
    numbers: biddingFeatures.map((item, j) => ({
      name: item.name,
      ...standards[j]!,
      weight: weight(`n:${item.name}`),
      square: weight(`s:${item.name}`),
    })),
    areas: Object.fromEntries([...levels].map(([area, level]) => [area, { ...level, weight: areaWeights[area] ?? 0 }])),
    everywhere,
    endings: named('e:'),
    words: named('w:'),
    rows: rows.length,
    positives,
    violations: final.violations.map((j) => biddingFeatures[j]!.name),
    report: probabilityReport(heldOut, labels),
    saleToList: fitSaleToList(heldOut, rows),
  }
}
