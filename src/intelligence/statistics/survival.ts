// Kaplan–Meier: the share of cases that have ended by each day, where some are still open. An open case counts as at risk until the
// day it was last seen (Kaplan and Meier 1958).

/** The cases that ended, and those last seen open, after the same number of days. */
export interface LifeTableRow {
  days: number
  ended: number
  open: number
}

export type SurvivalCurve = ReturnType<typeof kaplanMeier>

/** Sums of products of fractions differ from the exact share in the last digits. */
const tolerance = 1e-9

export const kaplanMeier = (table: readonly LifeTableRow[]) => {
  const rows = [...table].sort((a, b) => a.days - b.days)
  const cases = rows.reduce((sum, { ended, open }) => sum + ended + open, 0)
  const steps: { days: number; open: number }[] = []
  let atRisk = cases
  let share = 1
  for (let at = 0; at < rows.length; ) {
    const { days } = rows[at]!
    let ended = 0
    let left = 0
    for (; at < rows.length && rows[at]!.days === days; at += 1) {
      ended += rows[at]!.ended
      left += rows[at]!.ended + rows[at]!.open
    }
    if (ended > 0) {
      share *= 1 - ended / atRisk
      steps.push({ days, open: share })
    }
    atRisk -= left
  }
  const longest = rows.at(-1)?.days ?? -1
  return {
    cases,
    /** The first day on which the share that has ended reaches `p`; undefined if it never does. */
    quantile: (p: number) => steps.find(({ open }) => open <= 1 - p + tolerance)?.days,
    /** The share that has not ended after this many days; undefined if no case was observed that long and some are open. */
    openAfter: (days: number) =>
      longest < days && share > 0 ? undefined : (steps.findLast((step) => step.days <= days)?.open ?? 1),
  }
}
