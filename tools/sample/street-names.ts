// Street names of a zone: its own, then invented ones. The sample needs more names than the list of real ones has.
import type { Zone } from './zones.ts'

export interface StreetNames {
  /** For streets that lots face. */
  facing: Iterator<string, never>
  /** For cross streets. */
  crossing: Iterator<string, never>
}

export function streetNames(zone: Zone): StreetNames {
  const used = new Set(zone.streets)
  const shift = zone.city.length * 5
  let at = 0
  function* invented(): Generator<string, never> {
    for (;;) {
      const name = inventedName(shift + at++)
      if (used.has(name)) continue
      used.add(name)
      yield name
    }
  }
  function* facing(): Generator<string, never> {
    yield* zone.streets
    return yield* invented()
  }
  return { facing: facing(), crossing: invented() }
}

/** Each round through the stems uses the next suffix, so that all combinations occur before the names are used up. */
function inventedName(at: number): string {
  const stem = at % stems.length
  const round = Math.floor(at / stems.length)
  const repeated = round < suffixes.length ? '' : ` ${Math.floor(round / suffixes.length) + 1}`
  return `${stems[stem]} ${suffixes[(stem + round) % suffixes.length]}${repeated}`
}

const stems =
  'Alderbrook,Amberleaf,Barnswallow,Birchbark,Bluebell,Bramblewood,Buckeye Hollow,Candlelight,Chaparral,Cinnabar,Clovermeadow,Copperfield,Cottonwood,Dovetail,Elderberry,Fernbank,Foxglove,Goldenrod,Graystone,Harvestmoon,Hawksbeard,Honeysuckle,Juniper,Kingfisher,Larkmead,Lupinefield,Manzanilla,Meadowrue,Mockingbird,Nightingale,Oatgrass,Orchardview,Persimmon,Quailbrush,Quartermoon,Rosebriar,Sagewood,Snowberry,Sorrelwood,Tanbark,Thistledown,Vinecrest,Wheatear'.split(
    ',',
  )

const suffixes = ['Way', 'Ln', 'Dr', 'Ct', 'Row', 'Bend', 'Ter', 'Pl']
