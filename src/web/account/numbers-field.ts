// Which numbers a watch or an export uses: the field of its form, and what is chosen in it at first.

import { isRecord, parsedJson } from '../../common/typed.ts'
import { myNumbers } from '../../operations/account/my-numbers.ts'
import type { AccountKey } from '../../operations/account/signed-in.ts'
import { listAssumptionSets } from '../../wire/operations/assumptions.ts'
import { type Html, html } from '../html.ts'
import { marketOnly } from '../pages/numbers-line.ts'
import { changedText, isChanged, readOwn } from '../pages/scenario.ts'
import { pathWithQuery, textIn } from '../query.ts'
import { runOperation } from '../run-operation.ts'
import type { Visit } from './account-page.ts'

/** The set that the list was shown with, if it belongs to the key and fits the market of the search. */
export const chosenSet = async (
  { query, context, user }: Visit,
  key: AccountKey,
  kind: string,
): Promise<{ assumptionSet?: string }> => {
  if (kind === 'permits' || textIn(query, 'numbers') === marketOnly) return {}
  const used = (await myNumbers(context, user)).sets.find(({ inUse }) => inUse)
  const criteria = parsedJson(textIn(query, 'criteria', 20_000) ?? '')
  const market = isRecord(criteria) ? criteria.market : undefined
  return used && used.keyId === key.id && (used.market === null || used.market === market)
    ? { assumptionSet: used.id }
    : {}
}

export const numbersField = async (visit: Visit, key: AccountKey, chosen: string | undefined): Promise<Html | ''> => {
  const { data: sets } = await runOperation(listAssumptionSets, visit.as(key), {})
  return sets.length === 0
    ? ''
    : html`<label>Returns with<select name="assumptionSet"><option value="">Market numbers</option>${sets.map(({ id, name }) => html`<option value="${id}"${id === chosen ? html` selected` : ''}>${name}</option>`)}</select></label>`
}

/** A list with numbers in its URL: they have to be a set before something that acts later can use them. */
export const keepNote = ({ query }: Visit): Html | '' => {
  const parsed = parsedJson(textIn(query, 'own', 4_000) ?? '')
  const values = isRecord(parsed)
    ? readOwn(Object.fromEntries(Object.entries(parsed).map(([name, value]) => [name, String(value)])), [])
    : {}
  return isChanged(values)
    ? html`<p class="caution">The list used ${changedText(values)}. To use these numbers here, <a href="${pathWithQuery('/account/assumption-sets', { new: 1, ...values })}">keep them as my numbers</a> first.</p>`
    : ''
}
