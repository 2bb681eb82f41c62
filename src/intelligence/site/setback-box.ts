// The area inside the required yards (setbacks) where a house may be built, for a rectangular lot.

import type { Setbacks, SideRule } from '../../domain/packs/zoning.ts'
import { decimal, plural } from '../scores/number-format.ts'
import { clamp } from '../statistics/clamp.ts'

export function setbackBox(
  setbacks: Setbacks,
  lot: { widthFt: number; depthFt: number; cornerLot?: boolean },
  stories: number,
) {
  const side = sideYardFt(setbacks.side, lot.widthFt)
  const ground = { front: setbacks.front, side, rear: rearYardFt(setbacks.rear, lot.depthFt) }
  const upper = { ...ground, ...setbacks.upper }
  const areas = Array.from({ length: stories }, (_, story) => {
    const yards = story === 0 ? ground : upper
    const second = lot.cornerLot ? Math.max(setbacks.streetSide ?? 0, yards.side) : yards.side
    const width = Math.max(0, lot.widthFt - yards.side - second)
    return width * Math.max(0, lot.depthFt - yards.front - yards.rear)
  })
  const yards = `setbacks of ${decimal(ground.front)} ft front, ${decimal(side)} ft side and ${decimal(ground.rear)} ft rear`
  return {
    /** By story, ground floor first. */
    storySqft: areas,
    formula: `${decimal(lot.widthFt)} × ${decimal(lot.depthFt)} ft minus ${yards}, ${plural(stories, 'story', 'stories')}`,
  }
}

export function sideYardFt(rule: SideRule, widthFt: number): number {
  if (typeof rule === 'number') return rule
  if ('pctOfWidth' in rule) return clamp((rule.pctOfWidth / 100) * widthFt, rule.minFt, rule.maxFt)
  const row = rule.byWidth.findLast((one) =>
    one.fromFt !== undefined ? widthFt >= one.fromFt : widthFt > (one.overFt ?? 0),
  )
  return (row ?? rule.byWidth[0]!).ft
}

export const rearYardFt = (rule: Setbacks['rear'], depthFt: number): number =>
  typeof rule === 'number' ? rule : clamp((rule.pctOfDepth / 100) * depthFt, rule.minFt, rule.maxFt)
