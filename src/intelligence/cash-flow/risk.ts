// How a project could turn out: its schedule drawn many times with prices, costs and months that differ. Legal doubt is no part of it.
import type { Assumptions } from '../../domain/assumptions/assumptions.ts'
import type { Risk } from '../../domain/findings/schemes.ts'
import { oneDecimal, type Project, type ProjectCosts, projectPlan } from '../proforma/project.ts'
import { seededRandom } from '../valuation/seeded-random.ts'
import { schedule } from './schedule.ts'

const variables = ['valuation', 'market', 'cost', 'permit', 'build', 'sale', 'rate'] as const
type Variable = (typeof variables)[number]

/** Of all other pairs 0. */
const correlations: readonly (readonly [Variable, Variable, number])[] = [
  ['cost', 'build', 0.5],
  ['market', 'cost', 0.3],
  ['market', 'sale', -0.5],
  ['market', 'rate', -0.3],
]

/** Medians of what is usually exceeded (SCHEMES-2026 6). */
const usualOverrun = { cost: 1.04, permit: 1.08, build: 1.05 }

export interface RiskTerms {
  /** Standard deviation of the resale price and of the hard cost, percent. */
  resalePct: number
  costPct: number
  targetPct: number
  seed: number
  draws?: number
}

export const riskDraws = 5_000
/** About 2 ms of work. */
const drawsPerStep = 250

/** Pauses after each step, so that a caller can let others work. The seed alone decides the draws: all schemes of a lot meet the same. */
export function* riskOf(
  price: number,
  project: Project,
  costs: ProjectCosts &
    Pick<Assumptions, 'marketRiskPct' | 'permitRiskPct' | 'buildRiskPct' | 'saleRiskPct' | 'rateRiskPoints'>,
  { resalePct, costPct, targetPct, seed, draws = riskDraws }: RiskTerms,
): Generator<void, Risk> {
  const normal = normalsOf(seed)
  const returns = new Float64Array(draws)
  const { softCosts, fixedSoftCosts, phases } = project
  const resale = resalePct / 100
  for (let draw = 0; draw < draws; draw++) {
    const z = normal()
    const cost = usualOverrun.cost * Math.exp((costPct / 100) * z.cost)
    const months = {
      permit: phases.permit * usualOverrun.permit * Math.exp((costs.permitRiskPct / 100) * z.permit),
      build: phases.build * usualOverrun.build * Math.exp((costs.buildRiskPct / 100) * z.build),
      sale: phases.sale * Math.exp((costs.saleRiskPct / 100) * z.sale),
    }
    const market = (costs.marketRiskPct / 100) * Math.sqrt((months.permit + months.build + months.sale) / 12)
    const factor = Math.exp(resale * z.valuation - resale ** 2 / 2 + market * z.market - market ** 2 / 2)
    const drawn: Project = {
      ...project,
      hardCost: project.hardCost * cost,
      softCosts: fixedSoftCosts + (softCosts - fixedSoftCosts) * cost,
      // The overrun consumes it.
      contingency: 0,
      resaleGross: project.resaleGross * factor,
      phases: months,
      ratePct: Math.max(0, project.ratePct + costs.rateRiskPoints * z.rate),
    }
    // The lender knows the planned resale, not the one that is drawn.
    const plan = { ...projectPlan(price, drawn, costs), completedValue: project.resaleGross }
    const { profit, totalCost } = schedule(plan)
    returns[draw] = (100 * profit) / totalCost
    if (draw % drawsPerStep === drawsPerStep - 1) yield
  }
  returns.sort()
  const below = (limit: number) => oneDecimal((100 * returns.filter((each) => each < limit).length) / draws)
  const quantile = (share: number) => oneDecimal(returns[Math.floor(draws * share)]!)
  return {
    lossPct: below(0),
    belowTargetPct: below(targetPct),
    returnPct: { p10: quantile(0.1), p50: quantile(0.5), p90: quantile(0.9) },
    draws,
    seed,
  }
}

/** Correlated standard normals. */
const normalsOf = (seed: number): (() => Record<Variable, number>) => {
  const random = seededRandom(seed)
  // Box-Muller; 1 - random() is never 0.
  const standard = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  return () => {
    const normals = variables.map(standard)
    const z = {} as Record<Variable, number>
    for (const [at, name] of variables.entries())
      z[name] = root[at]!.reduce((sum, weight, k) => sum + weight * normals[k]!, 0)
    return z
  }
}

/** Lower triangular Cholesky factor of the correlations. */
const root = variables.map((): number[] => [])
for (const [i, name] of variables.entries()) {
  const row = root[i]!
  for (const [j, other] of variables.slice(0, i).entries()) {
    const wanted = correlations.find((pair) => pair.includes(name) && pair.includes(other))?.[2] ?? 0
    const explained = row.reduce((sum, weight, k) => sum + weight * root[j]![k]!, 0)
    row.push((wanted - explained) / root[j]![j]!)
  }
  row.push(Math.sqrt(1 - row.reduce((sum, weight) => sum + weight ** 2, 0)))
}
