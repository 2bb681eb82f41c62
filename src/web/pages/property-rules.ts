// Development potential: what state laws and zoning allow, with the rules that were checked and their citations.

import { describeDefaults } from '../../domain/assumptions/assumptions.ts'
import type { AduFinding } from '../../domain/findings/adu.ts'
import type { LawfulUse, LawReference, UseFinding } from '../../domain/findings/laws.ts'
import type { LotSplitFinding, LotSplitStatus } from '../../domain/findings/lot-split.ts'
import type { RedevelopmentClass, RedevelopmentFinding } from '../../domain/findings/redevelopment.ts'
import type { Blocker, TraceRow } from '../../domain/findings/rules.ts'
import { allowedWords, approvalWords, homesWords, sizeWords } from '../../domain/findings/use-words.ts'
import type { PropertyDetail } from '../../wire/property.ts'
import { collapsible } from '../collapsible.ts'
import { defaultMark, defaultsList } from '../default-mark.ts'
import { formatReason } from '../finding-labels.ts'
import { capitalized, codeInWords, percent, plural, sqft } from '../formats.ts'
import { type Html, html } from '../html.ts'
import { splitStatusWords } from './lead-rows.ts'

export const rulesSection = ({ explanation }: PropertyDetail): Html => {
  const { sb9: split, adu, laws = [], redevelopment } = explanation ?? {}
  if (!split && !adu && !redevelopment && laws.length === 0) return html``
  return html`<section class="rules">${collapsible(
    'Development potential',
    'potential',
    html`<div class="rules-grid">
${split && splitPart(split)}${adu && aduPart(adu)}${laws.map(usesPart)}${redevelopment && floorAreaPart(redevelopment)}</div>`,
  )}</section>`
}

const statusWords: Record<LotSplitStatus, string> = {
  eligible: splitStatusWords.eligible,
  likely: `${splitStatusWords.likely}: no rule blocks it, but some could not be checked`,
  unknown_zone: 'Unknown: no rules are known for this zoning district',
  blocked: 'Not eligible',
}

const splitPart = ({
  law,
  sb9Status,
  maxUnits,
  lotSplit: { lots },
  trace,
  blockReasons,
  warnings,
}: LotSplitFinding): Html =>
  html`<div class="rule-set"><h3>${lawTitle(law, 'Lot split and duplex')}</h3>
<p class="verdict ${sb9Status}">${statusWords[sb9Status]}${maxUnits === 0 ? '' : html`. Up to <b>${maxUnits}</b> homes.`}</p>
${lots.length > 0 ? html`<p>Possible split: lots of ${lots.map((lot) => sqft(lot.sqft)).join(' and ')}.</p>` : ''}
${ruleList(trace, blockReasons, warnings)}</div>`

const aduPart = ({ law, aduScore, units, trace, blockers, warnings }: AduFinding): Html =>
  html`<div class="rule-set"><h3>${lawTitle(law, 'Accessory dwelling units')}</h3>
<p class="verdict">${aduScore === undefined ? 'No ADU score' : html`ADU score <b>${Math.round(aduScore)}</b>`}${units.length > 0 ? `. Possible: ${units.map((unit) => `${unitWords[unit.kind]}, ${sqft(unit.sqft)}`).join('; ')}` : ''}</p>
${ruleList(trace, blockers, warnings)}</div>`

/** A law whose uses are all barred keeps its rules closed. */
const usesPart = ({ law, uses, trace, blockReasons, warnings }: UseFinding): Html => {
  const open = uses.filter(({ allowed }) => allowed !== 'no')
  const rules = ruleList(trace, blockReasons, warnings)
  return html`<div class="rule-set"><h3>${lawTitle(law, 'Other uses')}</h3>
${(open.length > 0 ? open : uses.slice(0, 1)).map(useLine)}
${open.length > 0 ? rules : html`<details class="passed"><summary>Rules</summary>${rules}</details>`}</div>`
}

const useLine = (use: LawfulUse): Html => {
  const parts = [homesWords(use), sizeWords(use), use.allowed === 'no' ? '' : approvalText(use), ...use.because]
  const title = `${capitalized(allowedWords[use.allowed])}${use.variant === 'third_dwelling' ? ' (third dwelling)' : ''}`
  const text = parts.flatMap((part) => part?.replace(/\.$/, '') || []).join('; ')
  return html`<p class="verdict">${title}: ${text}</p>`
}

const approvalText = ({ approval, decidedBy }: LawfulUse): string =>
  `${approvalWords[approval]}${decidedBy ? ` (${decidedBy})` : ''}`

const lawTitle = (law: LawReference | undefined, otherwise: string): Html =>
  law ? html`<a href="${law.url}">${law.title}</a>` : html`${otherwise}`

