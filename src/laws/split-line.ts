// Whether a straight line can split a lot in two without cutting its house, from the footprints on the lot.
import type { ParcelFacts } from '../domain/facts.ts'

/**
 * Undefined without footprints or without the sides of the lot. `yardFt` is what the house keeps from the new line, `minSharePct`
 * the smallest part of the lot on each side of it.
 */
export const lineMissesHouse = (
  { buildings, lotWidthFt, lotDepthFt }: Pick<ParcelFacts, 'buildings' | 'lotWidthFt' | 'lotDepthFt'>,
  minSharePct: number,
  yardFt: number,
): boolean | undefined => {
  if (!buildings || !lotWidthFt || !lotDepthFt) return undefined
  const [house] = buildings
  if (!house) return true
  return [
    { side: lotDepthFt, span: house.alongFt },
    { side: lotWidthFt, span: house.acrossFt },
  ].some(({ side, span: [from, to] }) => {
    const [least, most] = [(side * minSharePct) / 100, side * (1 - minSharePct / 100)]
    return from - yardFt >= least || to + yardFt <= most
  })
}
