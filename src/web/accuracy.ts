// Model accuracy: one table per model, with a column for each market and a row for each measure.

import { keysOf } from '../common/typed.ts'
import type { AccuracyMeasures } from '../domain/findings/coverage-and-accuracy.ts'
import { markets } from '../domain/packs/markets.ts'
import type { Accuracy } from '../operations/data-status.ts'
import { formatReason } from './finding-labels.ts'
import { capitalized, codeInWords, count, day, percent, unknownMark } from './formats.ts'
import { type Html, html } from './html.ts'

export const accuracyTables = (figures: readonly Accuracy[]): Html =>
  html`<div class="accuracy">${[...Map.groupBy(figures, ({ name }) => name)].map(([name, each]) => modelTable(name, each))}</div>`

const modelTable = (name: string, figures: readonly Accuracy[]): Html => {
  const columns = markets().flatMap(({ id, name }) => {
    const figure = figures.find(({ market }) => market === id)
    return figure ? [{ id, name, figure }] : []
  })
  const rows = measuresIn(columns.map(({ figure }) => figure.measures))
  const heading = modelNames[name] ?? capitalized(codeInWords(name))
  return html`<section class="model"><h3>${heading}</h3>
<table class="data measures" aria-label="${heading}"><thead><tr><th scope="col">Measure</th>${columns.map((column) => html`<th scope="col" class="num">${column.name}</th>`)}</tr></thead>
<tbody>${rows.map(([key, measure]) => html`<tr><th scope="row">${measure.name}${measure.meaning ? html`<small>${measure.meaning}</small>` : ''}</th>${columns.map(({ figure }) => html`<td class="num">${formatMeasure(figure.measures[key], measure)}</td>`)}</tr>`)}</tbody></table>
${columns.map(({ name, figure }) => html`<p class="note"><b>${name}</b>: ${formatReason(capitalized(figure.data))}. Measured ${day(figure.measuredAt.toISOString())}. Model <code>${figure.modelVersion}</code></p>`)}</section>`
}

const modelNames: Record<string, string> = {
  'value-held-out': 'Value estimate, tested on held-out sales',
  'value-forward': 'Value estimate, tested on later sales',
  teardown: 'Teardown score',
  'bidding-war': 'Bidding-war probability',
  'heat-coverage': 'Market heat index',
}

interface Measure {
  name: string
  meaning?: string
  unit?: 'percent' | 'share' | 'count' | 'date'
}

/** In display order. */
const known: Partial<Record<keyof AccuracyMeasures, Measure>> = {
  mdape: {
    name: 'Median error',
    meaning: 'half of the estimates are closer to the sale price than this',
    unit: 'percent',
  },
  within10: { name: 'Within 10% of the sale price', unit: 'percent' },
  within20: { name: 'Within 20% of the sale price', unit: 'percent' },
  withinRange: { name: 'Sale price inside the estimated range', unit: 'percent' },
  medianRatio: { name: 'Median ratio', meaning: 'estimate divided by sale price; 1 is unbiased' },
  cod: { name: 'Coefficient of dispersion (COD)', meaning: 'average deviation from the median ratio', unit: 'percent' },
  prd: { name: 'Price-related differential (PRD)', meaning: 'above 1, expensive homes are undervalued' },
  prb: { name: 'Price-related bias (PRB)', meaning: 'change of the ratio when the value doubles; 0 is unbiased' },
  auc: { name: 'Area under the ROC curve (AUC)', meaning: '1 is perfect, 0.5 is random' },
  ece: {
    name: 'Calibration error',
    meaning: 'average gap between predicted probability and observed frequency',
    unit: 'share',
  },
  brier: { name: 'Brier score', meaning: 'mean squared error of the probability; 0 is perfect' },
  logLoss: { name: 'Log loss', meaning: '0 is perfect' },
  rows: { name: 'Rows', unit: 'count' },
  n: { name: 'Rows tested', unit: 'count' },
  positives: { name: 'Positive outcomes', unit: 'count' },
  cities: { name: 'Cities', unit: 'count' },
  withIndex: { name: 'Cities with a heat index', unit: 'count' },
  medianSales: { name: 'Median sales per city', unit: 'count' },
  from: { name: 'Test period starts', unit: 'date' },
  asOf: { name: 'Model date', unit: 'date' },
  kind: { name: 'Model type' },
}

const measuresIn = (given: readonly AccuracyMeasures[]): [keyof AccuracyMeasures, Measure][] => {
  const names = keysOf(known)
  // When every row was tested, the two counts are equal and one is enough.
  const sameCount = given.every(({ rows, n }) => rows === n)
  return names
    .filter((name) => given.some((each) => each[name] !== undefined) && !(name === 'rows' && sameCount))
    .map((name) => [name, known[name]!])
}

const formatMeasure = (value: unknown, { unit }: Measure): string => {
  if (typeof value === 'string') return unit === 'date' ? day(value) : value
  if (typeof value !== 'number') return unknownMark
  if (unit === 'percent') return percent(value)
  if (unit === 'share') return percent(100 * value)
  if (unit === 'count') return count(value)
  return String(Number(value.toPrecision(3))).replace('-', '−')
}
