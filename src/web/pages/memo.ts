// The memo of one scheme for a lender or partner: three to five printed pages. Visitors who are not signed in see its summary.
import type { FastifyInstance } from 'fastify'
import { badRequest } from '../../common/errors.ts'
import { assumptionValue } from '../../domain/assumptions/assumption.ts'
import { assumptionTable } from '../../domain/assumptions/assumptions.ts'
import { overlayNames } from '../../domain/facts.ts'
import type { Accuracy } from '../../domain/findings/coverage-and-accuracy.ts'
import { type SchemeKind, schemeKinds } from '../../domain/findings/scheme-kinds.ts'
import type { Scheme } from '../../domain/findings/schemes.ts'
import { allowedWords, approvalWords } from '../../domain/findings/use-words.ts'
import { marketOfProperty } from '../../domain/property-id.ts'
import { lotSurroundings } from '../../operations/lot-surroundings.ts'
import type { BuiltHouse } from '../../wire/built-nearby.ts'
import { getAccuracy } from '../../wire/operations/coverage.ts'
import {
  getBuiltNearby,
  getPropertyIntelligence,
  getPropertySchemes,
  type PropertyPart,
  runProforma,
} from '../../wire/operations/properties.ts'
import type { PropertyDetail } from '../../wire/property.ts'
import { deskContext, type PageNumbers, pageNumbers, signedInVisitor } from '../account/visit.ts'
import { lotBox, lotMap } from '../charts/lot-map.ts'
import { keepsHouse, schemeDrawings } from '../charts/scheme-drawing.ts'
import { inputLabels } from '../finding-labels.ts'
import { count, day, offerShort, percent, signedUsd, usd, usdShort } from '../formats.ts'
import { type Html, html } from '../html.ts'
import { queryOf, textIn } from '../query.ts'
import { runOperation } from '../run-operation.ts'
import { sendPage } from '../send-page.ts'
import type { Site } from '../site.ts'
import { ownFactsLine } from './property.ts'
import { compsSection } from './property-comps.ts'
import { permitTimeline, resaleSection } from './property-history.ts'
import { againstWords, breakEvenText, drawingOf, unitText } from './property-schemes.ts'
import {
  assumptionsIn,
  changedText,
  isChanged,
  ownValuesIn,
  readScenario,
  type Scenario,
  scenarioParams,
} from './scenario.ts'

