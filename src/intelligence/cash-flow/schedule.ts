// The money of a project month by month, in whole dollars: what is paid when, what the loan pays, and the interest on it. Pro formas,
// flips and their offers use this schedule, so that sums over its months equal their lines to the dollar.
import type { CashFlowMonth } from '../../domain/findings/schemes.ts'

export interface Phases {
  /** Months from the purchase to the permit, of building, and from completion to the sale; fractions are allowed. */
  permit: number
  build: number
  sale: number
}

/** Amounts are whole dollars; rates are percent. */
export interface ProjectPlan {
  /** Price and buying costs. */
  purchase: number
  /** Building with demolition and contingency. */
  hard: number
  /** Design, permits, fees, maps and papers. */
  soft: number
  /** Property tax and insurance of a year; not rounded. */
  taxPerYear: number
  insurancePerYear: number
  phases: Phases
  /** What the sale brings after selling costs. */
  proceeds: number
  /** The price of the sale: no loan is larger than a share of it. */
  completedValue: number
  loanToCostPct: number
  ratePct: number
  pointsPct: number
}

/** Lenders finance no more than this share of what the finished project sells for (SCHEMES-2026 5: 65-70%). */
const loanToValue = 0.7
/** Kept back from the builder until a month after completion. */
const retention = 0.1
/** The share of soft costs that is paid before the permit; the rest while building. */
const softBeforePermit = 0.6

/** The months in which permit, completion and sale fall, rounded half up from the purchase, so that the whole is off by half a month at most. */
export const wholeMonths = ({ permit, build, sale }: Phases): { permit: number; completion: number; last: number } => {
  // Sums such as 8.05 + 10.45 are a little below the half that they mean.
  const halfUp = (months: number) => Math.floor(months + 0.5 + 1e-9)
  const permitted = halfUp(permit)
  const completion = Math.max(halfUp(permit + build), build > 0 ? permitted + 1 : permitted)
  return { permit: permitted, completion, last: Math.max(halfUp(permit + build + sale), completion + 1) }
}

/** The share of the building cost that is spent after this share of the building time. */
const drawn = (share: number): number => 3 * share ** 2 - 2 * share ** 3

/** `drawn` by month, for each length of building: powers took a third of the time of a schedule. */
const drawnByLength: number[][] = []
const drawnOver = (building: number): readonly number[] => {
  const shares = drawnByLength[building] ?? Array.from({ length: building + 1 }, (_, at) => drawn(at / building))
  drawnByLength[building] = shares
  return shares
}

/**
 * Every use of money passes one order of payment: equity up to its share of the planned cost, then the loan up to its limit, then
 * equity again. `onMonth` gets each month; without it only sums are made, which is all that a list needs.
 */
export const schedule = (plan: ProjectPlan, onMonth?: (month: CashFlowMonth) => void) => {
  const { purchase, hard, soft, proceeds } = plan
  const { permit, completion, last } = wholeMonths(plan.phases)
  const building = completion - permit
  const planned = purchase + hard + soft
  const limit = Math.max(
    0,
    Math.round(Math.min((plan.loanToCostPct / 100) * planned, loanToValue * plan.completedValue)),
  )
  const points = Math.round((plan.pointsPct / 100) * limit)
  const tax = Math.round((plan.taxPerYear * last) / 12)
  const insurance = Math.round((plan.insurancePerYear * last) / 12)
  const early = permit === 0 ? 0 : building === 0 ? 1 : softBeforePermit
  const shares = drawnOver(building)
  const unretained = (1 - retention) * hard

  // What has been paid by the end of a month; a month pays the difference, so that rounding never adds up.
  const hardBy = (month: number): number => {
    if (building === 0) return month >= permit ? hard : 0
    if (month <= permit) return 0
    return month > completion ? hard : Math.round(unretained * shares[month - permit]!)
  }
  const softBy = (month: number): number => {
    if (month >= completion) return soft
    return Math.round(
      soft *
        (month < permit
          ? (early * month) / permit
          : early + (building === 0 ? 0 : ((1 - early) * (month - permit)) / building)),
    )
  }
  const holdingBy = (month: number): number => Math.round(((tax + insurance) * month) / last)

  let balance = 0
  let invested = 0
  let balances = 0
  let interest = 0
  // Numbers and no objects: a list makes some hundred schedules for each home.
  let hardBefore = 0
  let softBefore = 0
  let holdingBefore = 0
  for (let month = 0; month <= last; month++) {
    balances += balance
    const hardNow = hardBy(month)
    const softNow = softBy(month)
    const holdingNow = holdingBy(month)
    const owed = Math.round((balances * plan.ratePct) / 1200)
    const bought = month === 0 ? purchase : 0
    const fees = month === 0 ? points : 0
    const built = hardNow - hardBefore
    const designed = softNow - softBefore
    const carried = holdingNow - holdingBefore
    const charged = owed - interest
    interest = owed
    hardBefore = hardNow
    softBefore = softNow
    holdingBefore = holdingNow
    const use = bought + built + designed + fees + carried + charged
    const ownMoney = Math.min(use, Math.max(0, planned - limit - invested))
    const draw = Math.min(use - ownMoney, limit - balance)
    invested += use - draw
    balance += draw
    if (!onMonth) continue
    const isLast = month === last
    onMonth({
      ...{ month, purchase: bought, hard: built, soft: designed, fees, holding: carried, interest: charged },
      proceeds: isLast ? proceeds : 0,
      loan: isLast ? draw - balance : draw,
      equity: use - draw + (isLast ? balance - proceeds : 0),
    })
  }
  const totalCost = planned + points + tax + insurance + interest
  return {
    /** Whole months from the purchase to the sale. */
    months: last,
    /** The most that the loan pays. */
    loan: limit,
    points,
    tax,
    insurance,
    interest,
    /** Loan balance at the start of a month, averaged over the months. interest = averageBalance × ratePct / 100 × months / 12 */
    averageBalance: Math.round(balances / last),
    totalCost,
    profit: proceeds - totalCost,
  }
}

