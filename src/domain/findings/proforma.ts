// The pro forma as it is stored, listed and served, and the what-if answer around it.
import type { Static } from 'typebox'
import { integer, list, literals, number, object, optional, orNull, text, texts } from '../../common/shape.ts'
import { DefaultAssumption } from '../assumptions/assumption.ts'
import { confidences } from '../facts.ts'
import { Provenance } from '../provenance.ts'
import { Envelope } from './building-envelope.ts'
import { ConfidenceLevel, defaultNames } from './findings.ts'
import { EarningsUnavailable, Hold, MonthlyRent } from './rent.ts'

const unmodellableReasons = [
  'NOT_SINGLE_FAMILY',
  'HISTORIC_BLOCKED',
  'NO_PRICE',
  'NO_LOT_SIZE',
  'NO_ZONING',
  'AT_LIMIT',
  'TOO_FEW_COMPS',
] as const
export type UnmodellableReason = (typeof unmodellableReasons)[number]

const Carry = object('CarryCosts', {
  interest: number('Loan interest over the project, dollars'),
  points: number('Loan fees, dollars'),
  tax: number('Property tax, dollars'),
  insurance: number('Builder’s risk insurance, dollars'),
  averageBalance: optional.number(
    'Loan balance, averaged over the months: interest = averageBalance × ratePct / 100 × months / 12',
  ),
  months: optional.number('Whole months of the schedule; tax and insurance are charged for them'),
  ratePct: optional.number('Loan interest, percent a year'),
  loan: optional.number('The most that the loan pays: a share of the cost, no more than 70% of the resale price'),
})
export type CarryCosts = Static<typeof Carry>

export const returnDescription =
  'Return after buying costs, contingency and financing: 100 × (resaleNet − capital − acquisition − contingency − carry) / (capital + acquisition + contingency + carry), one decimal'

export const returnAtExpectedDescription = 'returnPct with the price expectedPrice.p50, percent'

const ProformaAssumptions = object('ProformaAssumptions', {
  costPerSqft: number('Construction, dollars per square foot'),
  costBasis: optional.text('What the construction cost is based on'),
  stories: optional.number('Stories of the new house'),
  slopePct: optional.number('Slope of the lot in percent, part of costPerSqft and months; absent if unknown'),
  existingSqft: optional.number('Living area of the house to demolish, square feet; 0 on a vacant lot'),
  softCosts: optional.number('Design, permit and impact fees, dollars'),
  demoCost: optional.number('Demolition, dollars'),
  sellingCostPct: number('Selling cost and transfer tax, percent of resale'),
  buildSizeBasis: optional.text('What the build size is based on'),
  acquisition: optional.number('Title, escrow, inspection and buyer’s fees, dollars'),
  contingencyPct: number('Contingency, percent of construction'),
  contingency: optional.number('Contingency, dollars'),
  carry: optional(Carry),
  months: number('Purchase to resale, months'),
  monthsBasis: optional.text('What the months are based on'),
  ratePct: number('Loan interest, percent a year'),
  shrinkWeight: optional.number('Weight of this property’s own return in developerROI, 0 to 1'),
  marketMeanRoiPct: optional.number('The market’s mean return, percent'),
})

export const ExpectedPrice = object(
  'ExpectedPrice',
  'At what price a home on the market probably sells, learned from closed listings of the market; absent below 300 of them',
  {
    p10: number('One in ten such homes closes below this, dollars'),
    p50: number('The middle, dollars'),
    p90: number('One in ten such homes closes above this, dollars'),
    confidence: optional.literals(confidences, {
      description: 'From the width of p10 to p90; not high where p50 leaves the range of the value',
    }),
    asOf: optional.date('The day it holds for'),
  },
)
export type ExpectedPrice = Static<typeof ExpectedPrice>

export const PriceTension = object(
  'PriceTension',
  'Present where the expected price is outside the range of the value estimate',
  { text: text('What the asking price claims against the value, as a sentence') },
)
export type PriceTension = Static<typeof PriceTension>

export const Proforma = object('Proforma', 'The pro forma with every term it uses', {
  roiPct: optional.number(
    'Return before contingency and financing: 100 × (resaleNet − capital) / capital, one decimal',
  ),
  returnPct: optional.number(returnDescription),
  expectedPrice: optional(ExpectedPrice),
  priceTension: optional(PriceTension),
  returnAtExpectedPct: optional.number(returnAtExpectedDescription),
  maximumOffer: optional.number(
    'Price at which returnPct is targetRoiPct, dollars; 0 where none above zero is. Also where the reason is HISTORIC_BLOCKED',
  ),
  maximumOfferLow: optional.number('The same in the low case: resale, cost and time all worse, dollars'),
  targetRoiPct: optional.number('The return that maximumOffer leaves, percent'),
  buildSqft: optional.number('Assumed build size, square feet'),
  arvPerSqft: optional.number('Resale value of the new house per square foot, dollars'),
  capital: optional.number('price + buildSqft × costPerSqft + softCosts + demoCost, dollars'),
  resaleNet: optional.number('buildSqft × arvPerSqft × (1 − sellingCostPct / 100), dollars'),
  compCount: integer('Comparable sales used'),
  compsCityMatched: optional.flag('The comparable sales are in the same city'),
  compsTypeMatched: optional.flag('The comparable sales are of the same property type'),
  largestCompSqft: optional.number('Living area of the largest comparable sale, square feet'),
  confidence: ConfidenceLevel,
  resaleConfidence: optional.literals(confidences, { description: 'Confidence of arvPerSqft' }),
  unmodellableReason: orNull(literals(unmodellableReasons), {
    description:
      'Why the property cannot be modeled; null when it can. AT_LIMIT: the house is about as large as zoning, sales or the multiple of its size allow',
  }),
  because: optional.text('unmodellableReason as a sentence'),
  assumptions: ProformaAssumptions,
  defaults: optional(defaultNames('pro forma')),
})
export type Proforma = Static<typeof Proforma>

