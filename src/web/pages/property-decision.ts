// The top of the property page: what to pay for it, and what could go wrong. Details follow in the sections that each line links to.

import type { Confidence, OverlayName } from '../../domain/facts.ts'
import { type LandCheck, landChecklist, risksIn } from '../../domain/findings/land-checklist.ts'
import type { ProformaAnswer } from '../../domain/findings/proforma.ts'
import { schemeTable } from '../../domain/findings/scheme-kinds.ts'
import type { SchemesAnswer } from '../../domain/findings/schemes.ts'
import { marketById } from '../../domain/packs/markets.ts'
import type { PropertyDetail } from '../../wire/property.ts'
import { defaultMark } from '../default-mark.ts'
import { aPercent, capitalized, day, offerShort, percent, plural, usd, usdShort } from '../formats.ts'
import { type Html, html } from '../html.ts'
import { type Deal, largestRisk, offerLine, offerRange, riskWords, whyNoDeal } from './deal.ts'
import { againstWords } from './property-schemes.ts'
import { termsIn } from './scenario.ts'

export const decisionSection = (data: PropertyDetail, deal: Deal | undefined): Html => {
  const parts: [title: string, lines: readonly Html[]][] = [
    ['Risks', risksOf(data, deal)],
    ['Before buying the lot', checksOf(data)],
  ]
  const shown = parts.filter(([, lines]) => lines.length > 0)
  if (shown.length === 0) return html``
  return html`<section class="decision" aria-label="Summary"><div class="decision-grid">${shown.map(([title, lines]) => html`<div><h2>${title}</h2><ul>${lines.map((line) => html`<li>${line}</li>`)}</ul></div>`)}</div></section>`
}

const checksOf = ({ facts, explanation }: PropertyDetail): Html[] =>
  facts && explanation?.redevelopment?.class === 'vacant_lot'
    ? checkLines(landChecklist({ ...facts, ...explanation.redevelopment }))
    : []

export const checkLines = (checks: readonly LandCheck[]): Html[] =>
  checks.map(({ item, known, applies, text }) => html`<b>${applies ? '!' : known ? '✓' : '?'} ${item}</b>: ${text}`)

/** What decides: the maximum offer with its confidence and range, and the prices beside it. */
export const dealSection = (
  data: PropertyDetail,
  { deal, answer }: { deal?: Deal; answer?: ProformaAnswer },
  schemes: SchemesAnswer | undefined,
): Html => {
  const { intelligence, status, price } = data
  const value = intelligence.valueEstimate
  const why = deal ? undefined : whyNoDeal(data, answer)
  const ofDeal: Row[] = []
  const rows: Row[] = []
  if (deal) {
    const { low, high } = deal.cases
    const mark = defaultMark((deal.proforma.defaults ?? []).length > 0)
    const risk = largestRisk(deal)
    ofDeal.push([
      'Offer in the low and high case',
      html`${offerRange(deal)}, where resale, cost and time all turn out worse or better`,
    ])
    ofDeal.push(['Confidence in the inputs', html`${confidenceWords[deal.proforma.confidence]}`])
    ofDeal.push([
      `Return at ${usdShort(deal.price)}`,
      html`<b class="${deal.returnPct < 0 ? 'down' : ''}">${percent(deal.returnPct)}</b>${mark}, range ${percent(low.returnPct)} to ${percent(high.returnPct)}`,
    ])
    const { expectedPrice, returnAtExpectedPct } = deal.proforma
    if (expectedPrice && returnAtExpectedPct !== undefined)
      ofDeal.push([
        `Return at ${usdShort(expectedPrice.p50)}, the expected price`,
        html`<b class="${returnAtExpectedPct < 0 ? 'down' : ''}">${percent(returnAtExpectedPct)}</b>${mark}`,
      ])
    if (risk)
      ofDeal.push(['Moves it most', html`${capitalized(riskWords(risk))}: the return is ${percent(risk.returnPct)}`])
  }
  if (price !== undefined && status)
    rows.push([status === 'sold' ? 'Last list price' : 'Asking price', html`${usd(price)}`])
  if (intelligence.expectedPrice) {
    const { p10, p50, p90 } = intelligence.expectedPrice
    const tension = intelligence.priceTension?.text
    rows.push([
      'Expected price',
      html`${usdShort(p50)}, range ${usdShort(p10)} to ${usdShort(p90)}${tension ? `. ${tension}` : ''}`,
    ])
  }
  if (value)
    rows.push([
      'Estimated value',
      html`<a href="#comps">${usdShort(value.value)}</a> in its present condition, range ${usdShort(value.low)} to ${usdShort(value.high)}${value.confidence ? `, ${value.confidence} confidence from comparable sales` : ''}${outside(data)}${value.note ? `. ${value.note}` : ''}`,
    ])
  else if (data.bestUse?.maximumOffer !== undefined && data.explanation?.redevelopment?.class === 'vacant_lot')
    rows.push([
      'Value as land',
      html`${offerShort(data.bestUse.maximumOffer)}, what <a href="#schemes">its best use</a> could pay`,
    ])
  else if (intelligence.valueUnavailable) rows.push(['Estimated value', html`${intelligence.valueUnavailable.text}`])
  // The decision is about the home at its own price; a visitor's price or house has a figure of its own.
  const hasOwnTerms = deal && Object.keys(termsIn(deal.scenario)).length > 0
  const decision = data.decision && !hasOwnTerms ? html`<p class="offer">${data.decision.text}</p>` : ''
  const newHouse = html`${deal ? html`<p class="${hasOwnTerms ? 'offer' : 'note'}">As a new house: ${offerLine(deal)}</p>` : status ? '' : why ? html`<p><a href="#proforma">No pro forma</a>: ${why}</p>` : html`<p><a href="#proforma">Enter a price</a> to see what a new house would earn</p>`}
${rowList(ofDeal)}`
  // The use that the sentence names comes first, unless the visitor has changed the new house.
  const parts = [decision, bestLine(schemes), rowList(rows)]
  return html`<div class="deal">${hasOwnTerms ? [newHouse, ...parts] : [...parts, newHouse]}</div>`
}

