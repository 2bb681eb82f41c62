// What homes on the map are colored by, and the level of each.
import type { Place } from './place-markers.ts'

export type ColorBy = 'score' | 'return'

const numberOf = (text: string | undefined): number | undefined => (text ? Number(text) : undefined)

/** Three levels, as in the legend. */
export const levelOf = ({ item }: Place, by: ColorBy): string => {
  const [score, returnPct] = [numberOf(item.dataset.score), numberOf(item.dataset.return)]
  if (by === 'score') return score === undefined ? 'none' : score >= 60 ? 'high' : score >= 30 ? 'middle' : 'low'
  return returnPct === undefined ? 'none' : returnPct < 0 ? 'loss' : returnPct >= 15 ? 'high' : 'middle'
}

/** What homes can be colored by: no home has a return where none was assessed. */
export const colorsOf = (homes: readonly Place[]): ColorBy[] =>
  (['return', 'score'] as const).filter((by) => homes.some((home) => levelOf(home, by) !== 'none'))
