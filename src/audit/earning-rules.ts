// What a home earns when it is let, and an accessory unit: computed again from the served terms.
import type { AduEconomics } from '../domain/findings/rent.ts'
import type { DeepPartial } from './records.ts'
import { dollars, follows, near, percentOf, propertyRules, same, unlessAll } from './rule.ts'

const dollarRounding = 2
const percentRounding = 0.06

const loanPayments = (loan: number, ratePct: number): number => {
  const monthly = ratePct / 1200
  return monthly === 0 ? loan / 30 : (12 * loan * monthly) / (1 - (1 + monthly) ** -360)
}

const unitProblems = (economics: DeepPartial<AduEconomics> | undefined): readonly string[] => {
  if (!economics) return []
  const { unit, costUsd, costPerSqft, monthlyRent, noi, valueAdded, gainUsd, paybackYears, returnPct } = economics
  const t = (economics.terms ?? {}) as Readonly<Record<string, number>>
  const cost = costPerSqft! * (unit?.sqft ?? Number.NaN)
  const collected = 12 * (monthlyRent?.amount ?? Number.NaN) * (1 - t.vacancyPct! / 100)
  const charged = ((t.propertyTaxPct! * t.newBuildAssessedPct!) / 1e4 + t.landlordInsurancePct! / 100) * t.hardCost!
  const net = collected * (1 - t.operatingCostPct! / 100) - charged
  const byIncome = (100 * net) / t.aduNetCapRatePct!
  const byArea =
    t.cityPerSqft === undefined ? byIncome : (t.aduAreaSharePct! / 100) * t.cityPerSqft * (unit?.sqft ?? Number.NaN)
  const added =
    unit?.kind === 'junior'
      ? (t.juniorValuePct! / 100) * cost
      : Math.min(byIncome, byArea) - (unit?.kind === 'conversion' ? t.lostGarageUsd! : 0)
  if (!Number.isFinite(cost + added)) return ['a term of adu.economics is missing']
  const returned = (100 * (added - cost)) / cost
  return unlessAll({
    // The cost per square foot is rounded to a cent.
    ...follows('costUsd', costUsd, cost, dollarRounding + 0.005 * unit!.sqft!),
    ...follows('noi', noi, net, dollarRounding),
    'gainUsd is not valueAdded less costUsd': near(gainUsd, added - cost, 100 / t.aduNetCapRatePct!),
    // The income is rounded to a dollar first.
    ...follows('valueAdded', valueAdded, added, 100 / t.aduNetCapRatePct!),
    'paybackYears is not cost over noi': net <= 0 || near(paybackYears, cost / net, percentRounding),
    [`returnPct of the unit is ${percentOf(returnPct)}, its terms give ${percentOf(returned)}`]: near(
      returnPct,
      returned,
      percentRounding,
    ),
  })
}

export const earningRules = propertyRules({
  'holding: The figures of hold follow from price, rent and its terms.': ({ detail }) => {
    const { hold, price, monthlyRent, facts } = detail
    if (!hold) return []
    const t = (hold.terms ?? {}) as Readonly<Record<string, number>>
    const gross = 12 * (monthlyRent?.amount ?? Number.NaN)
    const costs =
      (t.propertyTaxPct! * price!) / 100 + (t.landlordInsurancePct! * t.costPerSqft! * (facts?.livingSqft ?? 0)) / 100
    const noi = gross * (1 - t.vacancyPct! / 100) * (1 - t.operatingCostPct! / 100) - costs
    const loan = (t.holdLoanPct! * price!) / 100
    const service = loanPayments(loan, t.holdRatePct!)
    const cash = price! - loan + (t.acquisitionPct! * price!) / 100
    if (!Number.isFinite(noi + service + cash)) return ['a term of hold is missing']
    return unlessAll({
      ...follows('noi', hold.noi, noi, dollarRounding),
      [`debtService is ${dollars(hold.debtService)}, the loan costs ${dollars(service)}`]: near(
        hold.debtService,
        service,
        dollarRounding,
      ),
      'capRatePct is not noi over price': near(hold.capRatePct, (100 * noi) / price!, percentRounding),
      'grossYieldPct is not rent over price': near(hold.grossYieldPct, (100 * gross) / price!, percentRounding),
      'dscr is not noi over debt service': near(hold.dscr, noi / service, 0.006),
      'cashOnCashPct does not follow from noi, debt service and cash': near(
        hold.cashOnCashPct,
        (100 * (noi - service)) / cash,
        percentRounding,
      ),
    })
  },
  'accessory-unit-economics: Cost and earnings of an accessory unit follow from their terms, the same in the list and the detail.':
    ({ detail, adu }) => [
      ...unitProblems(detail.adu?.economics),
      ...same('adu.economics', { detail: detail.adu?.economics, list: adu?.adu?.economics }),
    ],
})