const unitWords: Record<AduFinding['units'][number]['kind'], string> = {
  detached: 'detached ADU',
  conversion: 'conversion of existing space',
  junior: 'junior ADU',
}

/** `teardown_candidate` is about size and age only, so it is called underbuilt. The verdict states how probable a rebuild is. */
const classWords: Record<RedevelopmentClass, string> = {
  teardown_candidate: 'underbuilt',
  expansion: 'room to expand',
  vacant_lot: 'vacant lot',
}

const floorAreaPart = (finding: RedevelopmentFinding): Html => {
  const { defaults = [] } = finding
  const rows: [string, string | Html][] = [
    ['Existing floor area, with the garage where the city counts it', sqft(finding.far?.countedSqft)],
    ['Allowed by zoning', sqft(finding.allowableSqft)],
    ['Realistic to build', sqft(finding.buildableSqft)],
    [
      'New house in the pro forma',
      html`${sqft(finding.buildSqft)}${defaultMark(defaults.length > 0, 'size-defaults')}`,
    ],
    ['Unused floor area', sqft(finding.far?.headroomSqft)],
    ['Share of the allowed area used', percent(finding.far?.utilisationPct, 0)],
  ]
  const score = finding.redevelopmentScore
  return html`<div class="rule-set"><h3>Floor area</h3>
<p class="verdict">${score === undefined ? 'No redevelopment score' : html`Redevelopment score <b>${Math.round(score)}</b>`}${finding.class ? `: ${classWords[finding.class]}` : ''}</p>
<dl class="ledger">${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>${finding.buildableSqft === finding.allowableSqft || !finding.allowableBasis ? '' : html`<p class="note">${capitalized(finding.allowableBasis)}. The new house of the pro forma has at most the realistic size.</p>`}${defaultsList(describeDefaults(defaults), 'size-defaults')}${ruleList(undefined, finding.blockers, finding.warnings)}</div>`
}

/** In display order. */
const outcomes: Record<TraceRow['outcome'], [symbol: string, meaning: string]> = {
  fail: ['✕', 'not met'],
  unknown: ['?', 'could not be checked'],
  warn: ['!', 'conditional'],
  pass: ['✓', 'met'],
}

/** Failed and unchecked rules first; passed rules are in a collapsed list. Without a trace, blockers and warnings. */
const ruleList = (
  trace: readonly TraceRow[] | undefined,
  blockers: readonly Blocker[],
  warnings: readonly string[],
): Html => {
  if (!trace || trace.length === 0)
    return html`${blockers.length > 0 ? html`<ul class="trace">${blockers.map(blockerRow)}</ul>` : ''}${warningList(warnings)}`
  const [duties, deciding] = [trace.filter(isDuty), trace.filter((row) => !isDuty(row))]
  return html`${ruleRows(deciding)}${duties.length > 0 ? html`<div class="duties"><h4>Duties and other laws, which do not decide it</h4>${ruleRows(duties)}</div>` : ''}`
}

const isDuty = ({ force }: TraceRow): boolean => force === 'obligation'

const ruleRows = (trace: readonly TraceRow[]): Html => {
  const order = Object.keys(outcomes)
  const rank = ({ outcome }: TraceRow) => order.indexOf(outcome)
  const notMet = trace.filter(({ outcome }) => outcome !== 'pass').sort((a, b) => rank(a) - rank(b))
  const met = trace.filter(({ outcome }) => outcome === 'pass')
  return html`${notMet.length > 0 ? html`<ul class="trace">${notMet.map(traceRow)}</ul>` : ''}
${met.length > 0 ? html`<details class="passed"><summary>${plural(met.length, 'rule')} met</summary><ul class="trace">${met.map(traceRow)}</ul></details>` : ''}`
}

/** The title of a rule says what is not known. */
const traceRow = ({ outcome, title, because, citation }: TraceRow): Html =>
  ruleRow(outcome, title, because.startsWith('Unknown: ') ? 'Not known.' : because, citation)

const blockerRow = ({ code, reason, citation }: Blocker): Html =>
  ruleRow('fail', capitalized(codeInWords(code)), reason, citation)

const ruleRow = (outcome: TraceRow['outcome'], title: string, because: string, citation: string): Html => {
  const [symbol, meaning] = outcomes[outcome]
  return html`<li class="${outcome}"><span class="symbol" aria-hidden="true">${symbol}</span><div><b>${title}</b> <span class="visually-hidden">${meaning}</span> ${formatReason(because)}${citation ? html` <cite>${citation}</cite>` : ''}</div></li>`
}

const warningList = (warnings: readonly string[]): Html =>
  warnings.length === 0
    ? html``
    : html`<ul class="warnings">${warnings.map((warning) => html`<li>${formatReason(warning)}</li>`)}</ul>`