type Row = [name: string, value: Html]

const rowList = (rows: readonly Row[]): Html | '' =>
  rows.length > 0 ? html`<dl>${rows.map(([name, text]) => html`<div><dt>${name}</dt><dd>${text}</dd></div>`)}</dl>` : ''

/** What the use that the decision names earns, unless it is the new house, which has a list of its own. */
const bestLine = (answer: SchemesAnswer | undefined): Html | '' => {
  const { best, schemes = [], priceUsd, against } = answer ?? {}
  const { kind, maximumOffer, maximumOfferLow, targetReturnPct, returnPct } =
    schemes.find((each) => each.kind === best?.kind) ?? {}
  if (!kind || kind === 'new_house' || maximumOffer === undefined || targetReturnPct === undefined) return ''
  const low = maximumOfferLow === undefined ? '' : `, ${offerShort(maximumOfferLow)} in the low case`
  const now =
    returnPct === undefined || priceUsd === undefined || !against
      ? ''
      : html`. At ${usdShort(priceUsd)}, ${againstWords[against]}, it returns <b class="${returnPct < 0 ? 'down' : ''}">${percent(returnPct)}</b>`
  return html`<p class="note">${capitalized(schemeTable[kind].as)}: worth up to <b>${offerShort(maximumOffer)}</b> for ${aPercent(targetReturnPct)} return${low}${now}</p>`
}

/** How well zoning and the resale price are known. The range between the cases is shown separately. */
const confidenceWords: Record<Confidence, string> = {
  high: 'High: zoning and the sales behind the resale price are well known',
  medium: 'Medium: zoning or the sales behind the resale price are known in part',
  low: 'Low: few sales behind the resale price, or unverified or missing data',
}

const outside = ({ price, status, intelligence: { valueEstimate: value } }: PropertyDetail): string =>
  value && price !== undefined && status && status !== 'sold' && (price < value.low || price > value.high)
    ? `; the asking price is ${price < value.low ? 'below' : 'above'} that range`
    : ''

const labelsOf = (risks: readonly { label: string }[]): string => risks.map(({ label }) => label).join(', ')

/** As many as fit on one line. */
const mostUnknown = 6

const risksOf = ({ facts, explanation, ...data }: PropertyDetail, deal: Deal | undefined): Html[] => {
  const proforma = deal?.proforma ?? data.proforma
  const overlays: Partial<Record<OverlayName, string>> = facts?.overlays ?? {}
  const risks = risksIn(data.market)
  const present = risks.filter(({ overlay }) => overlays[overlay] === 'yes')
  const unknown = risks.filter(({ overlay }) => overlays[overlay] !== 'yes' && overlays[overlay] !== 'no')
  const review = marketById(data.market ?? '')?.demolitionReview
  const missing = explanation?.proforma?.missing ?? []
  const lines: Html[] = []
  if (review) lines.push(html`${review.body}: exterior changes, demolition and new buildings need its certificate`)
  if (present.length > 0) lines.push(html`${capitalized(labelsOf(present))}`)
  if (facts && unknown.length > 0)
    lines.push(
      html`Not known: ${labelsOf(unknown.slice(0, mostUnknown))}${unknown.length > mostUnknown ? ` and ${unknown.length - mostUnknown} more` : ''}`,
    )
  if (facts && present.length === 0 && unknown.length === 0)
    lines.push(html`None of the ${risks.length} hazards and restrictions that were checked applies`)
  const maps = new Set(
    risks.flatMap(({ overlay }) => {
      const { title, asOf } = facts?.overlaySources?.[overlay] ?? {}
      return title && asOf ? [`${title}, ${day(asOf)}`] : []
    }),
  )
  if (maps.size > 0) lines.push(html`Checked on: ${[...maps].join('; ')}`)
  const { recentWork } = explanation?.redevelopment ?? {}
  if (recentWork) lines.push(html`${recentWork}`)
  const defaults = proforma?.unmodellableReason === null ? (proforma.defaults ?? []) : []
  if (defaults.length > 0)
    lines.push(html`The pro forma uses <a href="#defaults">${plural(defaults.length, 'default assumption')}</a>`)
  const warnings = deal?.warnings ?? explanation?.proforma?.warnings ?? explanation?.redevelopment?.warnings ?? []
  for (const warning of warnings.filter((each) => each !== recentWork).slice(0, 2)) lines.push(html`${warning}`)
  if (missing.length > 0 && proforma?.confidence !== 'low')
    lines.push(html`${plural(missing.length, 'input')} of the pro forma not known`)
  return lines
}
