// The step that splits an address with its city: "1601 Willowdale Dr, Apt 2, San Jose CA 95118".
import type { FieldRule } from '../../domain/packs/source-config.ts'
import { anyState, share } from './columns.ts'
import type { Step } from './draft.ts'
import { withTown } from './field-evidence.ts'

export const splitAddress: Step = (draft) => {
  const [address, column] = [draft.find('address'), draft.columnFor('address')]
  if (!address || !column || typeof address.rule !== 'string') return
  const field = column.name
  const texts = column.values.map(String)
  const split = (rule: FieldRule, cityPart?: object) => {
    address.rule = rule
    if (!cityPart || draft.has('city')) return
    const ruleOfCity = { field, ...cityPart, case: 'title' } as const
    draft.fields.push({ field: 'city', rule: ruleOfCity, examples: address.examples, confidence: 'medium' })
  }
  if (!draft.has('city') && endInTowns(texts.map((text) => text.trim())))
    return split({ field, before: ',' }, { split: { by: ',', part: -1 } })
  const cities = draft.columnFor('city')?.values.map(String) ?? []
  const ends = [
    townsAtEnd(cities, 1),
    ...townsOf(texts),
    texts.some((text) => text.includes(',')) ? undefined : '\\s+\\d{5}(?:-\\d{4})?\\s*$',
  ]
  const end = ends.find((each) => each !== undefined && areEndingIn(texts, new RegExp(each, 'i')))
  // An address with a town that is too rare for the pattern stays empty.
  const without = (end: string) =>
    share(texts, (text) => withTown.test(text.replace(new RegExp(end, 'i'), ''))) <= 0.05
      ? { field, strip: end }
      : [
          { field, pattern: `^(.*?)${end}` },
          { field, pattern: noTown },
        ]
  if (end) return split(without(end), /\((?!\?)/.test(end) ? { pattern: end } : undefined)
  if (areEndingIn(texts, new RegExp(street)))
    return split(
      [
        { field, pattern: street },
        { field, before: ',' },
      ],
      { pattern: `,\\s*([^,\\d]+?)${stateAndZip}` },
    )
  // The town follows in some of the rows, and no other town in the rest.
  const [long = [], short = []] = [true, false].map((is) =>
    texts.filter((text) => beforeState(1, ',?').test(text) === is),
  )
  const town =
    long.length > 2 && !(share(short, /,\s*[a-z][a-z .]{3,}$/i) > 0.05)
      ? townsOf(long, ',?').find((each) => each && areEndingIn(long, new RegExp(each, 'i')))
      : undefined
  if (town) split({ field, strip: `(?=.*\\s\\d{5}\\S*\\s*$)${town}` })
}

/** An address that does not end with a state, with or without a ZIP code. */
const noTown = `^(?!.*[\\s,]${anyState}(?:,?\\s+\\d{5}(?:-\\d{4})?)?\\s*$).+$`

const areEndingIn = (texts: readonly string[], pattern: RegExp): boolean => share(texts, pattern) >= 0.8

/** "12 Elm St, Goodlettsville": few different words follow the only comma, and they are neither units nor states. */
const endInTowns = (texts: readonly string[]): boolean => {
  const tails = new Set(texts.map((text) => /^[^,]*,\s*([^,\d\s][^,\d]{2,})$/.exec(text)?.[1]?.toLowerCase()))
  return (
    tails.size <= Math.max(3, 0.05 * texts.length) &&
    ![...tails].some((tail) => /^(apt|unit|ste|suite|#)/.test(tail ?? '')) &&
    areEndingIn(texts, /^[^,]*,\s*[^,\d\s][^,\d]{2,}$/) &&
    !areEndingIn(texts, new RegExp(`\\s${anyState}$`))
  )
}

/** "10401 W Calle de Edens Phoenix 85037": a pattern for the words after the street, or one for up to three words before the state. */
const townsOf = (texts: readonly string[], comma = ''): (string | undefined)[] => {
  const towns = (pattern: RegExp, least: number) =>
    townsAtEnd(
      texts.flatMap((text) => pattern.exec(text)?.[1] ?? []),
      least,
    )
  return [
    towns(afterStreet, Math.max(3, 0.002 * texts.length)),
    ...[3, 2, 1].map((words) => towns(beforeState(words, comma), 0.8 * texts.length)),
  ]
}
/** A pattern for the most frequent towns at the end of an address, each found `least` times or more. */
const townsAtEnd = (found: readonly string[], least: number): string | undefined => {
  const counts = Map.groupBy(found.map((town) => town.trim()).filter(Boolean), (town) => town.toUpperCase())
  const names = [...counts].filter(([, all]) => all.length >= least).sort((a, b) => b[1].length - a[1].length)
  const words = names.slice(0, 60).map(([town]) => town.replace(/[^\w\s]/g, '.'))
  return words.length === 0
    ? undefined
    : `,?\\s+(${words.join('|')})(?:,?\\s+[A-Za-z]{2})?(?:\\s+\\d{5}(?:-\\d{4})?)?\\s*$`
}

/** The words after the last word for a street, up to state and ZIP code, that are neither a direction nor a unit. */
const afterStreet = new RegExp(
  '^\\d.*\\s(?:ave|avenue|st|street|rd|road|dr|drive|ln|lane|ct|court|pl|place|blvd|way|cir|ter|hwy|pkwy)\\.?(?:\\s+[nsew]{1,2})?\\s+' +
    '(?!(?:north|south|east|west)*\\s*$|(?:apt|unit|ste|suite|bldg|lot|rear|floor|fl)\\b)' +
    '([a-z][a-z .]{2,}?)(?:,?\\s+[a-z]{2})?(?:\\s+\\d{5}(?:-\\d{4})?)?\\s*$',
  'i',
)
/** The last words before the state and ZIP code. */
const beforeState = (words: number, comma = '') =>
  new RegExp(`\\d.*\\s((?:[a-z]+\\s+){${words - 1}}[a-z]+)${comma}\\s+${anyState}\\s+\\d{5}\\S*\\s*$`, 'i')
const stateAndZip = '\\s*,?\\s+[A-Za-z]{2}(?:\\s*\\d{5}(?:-\\d{4})?)?\\s*$'
const street = `^(.*?)\\s*,\\s*[^,\\d]+?${stateAndZip}`
