// One sentence about a property for a buyer. It is the only place that turns the rebuild probability into words, so that
// no page contradicts another: "likely" is used only above 50%.

interface VerdictFacts {
  /** That the house is rebuilt within two years of a sale; absent where there is no detached house. */
  readonly rebuildProbability?: number
  /** Percent of the homes on the market with a lower teardown score. */
  readonly rebuildPercentile?: number
  readonly flipPercentile?: number
  /** False where the house is in the condition that a renovation would reach. */
  readonly needsRenovation?: boolean
  /** Profit or loss of a renovation at the price of `flipPriceBasis`. */
  readonly flipProfitUsd?: number
  readonly flipPriceBasis?: 'expected' | 'asking'
  readonly charmPercentile?: number
  /** True for a sold home: its asking price is the last one before the sale. */
  readonly isSold?: boolean
  /** The market ranks its homes by renovation and charm instead of by the odds of a rebuild. */
  readonly rankedByRenovation?: boolean
  /** Return on buying the property and building the largest house that can realistically be built, percent. */
  readonly returnPct?: number
  /** The market has too few recorded rebuilds to learn from alone. */
  readonly fewRebuildsKnown?: boolean
}

/** Says that nothing is known where no input is. */
export const verdictOf = (facts: VerdictFacts): string => {
  const renovation = flipClause(facts)
  const rebuild = rebuildClause(facts)
  const first = facts.rankedByRenovation ? (renovation ?? rebuild) : (rebuild ?? renovation)
  const clauses = [
    first,
    first === rebuild ? outcomeClause(facts) : undefined,
    returnClause(facts),
    first === rebuild ? caution(facts) : undefined,
  ].filter((clause) => clause !== undefined)
  if (clauses.length === 0) return 'Too little is known for odds of a rebuild, a renovation rank or a return.'
  const sentence = clauses.join('; ')
  return `${sentence[0]!.toUpperCase()}${sentence.slice(1)}.`
}

const rebuildClause = ({ rebuildProbability: p, rebuildPercentile }: VerdictFacts): string | undefined => {
  if (p === undefined) return undefined
  const odds = oddsInWords(p)
  // As served: a score of 50.4 is shown as 50 and is not called likely.
  if (Math.round(100 * p) > 50) return `likely to be rebuilt within two years of sale (${odds})`
  if (rebuildPercentile === undefined)
    return `${odds} homes like this ${/\b1 in/.test(odds) ? 'is' : 'are'} rebuilt within two years of sale`
  if (rebuildPercentile >= 50)
    return `more likely to be rebuilt within two years of sale than ${rebuildPercentile}% of homes on the market here (${odds})`
  return `less likely to be rebuilt within two years of sale than most homes on the market here (${odds})`
}

const flipClause = (facts: VerdictFacts): string | undefined => {
  const { flipPercentile, flipProfitUsd = 0, charmPercentile, rankedByRenovation } = facts
  if (flipPercentile === undefined) return undefined
  const charm = rankedByRenovation ? charmPercentile : undefined
  if (facts.needsRenovation === false)
    return charm === undefined
      ? 'needs no renovation'
      : `needs no renovation and ranks ${standingHere(charm)} for historic character`
  const loss = flipProfitUsd < 0 ? `, which would lose money ${atPrice(facts, facts.flipPriceBasis)}` : ''
  const renovation = `ranks ${standingHere(flipPercentile)} for renovation${loss}`
  return charm === undefined ? renovation : `${renovation}${loss && ','} and ${standing(charm)} for historic character`
}

/** Beside a clause that is not about renovation. */
const outcomeClause = (facts: VerdictFacts) => {
  const { needsRenovation, flipProfitUsd, flipPriceBasis } = facts
  if (needsRenovation === false) return 'it needs no renovation'
  if (flipProfitUsd === undefined) return undefined
  return `renovating and reselling it would ${flipProfitUsd < 0 ? 'lose' : 'earn'} money ${atPrice(facts, flipPriceBasis)}`
}

const standing = (percentile: number): string => (percentile >= 50 ? `above ${percentile}%` : 'below most')

const standingHere = (percentile: number): string =>
  `${standing(percentile)} ${percentile >= 50 ? 'of homes' : 'homes'} on the market here`

const atPrice = ({ isSold }: VerdictFacts, basis: VerdictFacts['flipPriceBasis'] = 'asking'): string =>
  `at the ${isSold && basis === 'asking' ? 'last asking' : basis} price`

const returnClause = (facts: VerdictFacts): string | undefined => {
  const { returnPct } = facts
  if (returnPct === undefined) return undefined
  const amount = `${Math.abs(returnPct).toFixed(1)}%`
  const price = atPrice(facts)
  if (Number(Math.abs(returnPct).toFixed(1)) === 0) return `building new would break even ${price}`
  return `building new would ${returnPct > 0 ? 'return' : 'lose'} ${amount} ${price}`
}

const caution = ({ rebuildProbability, fewRebuildsKnown }: VerdictFacts): string | undefined =>
  rebuildProbability !== undefined && fewRebuildsKnown
    ? 'few rebuilds are on record here, so the odds are a rough estimate'
    : undefined

/** "about 1 in 9", "about 2 in 5", "less than 1 in 1,000". */
export const oddsInWords = (probability: number): string => {
  if (probability < 0.001) return 'less than 1 in 1,000'
  if (probability > 0.95) return 'more than 19 in 20'
  if (probability > 0.5 && probability < 0.55) return 'just over 1 in 2'
  if (probability < 0.2) return `about 1 in ${roundOdds(1 / probability)}`
  // "1 in n" is too coarse here: it would call 42% "1 in 2". On each side of a half the words stay on that side.
  const { share, whole } = fractions
    .filter((each) => each.share / each.whole > 0.5 === probability > 0.5)
    .reduce((best, each) => (distance(each, probability) < distance(best, probability) ? each : best))
  return `about ${share} in ${whole}`
}

const fractions = [2, 3, 4, 5, 10].flatMap((whole) =>
  Array.from({ length: whole - 1 }, (_, k) => ({ share: k + 1, whole })),
)

const distance = ({ share, whole }: { share: number; whole: number }, probability: number): number =>
  Math.abs(share / whole - probability)

/** 9, 45, 300: no more precision than the estimate has. */
const roundOdds = (odds: number): string => {
  const step = odds < 20 ? 1 : odds < 100 ? 5 : odds < 200 ? 10 : 50
  return Math.min(1000, Math.round(odds / step) * step).toLocaleString('en-US')
}
