// A use in words: on pages, in mails and in the answers of agent tools.
import type { LawfulUse } from './laws.ts'

export const allowedWords: Readonly<Record<LawfulUse['allowed'], string>> = {
  yes: 'allowed',
  likely: 'likely allowed',
  conditional: 'allowed on a condition',
  unknown: 'not known',
  no: 'not allowed',
}

export const approvalWords: Readonly<Record<LawfulUse['approval'], string>> = {
  none: 'no approval needed',
  ministerial: 'without a hearing',
  design_review: 'review of the look, not of the use',
  discretionary: 'may be refused',
  unknown: 'path of approval not known',
}

/** The return of a new house that rows and mails show, and at which price: the expected one where it is known. */
export const newHouseReturn = (home: {
  returnPct?: number | undefined
  returnAtExpectedPct?: number | undefined
  status?: string | undefined
}): { pct: number; as: string } | undefined => {
  const pct = home.returnAtExpectedPct ?? home.returnPct
  const price = home.returnAtExpectedPct !== undefined ? 'expected' : home.status === 'sold' ? 'last asking' : 'asking'
  return pct === undefined ? undefined : { pct, as: `as a new house at the ${price} price` }
}

/** The profit of renovating and reselling that rows show, and at which price. */
export const flipProfit = (home: {
  flip?: { profitUsd: number } | undefined
  expectedPrice?: unknown
  status?: string | undefined
  valueEstimate?: { confidence?: string | undefined } | undefined
}): { usd: number; as: string } | undefined => {
  const price = home.expectedPrice ? 'expected' : home.status === 'sold' ? 'last asking' : 'asking'
  const thin = home.valueEstimate?.confidence === 'low' ? ', on thin evidence' : ''
  return home.flip && { usd: home.flip.profitUsd, as: `as a flip at the ${price} price${thin}` }
}

const count = (value: number, one: string): string => `${value} ${one}${value === 1 ? '' : 's'}`

/** "up to 5 homes on 5 lots, at least 3"; undefined where the law gives no number. */
export const homesWords = ({ homes, leastHomes = 0, lots }: LawfulUse): string | undefined => {
  if (homes === undefined) return undefined
  const on = lots === undefined ? '' : ` on ${count(lots, 'lot')}`
  return `up to ${count(homes, 'home')}${on}${leastHomes > 1 ? `, at least ${leastHomes}` : ''}`
}

const feet = (value: number | undefined, text: string): string[] =>
  value === undefined ? [] : [text.replace('#', value.toLocaleString('en-US'))]

export const sizeWords = ({ sizes = {} }: LawfulUse): string =>
  [
    ...feet(sizes.largestUnitSqft, 'the largest unit # sq ft'),
    ...feet(sizes.averageUnitSqft, 'on average at most # sq ft'),
    ...feet(sizes.floorAreaSqft, '# sq ft of floor area'),
    ...feet(sizes.heightFt, '# ft high'),
    ...feet(sizes.leastLotSqft, 'lots from # sq ft'),
  ].join(', ')
