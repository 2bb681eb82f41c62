// Every lawful use of a lot with its money, as it is served.
import { type Static, Type } from 'typebox'
import { integer, list, literals, number, numbersByName, object, optional, text, texts } from '../../common/shape.ts'
import { confidences } from '../facts.ts'
import { Provenance } from '../provenance.ts'
import { Room, roomBases } from './best-use.ts'
import { DecisionCondition } from './decision.ts'
import { allowances, approvals, LawReference } from './laws.ts'
import { ProformaLine } from './proforma.ts'
import { schemeKinds, schemeVariants } from './scheme-kinds.ts'

const usd = (what: string) => number(`${what}, dollars`)
const range = {
  low: optional(usd('Low case of the price or the rent')),
  high: optional(usd('High case of the price or the rent')),
}

const SchemeUnit = object('SchemeUnit', {
  role: literals(['house', 'unit', 'home', 'lot'], { description: 'What it is' }),
  count: integer('How many of them'),
  sqft: optional.number('Size of one, square feet'),
  beds: optional.integer('Bedrooms of one'),
  use: literals(['sell', 'rent', 'keep'], { description: 'What is done with it' }),
  priceUsd: optional(usd('Price of one')),
  monthlyRent: optional(usd('Rent of one, a month')),
  ...range,
  basis: optional.text('What the price or the rent is based on'),
  comparables: optional.integer('Sales that the price is based on'),
})
export type SchemeUnit = Static<typeof SchemeUnit>

const UntestedRule = object('SchemeUntestedRule', {
  rule: text('What the law asks'),
  text: text('What is not known'),
  citation: optional.text('Where it is written'),
})

const BreakEven = object('SchemeBreakEven', 'Each alone; absent where the scheme loses at this price', {
  resalePct: number('Change of the resale price at which nothing is left, percent'),
  costPct: optional.number('Change of the construction cost at which nothing is left, percent'),
  extraMonths: integer('Whole months of delay after completion that still leave a profit'),
})

const CashFlowMonth = object('CashFlowMonth', 'One month; every column sums to its lines', {
  month: integer('0 is the purchase'),
  purchase: usd('Price and buying costs'),
  hard: usd('Building, demolition and contingency; 10% is kept back until a month after completion'),
  soft: usd('Design, permits, fees, maps and papers'),
  fees: usd('Points of the loan'),
  holding: usd('Property tax and insurance'),
  interest: usd('Interest'),
  proceeds: usd('Sale after selling costs'),
  loan: usd('Drawn from the loan; negative where it is repaid'),
  equity: usd('Paid in; negative where it is paid out'),
})
export type CashFlowMonth = Static<typeof CashFlowMonth>

export const Risk = object(
  'SchemeRisk',
  'With include=risk: resale, cost, months and rate drawn at random. Legal doubt is in conditions, not here',
  {
    lossPct: number('Share of draws that lose, percent'),
    belowTargetPct: number('Share of draws below targetReturnPct, percent'),
    returnPct: Type.Object(
      { p10: number('One in ten is lower'), p50: number('Median'), p90: number('One in ten is higher') },
      { description: 'Return in percent of total cost' },
    ),
    draws: integer('How often the project was drawn'),
    seed: integer('Decides the draws: every scheme of a property meets the same'),
  },
)
export type Risk = Static<typeof Risk>

const variantFields = {
  variant: optional.literals(schemeVariants, { description: 'Which form of it; absent where there is one' }),
  title: text('The scheme in words'),
  allowed: literals(allowances, {
    description:
      'likely: nothing bars it, and the rules in untestedRules could not be tested. conditional: depends on what a buyer cannot choose',
  }),
  approval: literals(approvals, {
    description: 'design_review: of the look, not of the use. discretionary: may be refused',
  }),
  conditions: list(DecisionCondition, { description: 'What is required or must be granted' }),
  untestedRules: list(UntestedRule, { description: 'Rules that decide it and could not be tested' }),
  because: texts('How count and sizes were chosen, or why there are no figures'),
  units: list(SchemeUnit),
  homes: optional.integer('Homes on the land afterward'),
  builtSqft: optional.number('Area that is built, square feet'),
  months: optional.number('Purchase to sale, months'),
  monthsBasis: optional.text('What the months are based on'),
  lines: list(ProformaLine, { description: 'Line items; each group sums to its total' }),
  totalCost: optional(usd('Capital, buying costs, contingency and financing')),
  proceedsNet: optional(usd('What the sale brings after selling costs')),
  profit: optional(usd('proceedsNet less totalCost')),
  returnPct: optional.number('Profit in percent of totalCost'),
  yieldPct: optional.number('Net operating income in percent of price and buying costs, of rent'),
  gainUsd: optional(usd('Where the house stays: what is added less its cost, for one who owns the lot')),
  targetReturnPct: optional.number('The return or yield that maximumOffer leaves, percent'),
  irrPct: optional.number('Yearly rate of the monthly equity flows; absent unless they change sign exactly once'),
  equityMultiple: optional.number('Equity paid out over equity paid in'),
  peakEquity: optional(usd('The most equity that is in the project at one time')),
  maximumOffer: optional(usd('The price at which it earns its target; 0 where no price does')),
  maximumOfferLow: optional(usd('The same in the low case')),
  room: optional(Room),
  breakEven: optional(BreakEven),
  confidence: literals(confidences, { description: 'Confidence of the weakest input' }),
  assumptions: numbersByName('The assumptions that the figures follow from'),
  cashFlow: optional.list(CashFlowMonth, { description: 'With include=cashFlow' }),
}

const SchemeVariant = object('SchemeVariant', variantFields)
export type SchemeVariant = Static<typeof SchemeVariant>

export const Scheme = object('Scheme', 'One use of the lot with its law, cost, time and money', {
  kind: literals(schemeKinds, { description: 'Kind of use' }),
  law: optional(LawReference),
  zoning: optional.text('Zoning district'),
  ...variantFields,
  risk: optional(Risk),
  variants: list(SchemeVariant, { description: 'Every form of it, best first; the scheme itself is the first' }),
  source: optional(Provenance),
})
export type Scheme = Static<typeof Scheme>

const SchemeName = object('SchemeName', {
  kind: literals(schemeKinds, { description: 'Kind of use' }),
  variant: optional.literals(schemeVariants, { description: 'Which form of it' }),
})

export const SchemesAnswer = object('SchemesAnswer', {
  id: text('Property identifier'),
  address: text('Street address'),
  city: text('City name'),
  priceUsd: optional(usd('The price that all schemes stand on; absent if none is known')),
  against: optional.literals([...roomBases, 'given'], {
    description: 'Which price it is: given is the parameter price',
  }),
  best: optional(SchemeName),
  bestIfApproved: optional(SchemeName),
  schemes: list(Scheme, { description: 'Best first' }),
  asOf: optional.date('Day that was assessed: nothing later was used'),
})
export type SchemesAnswer = Static<typeof SchemesAnswer>
