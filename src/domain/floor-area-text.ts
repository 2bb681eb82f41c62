/**
 * How a parcel's floor area is used. The class `teardown_candidate` is about size and age only, so it is called
 * underbuilt. The verdict states how probable a rebuild is.
 */
export const floorAreaWords = (finding: {
  readonly class?: string
  readonly far?: { readonly utilisationPct?: number }
}): string | undefined => {
  if (finding.class === undefined) return undefined
  if (finding.class === 'vacant_lot') return 'vacant lot'
  const used = finding.far?.utilisationPct
  const name = finding.class === 'teardown_candidate' ? 'underbuilt' : 'room to expand'
  return used === undefined ? name : `${name}, uses ${Math.round(used)}% of the floor area allowed`
}
