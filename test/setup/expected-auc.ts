/**
 * The expected AUC of a score where the true probability of each row is known. The true probabilities themselves reach
 * the highest AUC that any score can. Undefined when all rows are certain to be of one kind.
 */
export const expectedAreaUnderCurve = (
  scores: ArrayLike<number>,
  probabilities: ArrayLike<number>,
): number | undefined => {
  const order = rankOrder(scores)
  let outranked = 0
  let negativesBelow = 0
  let positives = 0
  let samePairs = 0
  for (let from = 0; from < order.length; ) {
    let to = from
    let tiedPositives = 0
    let tiedNegatives = 0
    while (to < order.length && scores[order[to]!]! === scores[order[from]!]!) {
      const probability = probabilities[order[to]!]!
      tiedPositives += probability
      tiedNegatives += 1 - probability
      // The pair of a row with itself is taken out again.
      samePairs += probability * (1 - probability)
      outranked -= 0.5 * probability * (1 - probability)
      to++
    }
    outranked += tiedPositives * (negativesBelow + tiedNegatives / 2)
    negativesBelow += tiedNegatives
    positives += tiedPositives
    from = to
  }
  const pairs = positives * negativesBelow - samePairs
  return pairs > 0 ? outranked / pairs : undefined
}

const rankOrder = (scores: ArrayLike<number>): number[] =>
  Array.from({ length: scores.length }, (_, i) => i).sort((a, b) => scores[a]! - scores[b]! || a - b)