export const mountMemo = (app: FastifyInstance, site: Site): void => {
  app.get<{ Params: { id: string } }>('/properties/:id/memo', async (request, reply) => {
    const id = request.params.id.slice(0, 64).replaceAll('\0', '')
    const query = queryOf(request)
    const scenario = readScenario(query, [])
    const [context, numbers, user] = await Promise.all([
      deskContext(site, request),
      pageNumbers(site, request, marketOfProperty(id)),
      signedInVisitor(site, request),
    ])
    const own = assumptionsIn(scenario, numbers.set?.values)
    const terms = { id, price: scenario.price, ...own }
    const { data: all } = await runOperation(getPropertySchemes, context, terms)
    const asked = textIn(query, 'scheme') ?? all.best?.kind ?? all.bestIfApproved?.kind ?? 'new_house'
    const named = schemeKinds.find((kind): kind is SchemeKind => kind === asked)
    if (!named) throw badRequest(`scheme must be one of ${schemeKinds.join(', ')}, for example scheme=new_house.`)
    const [{ data: one }, { data, asOf, ownFacts }, built, accuracy] = await Promise.all([
      runOperation(getPropertySchemes, context, { ...terms, scheme: named, include: ['cashFlow', 'risk'] }),
      runOperation(getPropertyIntelligence, context, {
        ...{ id, include: ['comps', 'proforma', 'permits', 'shape', 'explanation'] satisfies PropertyPart[], ...own },
      }),
      runOperation(getBuiltNearby, context, { id }),
      runOperation(getAccuracy, context, {}).catch(() => undefined),
    ])
    const scheme = one.schemes[0]
    if (!scheme) throw badRequest(`There are no figures for ${named} on this lot. Choose another use on its page.`)
    const around = data.shape ? await lotSurroundings(context, data, lotBox(data.shape)) : undefined
    const atPrice = { id, price: one.priceUsd!, ...own }
    const rented = keepsHouse(scheme) && one.priceUsd ? (await runOperation(runProforma, context, atPrice)).data : data
    reply.header('cache-control', 'private, no-store')
    const runnersUp = all.schemes
      .filter(({ kind, allowed }) => kind !== named && kind !== 'keep' && allowed !== 'no')
      .filter(({ maximumOffer }) => (maximumOffer ?? 0) > 0)
      .sort((one, other) => other.maximumOffer! - one.maximumOffer!)
      .slice(0, 2)
    return sendPage(site, request, reply, {
      title: `Memo: ${scheme.title}, ${data.address}`,
      description: `${scheme.title} at ${data.address}, ${data.city}: law, cost, time, proceeds and risk.`,
      path: `/properties/${encodeURIComponent(id)}/memo`,
      shared: { scheme: named, ...scenarioParams(scenario) },
      private: true,
      body: html`<article class="memo">
<header><p class="kicker"><a href="/properties/${encodeURIComponent(id)}">${data.address}, ${data.city}</a></p><h1>${scheme.title}</h1>
<p class="note">Memo of ${day(asOf)}${one.asOf ? `, values of ${day(one.asOf)}` : ''}${termsText(numbers, scenario)}. A computed estimate, not an appraisal and not legal advice.</p>${ownFactsLine(ownFacts)}</header>
${summary(scheme, data, one.priceUsd, one.against, runnersUp)}
${
  user
    ? html`${around ? html`<section><h2>The lot</h2>${lotMap(data, around)}<div class="opened">${drawingOf(scheme, schemeDrawings(data, around))}</div></section>` : ''}
${lawSection(scheme)}${hazardSection(data)}${moneySection(scheme, data)}${cashFlowSection(scheme)}
<section><h2>Value as it stands and as completed</h2><p>As it stands: ${valueText(data)}. As completed: ${scheme.units.map((unit) => unitText(unit).replace(/\.$/, '')).join('; ') || 'no sale'}.${errorText(accuracy?.data ?? [], data.market)} Not an appraisal.</p></section>
${compsSection(site, data)}${named.startsWith('new_house') ? resaleSection(site, data) : ''}
${riskSection(scheme)}${exitSection(rented, scheme)}
${builtSection(built.data, built.radiusMi, built.years)}${permitTimeline(data)}
${assumptionsSection(scheme)}${unknownSection(scheme)}`
    : html`<p class="note"><a href="/account/sign-in">Sign in</a> to see laws, sources and uses, months, comparable sales, risk and assumptions. An email address is enough.</p>`
}
</article>`,
    })
  })
}

/** ", at the numbers of “My builder”, with construction cost $700 per sq ft" */
const termsText = ({ set }: PageNumbers, scenario: Scenario): string => {
  const values = ownValuesIn(scenario)
  const changed = isChanged(values) ? `, with ${changedText(values)}` : ''
  return `, at the ${set ? `numbers of “${set.name}”` : `market’s${changed && ' other'} numbers`}${changed}`
}

const facts = (rows: readonly (readonly [string, string | undefined])[]): Html =>
  html`<dl class="ledger">${rows.flatMap(([name, value]) => (value === undefined ? [] : [html`<div><dt>${name}</dt><dd>${value}</dd></div>`]))}</dl>`

const table = (heads: readonly string[], rows: readonly (readonly (string | Html)[])[], label: string): Html =>
  html`<div class="scroll" tabindex="0" role="region" aria-label="${label}"><table class="data"><thead><tr>${heads.map((head, at) => html`<th scope="col"${at === 0 ? '' : html` class="num"`}>${head}</th>`)}</tr></thead>
<tbody>${rows.map((cells) => html`<tr>${cells.map((cell, at) => (at === 0 ? html`<th scope="row">${cell}</th>` : html`<td class="num">${cell}</td>`))}</tr>`)}</tbody></table></div>`

