// Removes text from outside the history window from explanations: sentences about older permits and sales, and the remarks of a hidden listing.
import type { StoredExplanation } from '../wire/explanation.ts'

const withheld = 'Based on records before this key’s history window.'

/** Scores use all data; the sentences that quote a record by its year or amount, or sum records, are replaced. */
export const withoutOldRecords = (explanation: StoredExplanation): StoredExplanation =>
  replaced(explanation, (text) => (quotesRecord(text) ? withheld : text))

/** Of a hidden listing, every sentence and phrase about condition and character quotes its remarks. */
export const withoutRemarks = ({ condition, historicCharm, ...rest }: StoredExplanation): StoredExplanation => ({
  ...rest,
  ...(condition ? { condition: { ...replaced(condition, bare), landPhrases: [], setAside: [] } } : {}),
  ...(historicCharm ? { historicCharm: replaced(historicCharm, bare) } : {}),
})

const bare = (text: string, key: string) => (key === 'because' ? withheld : text)

/** A lead's “A permit for a remodel was issued in recent years” names no year and no amount. */
const quotesRecord = (text: string): boolean =>
  (/permit/i.test(text) && /\b(19|20)\d{2}\b|\$|last ten years/.test(text)) || /at its last sale/.test(text)

const replaced = <T>(value: T, replace: (text: string, key: string) => string, key = ''): T => {
  if (typeof value === 'string') return replace(value, key) as T
  if (Array.isArray(value)) return value.map((each: unknown) => replaced(each, replace, key)) as T
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, replaced(each as unknown, replace, name)]),
  ) as T
}
