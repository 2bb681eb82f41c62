// What an empty or short list also offers: the homes that miss one filter by the least, which may be much, and the price at which
// they would work.

import { keysOf } from '../../common/typed.ts'
import { differenceText, missedShare } from '../../criteria/amount.ts'
import { type Criterion, criteria } from '../../criteria/table.ts'
import type { Criteria } from '../../criteria/vocabulary.ts'
import type { Context } from '../../operations/context.ts'
import { runProforma } from '../../wire/operations/properties.ts'
import { type NearMiss, searchAll } from '../../wire/operations/search.ts'
import { percent, usdShort } from '../formats.ts'
import { type Html, html } from '../html.ts'
import { pathWithQuery } from '../query.ts'
import { runOperation } from '../run-operation.ts'
import { type Explore, ownIn } from './explore-filter.ts'
import { numbersParam } from './numbers-line.ts'
import { isAccepted } from './scenario.ts'
import { conditionWords } from './search-list.ts'

interface FoundMiss extends NearMiss {
  /** Another condition that it fails. */
  also?: string
  /** The most to pay for the return that the filter asks for. */
  offer?: { price?: number; targetRoiPct: number }
}

export const findNearMisses = async (context: Context, explore: Explore): Promise<FoundMiss[]> => {
  const { searched } = explore
  const missesOf = async (criteria: Criteria): Promise<readonly NearMiss[]> =>
    (
      await runOperation(searchAll, context, {
        ...{ kind: 'listings' as const, criteria, explain: ['nearMisses' as const], limit: 1 },
        ...ownIn(explore),
      })
    ).nearMisses ?? []
  const misses: FoundMiss[] = [...(await missesOf(searched))]
  // No home misses only one filter: those that miss another one besides.
  if (misses.length === 0)
    for (const name of boundsIn(searched).slice(0, mostDropped)) {
      const { [name]: value, ...others } = searched
      for (const miss of await missesOf(others)) {
        const known = misses.findIndex(({ item }) => item.id === miss.item.id)
        if (known < 0) misses.push({ ...miss, also: `${name}=${value}` })
      }
    }
  const nearMisses = misses.slice(0, 3)
  const targetRoiPct = searched.minReturnPct
  return Promise.all(
    nearMisses.map(async (miss): Promise<FoundMiss> => {
      const { id } = miss.item
      if (targetRoiPct === undefined || id === undefined || !isAccepted('targetRoiPct', targetRoiPct)) return miss
      const { data } = await runOperation(runProforma, context, { id, ...ownIn(explore, { targetRoiPct }) })
      return { ...miss, offer: data.maximumOffer }
    }),
  )
}

/** Each is one more search, of an empty list only. */
const mostDropped = 3

const boundsIn = (searched: Criteria): (keyof Criteria)[] => {
  const rows: Readonly<Record<string, Criterion>> = criteria
  return keysOf(searched).filter((name) => searched[name] !== undefined && rows[name]?.bound !== undefined)
}

export const nearMissList = (
  misses: readonly FoundMiss[],
  { assumptions, numbers }: Pick<Explore, 'assumptions' | 'numbers'>,
): Html =>
  misses.length === 0
    ? html``
    : html`<section class="near-misses"><h2>Closest homes that miss ${misses.some(({ also }) => also) ? 'two filters' : 'one filter'}</h2><ul>${misses.map(
        ({ item, condition, value, by, offer, also }) =>
          html`<li><a href="${pathWithQuery(`/properties/${encodeURIComponent(item.id ?? '')}`, { ...assumptions, ...numbersParam(numbers) })}"><b>${item.address}</b>, ${item.city}</a>${item.price === undefined ? '' : ` · ${usdShort(item.price)}`}${'returnPct' in item && item.returnPct !== undefined ? ` · return ${percent(item.returnPct)}` : ''}<br>
Misses “${conditionWords(condition)}” by ${byText(condition, value, by)}${also ? ` and “${conditionWords(also)}”` : ''}.${offer ? (offer.price === undefined ? ` No price above zero returns ${offer.targetRoiPct}%.` : ` It would return ${offer.targetRoiPct}% at ${usdShort(offer.price)}.`) : ''}</li>`,
      )}</ul></section>`

const byText = (condition: string, value: NearMiss['value'], by: number): string => {
  const rows: Readonly<Record<string, Criterion>> = criteria
  const [name, bound] = condition.split('=')
  const unit = typeof value === 'string' ? 'days' : (rows[name!]?.unit ?? 'none')
  const text = differenceText(unit, unit === 'dollars' ? by : Math.round(by * 10) / 10)
  if (unit !== 'dollars' && unit !== 'square feet') return text
  const share = missedShare(unit, by, Number(bound))
  return `${text} (${percent(100 * share, share < 0.1 ? 1 : 0)})`
}