const summary = (
  scheme: Scheme,
  { decision }: PropertyDetail,
  priceUsd: number | undefined,
  against: keyof typeof againstWords | undefined,
  runnersUp: readonly Scheme[],
): Html => {
  const { homes, builtSqft, months, totalCost, proceedsNet, profit, returnPct, yieldPct } = scheme
  const { irrPct, equityMultiple, peakEquity, maximumOffer, maximumOfferLow, room, confidence } = scheme
  const target = `target ${percent(scheme.targetReturnPct)}`
  const known = <T>(value: T | undefined, text: (value: T) => string) => (value === undefined ? undefined : text(value))
  return html`<section><h2>Summary</h2>${decision ? html`<p><b>${decision.text}</b></p>` : ''}
${facts([
  ['Law', `${allowedWords[scheme.allowed]}, ${approvalWords[scheme.approval]}`],
  ['Price', priceUsd === undefined || !against ? undefined : `${usd(priceUsd)}, ${againstWords[against]}`],
  ['Homes', known(homes, count)],
  ['Built', known(builtSqft || undefined, (sqft) => `${count(sqft)} sq ft`)],
  ['Months', known(months, count)],
  ['Total cost', known(totalCost, usd)],
  ['Proceeds after selling costs', known(proceedsNet, usd)],
  ['Profit', known(profit, signedUsd)],
  ['Return on cost', known(returnPct, (pct) => `${percent(pct)}, ${target}`)],
  ['Yield', known(yieldPct, (pct) => `${percent(pct)}, ${target}`)],
  ['Annual return on equity (IRR)', known(irrPct, (pct) => percent(pct))],
  ['Equity multiple', known(equityMultiple, (multiple) => `${multiple.toFixed(2)}×`)],
  ['Peak equity', known(peakEquity, usd)],
  ['Worth up to', known(maximumOffer, (offer) => `${usd(offer)}, in the low case ${usd(maximumOfferLow)}`)],
  ['Room', known(room, (room) => `${signedUsd(room.usd)} against ${againstWords[room.against]}`)],
  ['Confidence', confidence],
])}
${runnersUp.length > 0 ? html`<p class="note">Runners-up: ${runnersUp.map((each) => `${each.title}, worth up to ${offerShort(each.maximumOffer)}`).join('; ')}.</p>` : ''}</section>`
}

const lawSection = ({ law, zoning, approval, conditions, untestedRules, because }: Scheme): Html => {
  const cited = (text: string, citation: string | undefined) => `${text}${citation ? ` (${citation})` : ''}`
  return html`<section><h2>Laws and approvals</h2><p>${[law?.title, zoning ? `zoned ${zoning}` : undefined, approvalWords[approval]].filter(Boolean).join('; ')}.</p>
<ul>${because.map((each) => html`<li>${each}</li>`)}${conditions.map(({ text, citation }) => html`<li>Condition: ${cited(text, citation)}</li>`)}${untestedRules.map(({ rule, text, citation }) => html`<li>Not tested: ${rule}. ${cited(text, citation)}</li>`)}</ul></section>`
}

/** Every overlay by what is known of it. */
const hazardSection = ({ facts: home }: PropertyDetail): Html => {
  const named = (wanted: string) =>
    inputLabels(overlayNames.filter((name) => (home?.overlays?.[name] ?? 'unknown') === wanted)) || 'none'
  return html`<section><h2>Hazards and protections</h2><ul><li>Applies: ${named('yes')}.</li><li>Does not apply: ${named('no')}.</li><li>On no map, so unknown: ${named('unknown')}.</li></ul></section>`
}

const moneySection = ({ lines, cashFlow = [], totalCost }: Scheme, { intelligence }: PropertyDetail): Html => {
  if (lines.length === 0) return html``
  const uses = lines.filter(({ of }) => of !== 'resale')
  const amountOf = (name: string) => lines.find((line) => line.name === name)?.usd
  const drawn = cashFlow.reduce((sum, { loan }) => sum + Math.max(0, loan), 0)
  const share = (part: number, whole: number | undefined) => (whole ? percent((100 * part) / whole) : 'unknown')
  return html`<section><h2>Sources and uses</h2>
${table(['Use', 'Dollars', 'Basis'], [...uses.map(({ name, usd: amount, because }) => [lineWords[name] ?? name, usd(amount), because]), ['Total', html`<b>${usd(totalCost)}</b>`, '']], 'Uses of money')}
${table(
  ['Source', 'Dollars'],
  [
    ['Loan', usd(drawn)],
    ['Equity', usd((totalCost ?? 0) - drawn)],
  ],
  'Sources of money',
)}
<p>Loan to cost ${share(drawn, totalCost)}; to the value as completed ${share(drawn, amountOf('resaleGross'))}; to the value as it stands ${share(drawn, intelligence.valueEstimate?.value)}. Interest of ${usd(amountOf('interest'))} until the sale is reserved in the uses, as are tax and insurance.</p></section>`
}

