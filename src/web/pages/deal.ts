// The pro forma behind every figure of a page: the answer of the what-if operation for the scenario of the visitor, so that pages,
// print and comparisons state what the API states.

import type { OwnNumbers } from '../../criteria/own-assumptions.ts'
import type { ProformaAnswer, StressRow, UnmodellableReason } from '../../domain/findings/proforma.ts'
import type { Context } from '../../operations/context.ts'
import { runProforma } from '../../wire/operations/properties.ts'
import type { PropertyDetail } from '../../wire/property.ts'
import { aPercent, offerShort } from '../formats.ts'
import { type Html, html } from '../html.ts'
import { runOperation } from '../run-operation.ts'
import { assumptionsIn, type Scenario, termsIn } from './scenario.ts'

export type Deal = NonNullable<Awaited<ReturnType<typeof dealOf>>['deal']>

/** Undefined where it cannot be modeled; `because` is in the pro forma of the property. */
export const dealOf = async (
  context: Context,
  { id, price, proforma }: PropertyDetail,
  scenario: Scenario,
  set?: OwnNumbers,
) => {
  if (proforma === undefined && scenario.price === undefined && price === undefined) return {}
  const { data: answer } = await runOperation(runProforma, context, {
    id,
    ...termsIn(scenario),
    ...assumptionsIn(scenario, set),
  })
  const { totalCost, profit, cases, maximumOffer, returnPct, lines } = answer
  const purchase = lines.find(({ name }) => name === 'purchase')?.usd
  if (
    answer.proforma.unmodellableReason !== null ||
    purchase === undefined ||
    totalCost === undefined ||
    profit === undefined ||
    returnPct === undefined ||
    !cases ||
    !maximumOffer
  )
    return { answer }
  return { answer, deal: { ...answer, scenario, price: purchase, totalCost, profit, returnPct, cases, maximumOffer } }
}

const reasons: Record<Exclude<UnmodellableReason, 'NO_PRICE'>, string> = {
  NO_LOT_SIZE: 'The lot size is unknown, so the allowed building size is unknown too.',
  AT_LIMIT: 'The house is about as large as allowed, so a new one is not computed.',
  NO_ZONING: 'The building limits of this parcel are not known.',
  NOT_SINGLE_FAMILY: 'This is not a single-family home, so it cannot be rebuilt on its own.',
  TOO_FEW_COMPS: 'There are too few comparable sales to estimate the resale price of a new house.',
  HISTORIC_BLOCKED: 'The house is historic, so the city is unlikely to allow its replacement.',
}

/** Why no price gives a pro forma. Undefined if there is one, or if only the price is missing. */
export const whyNoDeal = ({ explanation }: PropertyDetail, answer: ProformaAnswer | undefined): string | undefined => {
  const reason = answer ? answer.proforma.unmodellableReason : 'NO_PRICE'
  if (reason === 'NO_PRICE') return explanation?.envelope?.unmodelledReason
  // The finding says which rules are not known, and what limits the size.
  const because = answer?.because ?? explanation?.proforma?.because
  return (reason === 'NO_ZONING' || reason === 'AT_LIMIT') && because ? because : reason ? reasons[reason] : undefined
}

/** "worth up to $2.04M for a 15% return" */
export const offerLine = ({ maximumOffer: { price, targetRoiPct } }: Pick<Deal, 'maximumOffer'>): Html =>
  price === undefined
    ? html`no price above zero gives ${aPercent(targetRoiPct)} return`
    : html`worth up to <b>${offerShort(price)}</b> for ${aPercent(targetRoiPct)} return`

export const offerRange = ({ cases: { low, high } }: Pick<Deal, 'cases'>): string =>
  `${low.maximumOffer === undefined ? 'nothing' : offerShort(low.maximumOffer)} to ${offerShort(high.maximumOffer)}`

/** Of a 10% change in resale, a 10% change in cost and the shorter delay, the one that lowers the return most. */
export const largestRisk = ({ stress }: Pick<Deal, 'stress'>): StressRow | undefined => {
  const delay = Math.min(...stress.flatMap(({ extraMonths }) => (extraMonths > 0 ? [extraMonths] : [])))
  const single = stress.filter(
    ({ resalePct, costPct, extraMonths }) =>
      [resalePct === -10, costPct === 10, extraMonths === delay].filter(Boolean).length === 1 &&
      [resalePct !== 0, costPct !== 0, extraMonths !== 0].filter(Boolean).length === 1,
  )
  return single.sort((a, b) => a.returnPct - b.returnPct)[0]
}

export const riskWords = ({ resalePct, costPct, extraMonths }: StressRow): string =>
  resalePct !== 0
    ? `a resale price ${-resalePct}% lower`
    : costPct !== 0
      ? `construction ${costPct}% more expensive`
      : `${extraMonths} more months`
