// What an empty or short list also offers: the homes that miss one filter by the least, which may be much, and the price at which
// they would work.
import { differenceText, missedShare } from '../../criteria/amount.ts'
import { type Criterion, criteria } from '../../criteria/table.ts'
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
  /** The most to pay for the return that the filter asks for. */
  offer?: { price?: number; targetRoiPct: number }
}

export const findNearMisses = async (context: Context, explore: Explore): Promise<FoundMiss[]> => {
  const { searched } = explore
  const { nearMisses = [] } = await runOperation(searchAll, context, {
    kind: 'listings',
    criteria: searched,
    explain: ['nearMisses'],
    limit: 1,
    ...ownIn(explore),
  })
  const targetRoiPct = searched.minReturnPct
  return Promise.all(
    nearMisses.map(async (miss): Promise<FoundMiss> => {
      const { id } = miss.item
      if (targetRoiPct === undefined || id === undefined || !isAccepted('targetRoiPct', targetRoiPct)) return miss
      const { data } = await runOperation(runProforma, context, {
        id,
        ...ownIn(explore, { targetRoiPct }),
      })
      return { ...miss, offer: data.maximumOffer }
    }),
  )
}

export const nearMissList = (
  misses: readonly FoundMiss[],
  { assumptions, numbers }: Pick<Explore, 'assumptions' | 'numbers'>,
): Html =>
  misses.length === 0
    ? html``
    : html`<section class="near-misses"><h2>Closest homes that miss one filter</h2><ul>${misses.map(
        ({ item, condition, value, by, offer }) =>
          html`<li><a href="${pathWithQuery(`/properties/${encodeURIComponent(item.id ?? '')}`, { ...assumptions, ...numbersParam(numbers) })}"><b>${item.address}</b>, ${item.city}</a>${item.price === undefined ? '' : ` · ${usdShort(item.price)}`}${'returnPct' in item && item.returnPct !== undefined ? ` · return ${percent(item.returnPct)}` : ''}<br>
Misses “${conditionWords(condition)}” by ${byText(condition, value, by)}.${offer ? (offer.price === undefined ? ` No price above zero returns ${offer.targetRoiPct}%.` : ` It would return ${offer.targetRoiPct}% at ${usdShort(offer.price)}.`) : ''}</li>`,
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