const lineWords: Record<string, string> = {
  purchase: 'Purchase',
  hardCost: 'Construction',
  softCosts: 'Design, permits and fees',
  demoCost: 'Demolition',
  acquisition: 'Buying costs',
  contingency: 'Contingency',
  interest: 'Interest',
  points: 'Loan points',
  tax: 'Property tax',
  insurance: 'Insurance',
}

const flows = ['purchase', 'hard', 'soft', 'fees', 'holding', 'interest', 'proceeds', 'loan', 'equity'] as const

const cashFlowSection = ({ cashFlow = [] }: Scheme): Html => {
  if (cashFlow.length === 0) return html``
  let balance = 0
  const months = cashFlow.map((month, at) => {
    // In the last month the loan is repaid: what was owed until then is shown.
    balance += at === cashFlow.length - 1 ? 0 : month.loan
    return {
      ...month,
      balance,
      paid: month.purchase + month.hard + month.soft + month.fees + month.holding + month.interest,
    }
  })
  const most = Math.max(...months.flatMap(({ paid, balance }) => [paid, balance]), 1)
  const width = 1000 / months.length
  return html`<section><h2>Cash flow by month</h2>
<figure class="line-chart"><div class="y"><span>${usdShort(most)}</span><span>${usdShort(most / 2)}</span><span>$0</span></div>
<svg viewBox="0 0 1000 100" preserveAspectRatio="none" role="img" aria-label="Paid in each month, and the loan owed: at most ${usd(most)}"><path class="grid" d="M0 0H1000M0 50H1000M0 100H1000"/><path class="area" d="${months.map(({ paid }, at) => `M${(at * width).toFixed(1)} 100V${(100 - (100 * paid) / most).toFixed(1)}h${(width * 0.8).toFixed(1)}V100Z`).join('')}"/><path class="line" d="${months.map(({ balance: owed }, at) => `${at === 0 ? 'M' : 'L'}${((at + 0.5) * width).toFixed(1)} ${(100 - (100 * owed) / most).toFixed(1)}`).join('')}"/></svg>
<div class="x"><span>Purchase</span><span>Month ${months.length - 1}</span></div><figcaption class="note">Bars: paid in the month. Line: the loan owed.</figcaption></figure>
${table(
  ['Month', 'Purchase', 'Construction', 'Soft', 'Points', 'Holding', 'Interest', 'Proceeds', 'Loan', 'Equity'],
  months.map((each) => [String(each.month), ...flows.map((name) => (each[name] === 0 ? '' : usd(each[name])))]),
  'Cash flow by month',
)}</section>`
}

const valueText = ({ intelligence: { valueEstimate: value } }: PropertyDetail): string =>
  value
    ? `${usd(value.value)}, range ${usdShort(value.low)} to ${usdShort(value.high)}, confidence ${value.confidence ?? 'low'}`
    : 'no estimate'

const errorText = (rows: readonly Accuracy[], market: string | undefined): string => {
  const mdape = rows.find((row) => row.market === market && row.model === 'value-held-out')?.measures.mdape
  return mdape === undefined ? '' : ` The estimate’s median error on sales it had not seen is ${percent(mdape)}.`
}

const riskSection = ({ risk, breakEven, maximumOfferLow, targetReturnPct }: Scheme): Html =>
  html`<section><h2>Sensitivity</h2><p>${breakEven ? breakEvenText(breakEven) : 'It loses at this price, so it has no break-even.'}${maximumOfferLow === undefined ? '' : ` In the low case it is worth up to ${usd(maximumOfferLow)}.`}</p>
${risk ? html`<p>Of ${count(risk.draws)} draws with other prices, costs, months and rates, ${percent(risk.lossPct)} lose and ${percent(risk.belowTargetPct)} stay below ${percent(targetReturnPct)}. Return: ${percent(risk.returnPct.p10)} or less in one of ten, ${percent(risk.returnPct.p50)} in the middle, ${percent(risk.returnPct.p90)} or more in one of ten. Whether it is approved is no part of this.</p>` : ''}</section>`

