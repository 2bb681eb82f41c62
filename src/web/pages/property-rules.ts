// Development potential: SB 9, ADUs and the building envelope, with the rules that were checked and their citations.
import { formatReason } from '../finding-labels.ts'
import { percent, plural, sentence, sqft, words } from '../formats.ts'
import { type Html, html } from '../html.ts'
import { type Loose, listOf, looseOf, numberAt, textAt, textsAt } from '../stored-findings.ts'
import type { Detail } from './property-detail.ts'

export const rulesSection = (data: Detail): Html => {
  const all = looseOf(data.explanation)
  const [sb9, adu] = [looseOf(all?.sb9), looseOf(all?.adu)]
  const redevelopment = looseOf(all?.redevelopment)
  if (!sb9 && !adu && !redevelopment) return html``
  return html`<section class="rules"><h2>Development potential</h2><div class="rules-grid">
${sb9 ? sb9Part(sb9) : ''}${adu ? aduPart(adu) : ''}${redevelopment ? redevelopmentPart(redevelopment) : ''}</div></section>`
}

const sb9Words: Record<string, string> = {
  eligible: 'Eligible',
  likely: 'Possibly eligible: no rule blocks it, but some could not be checked',
  blocked: 'Not eligible',
}

const sb9Part = (sb9: Loose): Html => {
  const status = textAt(sb9, 'sb9Status') ?? 'unknown'
  const split = looseOf(sb9.lotSplit)
  const lots = listOf(split?.lots)
  return html`<div class="rule-set"><h3>SB 9 lot split and duplex</h3>
<p class="verdict ${status}">${sb9Words[status] ?? sentence(status)}${status !== 'blocked' && numberAt(sb9, 'maxUnits') !== undefined ? html`. Up to <b>${numberAt(sb9, 'maxUnits')}</b> homes.` : ''}</p>
${lots.length > 0 ? html`<p>Split into lots of ${lots.map((lot) => sqft(numberAt(lot, 'sqft') ?? numberAt(lot, 'lotSqft') ?? numberAt(lot, 'areaSqft'))).join(' and ')}.</p>` : ''}
${traceOf(sb9, 'blockReasons')}</div>`
}

const aduPart = (adu: Loose): Html => {
  const units = listOf(adu.units)
  const score = numberAt(adu, 'aduScore')
  return html`<div class="rule-set"><h3>Accessory dwelling units (ADUs)</h3>
<p class="verdict">${score === undefined ? 'No score' : html`ADU score <b>${Math.round(score)}</b>`}${units.length > 0 ? html`. Possible: ${units.map((unit) => `${unitWords[textAt(unit, 'kind') ?? ''] ?? 'ADU'}, ${sqft(numberAt(unit, 'sqft'))}`).join('; ')}` : ''}</p>
${traceOf(adu, 'blockers')}</div>`
}

const unitWords: Record<string, string> = {
  detached: 'detached ADU',
  attached: 'attached ADU',
  conversion: 'garage or interior conversion',
  junior: 'junior ADU',
}

const redevelopmentPart = (finding: Loose): Html => {
  const far = looseOf(finding.far)
  const rows: [string, string][] = [
    ['Existing floor area', sqft(numberAt(finding, 'existingSqft'))],
    ['Allowed floor area', sqft(numberAt(finding, 'allowableSqft'))],
    ['Remaining', sqft(numberAt(far, 'headroomSqft'))],
    ['Used', percent(numberAt(far, 'utilisationPct'), 0)],
  ]
  const score = numberAt(finding, 'redevelopmentScore')
  return html`<div class="rule-set"><h3>Floor area</h3>
<p class="verdict">${score === undefined ? 'No score' : html`Redevelopment score <b>${Math.round(score)}</b>`}${textAt(finding, 'class') ? `: ${words(textAt(finding, 'class')!)}` : ''}</p>
<dl class="ledger">${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>${traceOf(finding, 'blockers')}</div>`
}

const outcomes: Record<string, [symbol: string, words: string]> = {
  fail: ['✕', 'not met'],
  unknown: ['?', 'could not be checked'],
  warn: ['!', 'conditional'],
  pass: ['✓', 'met'],
}

/** Failed and unchecked rules first; passed rules are in a collapsed list. */
const traceOf = (finding: Loose, blockersName: string): Html => {
  const trace = listOf(finding.trace)
  const warnings = textsAt(finding, 'warnings')
  if (trace.length === 0) {
    const blockers = listOf(finding[blockersName])
    return html`${blockers.length > 0 ? html`<ul class="trace">${blockers.map((one) => traceRow({ ...one, outcome: 'fail', because: one.reason }))}</ul>` : ''}${warningList(warnings)}`
  }
  const rank = (row: Loose) => Object.keys(outcomes).indexOf(textAt(row, 'outcome') ?? '')
  const open = trace.filter((row) => row.outcome !== 'pass').sort((a, b) => rank(a) - rank(b))
  const passed = trace.filter((row) => row.outcome === 'pass')
  return html`${open.length > 0 ? html`<ul class="trace">${open.map(traceRow)}</ul>` : ''}
${passed.length > 0 ? html`<details class="passed"><summary>${plural(passed.length, 'rule')} met</summary><ul class="trace">${passed.map(traceRow)}</ul></details>` : ''}`
}

const traceRow = (row: Loose): Html => {
  const outcome = textAt(row, 'outcome') ?? 'unknown'
  const [symbol, meaning] = outcomes[outcome] ?? ['?', 'could not be checked']
  return html`<li class="${outcome}"><span class="symbol" aria-hidden="true">${symbol}</span><div><b>${textAt(row, 'title') ?? sentence(words(textAt(row, 'code') ?? 'rule'))}</b> <span class="visually-hidden">${meaning}</span> ${formatReason(textAt(row, 'because') ?? '')}${textAt(row, 'citation') ? html` <cite>${textAt(row, 'citation')}</cite>` : ''}</div></li>`
}

const warningList = (warnings: readonly string[]): Html =>
  warnings.length === 0
    ? html``
    : html`<ul class="warnings">${warnings.map((warning) => html`<li>${formatReason(warning)}</li>`)}</ul>`
