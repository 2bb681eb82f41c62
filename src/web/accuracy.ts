// How well each model has done, one table a model with a column for each market: every measure in words and with its unit.
import { markets } from '../contract/markets.ts'
import type { AccuracyMeasures } from '../contract/trust.ts'
import type { Accuracy } from '../operations/data-status.ts'
import { count, day, percent, sentence, unknown, words } from './formats.ts'
import { type Html, html } from './html.ts'

export const accuracyTables = (figures: readonly Accuracy[]): Html =>
  html`<div class="accuracy">${[...Map.groupBy(figures, ({ name }) => name)].map(([name, each]) => modelTable(name, each))}</div>`

const modelTable = (name: string, figures: readonly Accuracy[]): Html => {
  const columns = markets.flatMap(({ id, name }) => {
    const figure = figures.find(({ market }) => market === id)
    return figure ? [{ id, name, figure }] : []
  })
  const shown = shownIn(columns.map(({ figure }) => figure.measures))
  return html`<section class="model"><h3>${modelNames[name] ?? sentence(words(name))}</h3>
<table class="data measures"><thead><tr><th scope="col">Measure</th>${columns.map((column) => html`<th scope="col" class="num">${column.name}</th>`)}</tr></thead>
<tbody>${shown.map(([key, measure]) => html`<tr><th scope="row">${measure.name}${measure.means ? html`<small>${measure.means}</small>` : ''}</th>${columns.map(({ figure }) => html`<td class="num">${shownValue(figure.measures[key], measure)}</td>`)}</tr>`)}</tbody></table>
${columns.map(({ name, figure }) => html`<p class="note"><b>${name}</b>: ${figure.data}. Measured ${day(figure.measuredAt.toISOString())}. Model <code>${figure.modelVersion}</code></p>`)}</section>`
}

const modelNames: Record<string, string> = {
  'value-held-out': 'Value, each sale held out',
  'value-forward': 'Value, later sales unseen',
  teardown: 'Teardown',
  'bidding-war': 'Bidding war',
  'heat-coverage': 'Market heat',
}

interface Measure {
  name: string
  means?: string
  unit?: 'percent' | 'share' | 'count' | 'date'
}

/** In the order shown. */
const known: Partial<Record<keyof AccuracyMeasures, Measure>> = {
  mdape: { name: 'Median error', means: 'half of all values are nearer to the price', unit: 'percent' },
  within10: { name: 'Within 10 % of the price', unit: 'percent' },
  within20: { name: 'Within 20 % of the price', unit: 'percent' },
  withinRange: { name: 'Price inside the stated range', unit: 'percent' },
  medianRatio: { name: 'Median ratio', means: 'value to price; 1 is neither high nor low' },
  cod: { name: 'Dispersion (COD)', means: 'mean departure from the median ratio', unit: 'percent' },
  prd: { name: 'Price-related differential (PRD)', means: 'above 1, dear homes are valued too low' },
  prb: { name: 'Price-related bias (PRB)', means: 'how the ratio shifts when value doubles; 0 is none' },
  auc: { name: 'Ranking (AUC)', means: '1 is perfect, 0.5 is chance' },
  ece: { name: 'Calibration error', means: 'mean gap between the stated chance and what happened', unit: 'share' },
  brier: { name: 'Brier score', means: 'mean squared error of the chance; 0 is perfect' },
  logLoss: { name: 'Log loss', means: '0 is perfect' },
  rows: { name: 'Cases', unit: 'count' },
  n: { name: 'Cases tested', unit: 'count' },
  positives: { name: 'Of which it happened', unit: 'count' },
  cities: { name: 'Cities', unit: 'count' },
  withIndex: { name: 'With a heat index', unit: 'count' },
  medianSales: { name: 'Median sales a city', unit: 'count' },
  from: { name: 'Tested from', unit: 'date' },
  asOf: { name: 'Model as of', unit: 'date' },
  kind: { name: 'Kind of model' },
}

const shownIn = (given: readonly AccuracyMeasures[]): [keyof AccuracyMeasures, Measure][] => {
  const names = Object.keys(known) as (keyof AccuracyMeasures)[]
  // Where all that was known was also tested, one count is enough.
  const twice = given.every(({ rows, n }) => rows === n)
  return names
    .filter((name) => given.some((each) => each[name] !== undefined) && !(name === 'rows' && twice))
    .map((name) => [name, known[name]!])
}

const shownValue = (value: unknown, { unit }: Measure): string => {
  if (typeof value === 'string') return unit === 'date' ? day(value) : value
  if (typeof value !== 'number') return unknown
  if (unit === 'percent') return percent(value)
  if (unit === 'share') return percent(100 * value)
  if (unit === 'count') return count(value)
  return String(Number(value.toPrecision(3))).replace('-', '−')
}
