// The step that leaves out amounts that may not be in US dollars.
import { stateNames } from '../../domain/states.ts'
import { nameKey } from '../column-names.ts'
import { quoted, share } from './columns.ts'
import { areOutsideUs } from './coordinates.ts'
import type { Draft, Step } from './draft.ts'

export const leaveOutForeignAmounts: Step = (draft) => {
  const sign = signOfAbroad(draft)
  for (const { field } of sign ? [...draft.fields] : [])
    if (/Usd$|^valuation$/.test(field)) draft.leaveOut(field, `it may not be in US dollars: ${sign}`)
}

const signOfAbroad = (draft: Draft): string | undefined => {
  const found = draft.columns.find(({ name, values }) =>
    signsOfAbroad.some(
      ([names, form]) => names.test(nameKey(name)) && share(values, (text) => form.test(text.trim())) > 0.5,
    ),
  )
  if (found) return `${found.name} has ${quoted(found.values.slice(0, 3))}`
  return areOutsideUs(draft) ? 'the points are not in the United States' : undefined
}

/** Columns of homes that are not in the United States: what matches the name, and what matches most of the values. */
const signsOfAbroad: readonly (readonly [name: RegExp, value: RegExp])[] = [
  [/currency/, /^(?!us|\$)./i],
  [/metres/, /\d/],
  [/^prov(ince)?(name|code|abbr)?$/, new RegExp(`^(?!(${[...stateNames.keys()].join('|')})$).`, 'i')],
  [/^(state|st)$/, /^(nsw|vic|qld|tas|act|on|ontario|bc|ab|qc)$/i],
  // Redfin's short links end in .in.
  [
    /url|link|href/,
    /^https?:\/\/(?!redf\.in\/)[^/]*(\.(ca|uk|au|nz|za|ie|in|de|fr|es|it|nl|pt|pk|ae)\/|property24\.com\/)/i,
  ],
  [/addr|location|street|city/, /\b[abceghj-nprstvxy]\d[a-z] ?\d[a-z]\d\b/i],
  // Americans write "ZIP" or "postal code", and 2607 may be 02607.
  [/^postcode$/, /^\d{4}$/],
  [/post(al)?code|postal|zip/, /^([a-z]\d[a-z]( ?\d[a-z]\d)?|[a-z]{1,2}\d[a-z\d]? ?\d[a-z]{2})$/i],
]