export type ProformaLineName =
  | 'purchase'
  | 'hardCost'
  | 'softCosts'
  | 'demoCost'
  | 'acquisition'
  | 'contingency'
  | 'interest'
  | 'points'
  | 'tax'
  | 'insurance'
  | 'resaleGross'
  | 'sellingCosts'

export const ProformaLine = object('ProformaLine', {
  name: text('Name of the line'),
  usd: number('Dollars'),
  because: text('How it was computed'),
  of: literals(['capital', 'afterCapital', 'resale'], { description: 'The sum the line belongs to' }),
  defaults: optional.texts('Default assumptions that the line depends on, directly or through another line'),
})
export type ProformaLine = Static<typeof ProformaLine>

const caseFields = {
  arvPerSqft: number('Resale value, dollars per square foot'),
  costPerSqft: number('Construction, dollars per square foot'),
  months: number('Purchase to resale, months'),
  capital: number('Dollars'),
  resaleNet: number('Dollars'),
  roiPct: number('Return before contingency and financing, percent'),
  returnPct: number('Return after buying costs, contingency and financing, percent'),
  returnAfterCarryPct: number('The same as returnPct'),
}

export const ProformaCase = object('ProformaCase', {
  ...caseFields,
  maximumOffer: optional.number(
    'Price at which the case earns the target return, dollars; absent when no price above zero does',
  ),
})
export type ProformaCase = Static<typeof ProformaCase>

export const StressRow = object('ProformaStressRow', {
  resalePct: number('Change in resale value, percent'),
  costPct: number('Change in construction cost, percent'),
  extraMonths: number('Months of delay'),
  ...caseFields,
})
export type StressRow = Static<typeof StressRow>

const MaximumOffer = object('MaximumOffer', {
  targetRoiPct: number('The target return, percent'),
  price: optional.number('Price at which returnPct is the target; absent when no price above zero reaches it'),
  priceAfterCarry: optional.number('The same as price'),
})

export const ProformaOverrides = object('ProformaOverrides', 'The assumptions the caller replaced', {
  price: optional.number('Purchase price, dollars'),
  costPerSqft: optional.number('Construction, dollars per square foot'),
  buildSqft: optional.number('Size of the new house, square feet'),
  arvPerSqft: optional.number('Resale value, dollars per square foot'),
  softCosts: optional.number('Design, permits and fees, dollars'),
  demoCost: optional.number('Demolition, dollars'),
  sellingCostPct: optional.number('Selling cost and transfer tax, percent of resale'),
  contingencyPct: optional.number('Contingency, percent of construction'),
  months: optional.number('Purchase to resale, months'),
  ratePct: optional.number('Loan interest, percent a year'),
  targetRoiPct: optional.number('Target return of the maximum offer, percent'),
})
export type ProformaOverrides = Static<typeof ProformaOverrides>

export const ProformaAnswer = object('ProformaAnswer', {
  id: text('Property identifier'),
  address: text('Street address'),
  city: text('City name'),
  proforma: Proforma,
  developerROI: optional.number(
    'Return after buying costs, contingency and financing, adjusted toward the market average, percent',
  ),
  proformaROI: optional.number('Equal to proforma.roiPct'),
  returnPct: optional.number(returnDescription),
  returnAtExpectedPct: optional.number(`${returnAtExpectedDescription}; at the price that was given, if one was`),
  returnAfterCarryPct: optional.number('returnPct, unrounded'),
  used: texts('Inputs used'),
  missing: texts('Inputs that are not known'),
  warnings: texts('What to check before relying on it'),
  because: optional.text('Why it cannot be modeled'),
  resaleBasis: optional.text('What the resale value per square foot is based on'),
  asOf: optional.date('Day that was assessed: nothing later was used'),
  defaultAssumptions: optional.list(DefaultAssumption, {
    description:
      'The assumptions in proforma.defaults with their values. Totals, returns and offers depend on all of them',
  }),
  lines: list(ProformaLine, { description: 'Line items; each group sums to its total' }),
  totalCost: optional.number('Capital, acquisition, contingency and financing, dollars'),
  profit: optional.number('resaleNet less totalCost, dollars'),
  returnOnEquityPct: optional.number('Profit over the money that is not borrowed, percent'),
  cases: optional(object('ProformaCases', { low: ProformaCase, base: ProformaCase, high: ProformaCase })),
  stress: list(StressRow, { description: 'Every combination of resale, cost and delay' }),
  residualLandValue: optional.number('Price at which the profit after all costs is zero, dollars; may be negative'),
  maximumOffer: optional(MaximumOffer),
  monthlyRent: optional(MonthlyRent),
  hold: optional(Hold),
  holdUnavailable: optional(EarningsUnavailable),
  envelope: Envelope,
  overrides: ProformaOverrides,
  source: optional(Provenance),
})
export type ProformaAnswer = Static<typeof ProformaAnswer>