/** The second exit: renting. Rents are known only for a house that stays and for a unit. `hold` is at the memo's price. */
const exitSection = ({ monthlyRent, hold }: Pick<PropertyDetail, 'monthlyRent' | 'hold'>, scheme: Scheme): Html => {
  const { proceedsNet, units } = scheme
  const stays = keepsHouse(scheme)
  const unitRents = units.flatMap(({ role, monthlyRent: rent }) =>
    role === 'unit' && rent !== undefined ? [rent] : [],
  )
  const unitRent = unitRents.reduce((all, rent) => all + rent, 0)
  const ofUnits =
    unitRent === 0 ? '' : `, and ${usd(unitRent)} for ${unitRents.length === 1 ? 'the unit' : 'the units'}`
  const asItStands = monthlyRent
    ? ` Second exit, let as it stands: ${usd(monthlyRent.amount)} a month${ofUnits}.`
    : ' The rent is not known.'
  const isUnknown = units.some(({ role }) => role === 'home' || role === 'lot' || (role === 'house' && !stays))
  return html`<section><h2>Exit</h2><p>${proceedsNet === undefined ? 'It is kept.' : `Sale: ${usd(proceedsNet)} after selling costs.`}${
    stays ? `${asItStands}${hold ? heldText(hold) : ''}` : ''
  }${isUnknown ? ` The rent of the new homes, and so their debt coverage, is not known${stays || unitRent === 0 ? '' : `; of what is added to them ${usd(unitRent)} a month is`}.` : ''}</p></section>`
}

const heldText = ({ noi, capRatePct, dscr, terms }: NonNullable<PropertyDetail['hold']>): string => {
  const loan = `a 30-year loan of ${terms.holdLoanPct}% at ${terms.holdRatePct}%`
  return ` As it stands that leaves ${usd(noi)} a year after costs, ${percent(capRatePct)} of ${usdShort(terms.price)}.${dscr === undefined ? '' : ` Debt coverage (DSCR) is ${dscr.toFixed(2)} with ${loan}.`}`
}

const builtSection = (rows: readonly BuiltHouse[], radiusMi: number, years: number): Html =>
  html`<section><h2>Built nearby</h2>${
    rows.length === 0
      ? html`<p>No new house within ${radiusMi} mile and ${years} years has a sale before its permit and one after it in the records.</p>`
      : table(
          ['House', 'Distance', 'Lot bought', 'Size', 'Sold', 'Difference before costs', 'Builder'],
          rows
            .slice(0, 10)
            .map((row) => [
              html`<a href="/properties/${encodeURIComponent(row.propertyId)}">${row.address ?? 'House'}</a>`,
              `${row.distanceMi} mi`,
              `${usdShort(row.lotPriceUsd)}, ${day(row.lotSoldOn)}`,
              row.sqft === undefined ? '–' : `${count(row.sqft)} sq ft`,
              `${usdShort(row.resaleUsd)}, ${day(row.resoldOn)}`,
              signedUsd(row.differenceUsd),
              row.builder ?? '–',
            ]),
          'Houses built nearby',
        )
  }</section>`

const assumptionsSection = ({ assumptions }: Scheme): Html => {
  const rows = Object.entries(assumptions).flatMap(([name, value]) => {
    const row = assumptionTable[name as keyof typeof assumptionTable]
    if (!row) return []
    const { label, unit, range, source, confidence } = row
    return [[label, assumptionValue({ value, unit }), range.join(' to '), source, confidence]]
  })
  return html`<section><h2>Assumptions</h2>${table(['Assumption', 'Value', 'Range', 'Source', 'Confidence'], rows, 'Assumptions')}</section>`
}

const unknownSection = ({ untestedRules, confidence }: Scheme): Html =>
  html`<section><h2>What is not known</h2><ul>${untestedRules.map(({ text }) => html`<li>${text}</li>`)}<li>Confidence in the prices and the law is ${confidence}. The table above gives it for each assumption.</li><li>Budget by trade, soil, utilities, title and the sponsor’s earlier permits are not in the data: add them.</li></ul></section>`
