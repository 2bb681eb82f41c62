// Finds phrases in listing remarks and decides whether each is about this house in its present state. Words are compared
// whole: stemming or dropping stop words would lose "not", "was" and "nearby". One pass with a lookup by first word, so
// the time is proportional to the length of the text.
import { valueAt } from '../../common/typed.ts'

export interface Phrase {
  readonly text: string
  /** Words that change the subject when one is within three words, such as "ADU" near "potential". */
  readonly unlessNear?: readonly string[]
}

type Scope = 'applies' | 'negated' | 'past' | 'future' | 'elsewhere' | 'other_subject'

export interface PhraseHit<P extends Phrase> {
  readonly phrase: P
  readonly scope: Scope
  /** "updated kitchen in 2003": the year the text itself gives. */
  readonly year?: number
  /** "partly updated". */
  readonly partial: boolean
}

/** Longer remarks are cut: no feed allows more, so the rest is not remarks. */
const maxCharacters = 20_000

export const scanPhrases = <P extends Phrase>(text: string, phrases: readonly P[]): PhraseHit<P>[] => {
  const byFirst = byFirstWord(phrases)
  const hits: PhraseHit<P>[] = []
  for (const clause of clausesOf(text)) {
    for (let at = 0; at < clause.length; ) {
      const match = byFirst.get(clause[at]!)?.find(({ words }) => words.every((word, k) => clause[at + k] === word))
      if (!match) {
        at++
        continue
      }
      const end = at + match.words.length
      hits.push({
        phrase: match.phrase,
        scope: scopeOf(clause, at, end, match.phrase),
        year: yearNear(clause, at, end),
        partial: partialWords.has(clause[at - 1] ?? '') || partialWords.has(clause[at - 2] ?? ''),
      })
      at = end
    }
  }
  return hits
}

type ByFirstWord<P extends Phrase> = ReadonlyMap<string, readonly { words: string[]; phrase: P }[]>

/** The phrase lists are fixed and scanned for every listing, so each is indexed only once. */
const sorted = new WeakMap<readonly Phrase[], ByFirstWord<Phrase>>()

const byFirstWord = <P extends Phrase>(phrases: readonly P[]): ByFirstWord<P> =>
  valueAt(sorted, phrases, () => {
    const entries = phrases.map((phrase) => ({ words: phrase.text.split(' '), phrase }))
    const byFirst = Map.groupBy(entries, ({ words }) => words[0]!)
    for (const same of byFirst.values()) same.sort((a, b) => b.words.length - a.words.length)
    return byFirst
  }) as ByFirstWord<P>

/** Lowercase words by clause. A hyphen counts as a space, so that "as-is" equals "as is"; a comma ends a negation. */
export const clausesOf = (text: string): string[][] =>
  text
    .slice(0, maxCharacters)
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/[-–—/]/g, ' ')
    .split(/[.,;:!?()\n\r]/)
    .map((clause) => clause.match(/[a-z0-9']+/g)?.map((word) => word.replace(/^'+|'+$/g, '')) ?? [])
    .filter((words) => words.length > 0)

/** The words of a text, separated by spaces or line breaks. */
export const words = (text: string): string[] => text.split(/\s+/)

const negations = new Set(words("not no never isn't wasn't aren't without nor neither hardly"))
const negatedBy = new Set(words('free'))
const pastWords = new Set(words('was were formerly former once previously'))
const futureBefore = 'to be, could be, can be, should be, ready for, needs a, need a, awaiting, awaits, needs, proposed'
  .split(', ')
  .map((text) => words(text))
const elsewhereAfter = new Set(words('nearby neighboring neighbouring'))
const elsewhereAfterPairs = new Set(['next door', 'down the', 'across the', 'around the', 'on block'])
const elsewhereBefore = new Set(words('near neighboring neighbouring adjacent surrounding nearby'))
const elsewhereBeforePairs = new Set(
  'block of, blocks of, street of, surrounded by, neighborhood of, next to, among many'.split(', '),
)
/** After these words the phrase is about documents: "updated disclosures". */
const papers = new Set(
  words(`disclosure disclosures photo photos photography price pricing listing info information showing showings status
    remarks survey report reports floorplan rendering renderings`),
)
const partialWords = new Set(words('partially partly some somewhat mostly semi half'))

const scopeOf = (clause: readonly string[], at: number, end: number, phrase: Phrase): Scope => {
  if (papers.has(clause[end] ?? '')) return 'other_subject'
  if (phrase.unlessNear) {
    const near = phrase.unlessNear
    for (let k = Math.max(0, at - 3); k < Math.min(clause.length, end + 3); k++) {
      if ((k < at || k >= end) && near.includes(clause[k]!)) return 'other_subject'
    }
  }
  if (elsewhereAfter.has(clause[end] ?? '') || elsewhereAfter.has(clause[end + 1] ?? '')) return 'elsewhere'
  for (let k = end; k < end + 3; k++) {
    if (elsewhereAfterPairs.has(`${clause[k]} ${clause[k + 1]}`)) return 'elsewhere'
  }
  for (let k = Math.max(0, at - 3); k < at; k++) {
    if (k >= at - 2 && elsewhereBefore.has(clause[k]!)) return 'elsewhere'
    if (elsewhereBeforePairs.has(`${clause[k]} ${clause[k + 1]}`)) return 'elsewhere'
  }
  if (negatedBy.has(clause[end] ?? '')) return 'negated'
  if (clause[end] === 'not' || (clause[end] === 'are' && clause[end + 1] === 'not')) return 'negated'
  for (const words of futureBefore) {
    if (words.every((word, k) => clause[at - words.length + k] === word)) return 'future'
  }
  // "No longer a fixer" is a negation; "not only renovated" and "not to mention a new roof" are not.
  for (let k = Math.max(0, at - 4); k < at; k++) {
    if (
      negations.has(clause[k]!) &&
      !(clause[k] === 'not' && (clause[k + 1] === 'only' || clause[k + 1] === 'to' || clause[k + 1] === 'just'))
    )
      return 'negated'
  }
  for (let k = Math.max(0, at - 3); k < at; k++) if (pastWords.has(clause[k]!)) return 'past'
  return 'applies'
}

/** A year in the six words after the phrase, or just before it ("2019 remodel"). */
const yearNear = (clause: readonly string[], at: number, end: number): number | undefined => {
  const near = [...clause.slice(end, end + 6), ...clause.slice(Math.max(0, at - 2), at)]
  const year = near.find((word) => /^(19|20)\d\d$/.test(word))
  return year === undefined ? undefined : Number(year)
}