/** The schedule with its months and what they say about the equity. */
export const cashFlowOf = (plan: ProjectPlan) => {
  const cashFlow: CashFlowMonth[] = []
  const sums = schedule(plan, (month) => cashFlow.push(month))
  let invested = 0
  let peakEquity = 0
  let paidIn = 0
  for (const { equity } of cashFlow) {
    invested += equity
    peakEquity = Math.max(peakEquity, invested)
    paidIn += Math.max(0, equity)
  }
  return {
    ...sums,
    cashFlow,
    /** The most equity that is in the project at one time. */
    peakEquity,
    /** Equity paid out over equity paid in; undefined if none is paid in. */
    equityMultiple: paidIn > 0 ? (paidIn + sums.profit) / paidIn : undefined,
    irrPct: irrPct(cashFlow.map(({ equity }) => -equity)),
  }
}

/** Yearly rate in percent. Undefined unless the flows change sign exactly once: other flows have no rate, or several. */
export const irrPct = (flows: readonly number[]): number | undefined => {
  const signs = flows.filter((flow) => flow !== 0).map(Math.sign)
  if (signs.filter((sign, at) => at > 0 && sign !== signs[at - 1]).length !== 1) return undefined
  // As a polynomial of the monthly factor, so that no factor near zero divides.
  const valueAt = (factor: number) => flows.reduce((sum, flow) => sum * factor + flow, 0)
  const isGain = (factor: number) => valueAt(factor) * signs[0]! < 0
  let [low, high] = [1e-6, 1001]
  // Money paid out last outweighs at a small factor, money paid in first at a large one.
  for (let step = 0; step < 100; step++) {
    const middle = (low + high) / 2
    if (isGain(middle)) low = middle
    else high = middle
  }
  return 100 * (low ** 12 - 1)
}

/** Secants end after about five schedules; a cost with bends could mislead them longer. */
const mostSecants = 12

/**
 * The highest whole-dollar price that leaves the target, percent of total cost; negative where only a gift of the lot would, or
 * `least` where nothing above it does. `planAt` makes the plan at a price. Total cost rises with the price, nearly along a line: a
 * line through the last two prices ends within a dollar, and halving what is left makes the answer exact.
 */
export const priceAtTarget = (
  planAt: (price: number) => ProjectPlan,
  targetPct: number,
  least = Number.NEGATIVE_INFINITY,
): number => {
  const leftAt = (price: number): number => {
    const plan = planAt(price)
    return plan.proceeds - schedule(plan).totalCost * (1 + targetPct / 100)
  }
  // Something is left at `low` and nothing at `high`.
  let low = 0
  let high = 0
  let [last, lastLeft] = [0, leftAt(0)]
  let [before, beforeLeft] = [last, lastLeft]
  const step = (price: number) => {
    ;[before, beforeLeft, last, lastLeft] = [last, lastLeft, price, leftAt(price)]
    if (lastLeft >= 0) low = price
    else high = price
  }
  if (lastLeft >= 0) step(Math.ceil(planAt(0).proceeds / (1 + targetPct / 100)) + 1)
  else if (least >= 0) return least
  else {
    low = Math.floor(lastLeft)
    // The costs of a purchase are a share of its price, so a negative price saves less than it seems to.
    for (step(low); lastLeft < 0 && low > -1e12; step(low)) low *= 2
  }
  for (let steps = 0; high - low > 1; steps++) {
    const along = last + (lastLeft * (before - last)) / (lastLeft - beforeLeft)
    const guess = Math.floor(steps < mostSecants && Number.isFinite(along) ? along : (low + high) / 2)
    step(Math.min(high - 1, Math.max(low + 1, guess)))
  }
  return low
}
