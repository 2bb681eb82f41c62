// Rents, and what a home or an accessory unit earns when it is let.
import type { Static } from 'typebox'
import {
  date,
  integer,
  list,
  literals,
  number,
  numbersByName,
  object,
  optional,
  text,
  texts,
} from '../../common/shape.ts'

/** What the amount of a rent is: one rent, the median of a place, or the fair market rent of the federal housing department. */
export const rentStatistics = ['rent', 'median', 'fair_market'] as const
export type RentStatistic = (typeof rentStatistics)[number]

/** A row of the data set `rents`: of a ZIP code, or of a county. */
export interface Rent {
  zip?: string
  county?: string
  bedrooms: number
  amountUsd: number
  asOf: string
  statistic: RentStatistic
  sourceTitle: string
  sample: boolean
}

export const MonthlyRent = object('MonthlyRent', {
  amount: number('Dollars a month'),
  low: optional.number('Nine of ten rents are above it; present with 10 or more rents of that place and size'),
  high: optional.number('Nine of ten rents are below it; present with 10 or more rents of that place and size'),
  basis: text('What the amount is, of which place and size'),
  asOf: date('Day of the newest rent'),
  source: text('Name of the source'),
  sample: optional.flag('True for generated sample data'),
})
export type MonthlyRent = Static<typeof MonthlyRent>

const unavailableReasons = ['NO_RENTS', 'BEDROOMS_UNKNOWN', 'SEVERAL_UNITS', 'SIZE_UNKNOWN', 'NO_UNIT'] as const

export const EarningsUnavailable = object(
  'EarningsUnavailable',
  'Present instead of figures that the data does not support',
  {
    reason: literals(unavailableReasons, { description: 'Why there is no figure' }),
    text: text('The same as a sentence'),
  },
)
export type EarningsUnavailable = Static<typeof EarningsUnavailable>

const terms = numbersByName('The assumptions and amounts that the figures are computed from')
const defaults = texts('Assumptions for which the market pack has no value, so that the default was used')

const HoldShares = object('HoldShares', 'What each share is of and covers', {
  vacancyPct: text('Vacancy'),
  operatingCostPct: text('Operating costs'),
  propertyTaxPct: text('Property tax'),
  landlordInsurancePct: text('Insurance'),
})

export const Hold = object('Hold', 'What the home earns when it is bought at its price and let', {
  noi: number(
    'Net operating income, dollars a year: 12 × rent × (1 − vacancyPct / 100) × (1 − operatingCostPct / 100) − propertyTaxPct × price / 100 − landlordInsurancePct × rebuildCost / 100',
  ),
  capRatePct: number('noi in percent of the price'),
  grossYieldPct: number('Rent of a year in percent of the price'),
  dscr: optional.number('noi divided by the debt service; absent without a loan'),
  cashOnCashPct: optional.number('noi less debt service, in percent of the cash paid; absent if none is'),
  debtService: number('Dollars a year, over 30 years'),
  covers: optional(HoldShares),
  terms,
  defaults,
})
export type Hold = Static<typeof Hold>

/** A conversion is of the garage; a junior unit is inside the house. */
export const aduKinds = ['detached', 'conversion', 'junior'] as const

const AduEconomicsUnit = object('AduEconomicsUnit', {
  kind: literals(aduKinds, { description: 'Kind of accessory unit' }),
  sqft: number('Square feet'),
  bedrooms: integer('Bedrooms; 0 is a studio'),
})

export const AduEconomics = object('AduEconomics', 'Cost and earnings of one accessory unit', {
  unit: AduEconomicsUnit,
  costUsd: number('Cost to build it with design, permits and contingency, dollars'),
  costPerSqft: number('costUsd per square foot'),
  monthlyRent: MonthlyRent,
  monthlyPayment: optional.number('Of a 30-year loan of the whole cost at holdRatePct, dollars a month'),
  noi: optional.number(
    'Net operating income, dollars a year: 12 × rent × (1 − vacancyPct / 100) × (1 − operatingCostPct / 100), less property tax on newBuildAssessedPct of the building cost and insurance on it',
  ),
  valueAdded: number(
    'What it adds to the price, dollars: the smaller of noi / aduNetCapRatePct and aduAreaSharePct of the city’s price per square foot, less a garage that is lost. A junior unit adds juniorValuePct of its cost',
  ),
  gainUsd: number('valueAdded less costUsd, dollars'),
  yieldPct: optional.number('noi in percent of the cost'),
  paybackYears: optional.number('Cost divided by noi'),
  returnPct: number(
    'gainUsd in percent of the cost. Cost and rent are averages of the city and the ZIP code; slope, access and sewer are not in it',
  ),
  terms,
  defaults,
})
export type AduEconomics = Static<typeof AduEconomics>

export const AduBestSet = object(
  'AduBestSet',
  'The units that together add most beyond their cost: at most one of each kind, and as many as the law allows',
  {
    units: list(AduEconomicsUnit),
    costUsd: number('Cost of all, dollars'),
    valueAdded: number('What they add to the price, dollars'),
    gainUsd: number('valueAdded less costUsd, dollars'),
  },
)
export type AduBestSet = Static<typeof AduBestSet>

export const AduEarnings = object('AduEarnings', 'What an accessory unit on the lot would cost and earn', {
  verdict: optional.text('Whether the best unit earns or loses money, and which it is'),
  economics: optional(AduEconomics),
  units: optional.list(object('AduUnitEconomics', { unit: AduEconomicsUnit, economics: AduEconomics }), {
    description:
      'Every unit that fits, largest gainUsd first: conversion, junior unit, and detached units in the usual sizes (400, 600, 800, 1,000, 1,200 sq ft) up to the largest allowed. economics is that of the first',
  }),
  bestSet: optional(AduBestSet),
  unavailable: optional(EarningsUnavailable),
})
export type AduEarnings = Static<typeof AduEarnings>
