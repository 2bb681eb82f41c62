// Searches the documentation. Used by the server for the results page and by the browser for suggestions.

export interface DocsSection {
  /** Page title, or the operation's for a section of the reference. */
  page: string
  /** Undefined for the text before the first heading. */
  heading?: string
  /** Path with fragment. */
  url: string
  text: string
}

export interface DocsMatch extends DocsSection {
  /** The sentence around the first match. */
  excerpt: string
  /** Words of the query that do not occur in it. */
  missing: number
}

const maxDocsMatches = 20

/**
 * The sections with most words of the query, at least half of them; matches in titles rank first, then in headings, then at the
 * start of a word.
 */
export const searchDocs = (sections: readonly DocsSection[], query: string): DocsMatch[] => {
  const words = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [])]
  if (words.length === 0) return []
  const scored = sections.map((section, order) => ({ section, order, ...scoreOf(section, words) }))
  const fewest = Math.min(words.length / 2, ...scored.map(({ missing }) => missing))
  return scored
    .filter(({ score, missing }) => score > 0 && missing === fewest)
    .sort((a, b) => b.score - a.score || a.order - b.order)
    .slice(0, maxDocsMatches)
    .map(({ section, missing }) => ({ ...section, missing, excerpt: excerptOf(section.text, words) }))
}

const scoreOf = ({ page, heading = '', text }: DocsSection, words: readonly string[]) => {
  let score = 0
  let missing = 0
  for (const word of words) {
    const part =
      weightOf(page, word, heading ? 6 : 12) +
      weightOf(heading, word, 8) +
      weightOf(text, word, 1) * countOf(text, word)
    if (part === 0) missing++
    score += part
  }
  return { score, missing }
}

const weightOf = (text: string, word: string, weight: number): number => {
  const at = text.toLowerCase().indexOf(word)
  if (at < 0) return 0
  return startsWord(text, at) ? weight : weight / 4
}

const startsWord = (text: string, at: number): boolean => at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1]!)

/** Three or more occurrences count the same, so that long sections do not win by length. */
const countOf = (text: string, word: string): number => Math.min(3, text.toLowerCase().split(word).length - 1)

const excerptLength = 160

const excerptOf = (text: string, words: readonly string[]): string => {
  const lower = text.toLowerCase()
  const first = Math.max(0, Math.min(...words.map((word) => lower.indexOf(word)).filter((at) => at >= 0), text.length))
  const start = first === text.length ? 0 : Math.max(0, text.lastIndexOf('. ', first) + 1)
  const from = first - start > 100 ? text.indexOf(' ', first - 60) : start
  const cut = text.slice(from, from + excerptLength).trim()
  return `${from > 0 && from !== start ? '…' : ''}${cut}${from + excerptLength < text.length ? '…' : ''}`
}
