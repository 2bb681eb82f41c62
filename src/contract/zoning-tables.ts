// The zoning tables: one file per city in data/zoning. To add a city, add its file and its line here.

import atherton from '../../data/zoning/atherton.json' with { type: 'json' }
import belmont from '../../data/zoning/belmont.json' with { type: 'json' }
import brisbane from '../../data/zoning/brisbane.json' with { type: 'json' }
import burlingame from '../../data/zoning/burlingame.json' with { type: 'json' }
import colma from '../../data/zoning/colma.json' with { type: 'json' }
import dalyCity from '../../data/zoning/daly-city.json' with { type: 'json' }
import eastPaloAlto from '../../data/zoning/east-palo-alto.json' with { type: 'json' }
import fosterCity from '../../data/zoning/foster-city.json' with { type: 'json' }
import halfMoonBay from '../../data/zoning/half-moon-bay.json' with { type: 'json' }
import hillsborough from '../../data/zoning/hillsborough.json' with { type: 'json' }
import losAltos from '../../data/zoning/los-altos.json' with { type: 'json' }
import losAltosHills from '../../data/zoning/los-altos-hills.json' with { type: 'json' }
import menloPark from '../../data/zoning/menlo-park.json' with { type: 'json' }
import millbrae from '../../data/zoning/millbrae.json' with { type: 'json' }
import mountainView from '../../data/zoning/mountain-view.json' with { type: 'json' }
import nantucket from '../../data/zoning/nantucket.json' with { type: 'json' }
import pacifica from '../../data/zoning/pacifica.json' with { type: 'json' }
import paloAlto from '../../data/zoning/palo-alto.json' with { type: 'json' }
import portolaValley from '../../data/zoning/portola-valley.json' with { type: 'json' }
import redwoodCity from '../../data/zoning/redwood-city.json' with { type: 'json' }
import sanBruno from '../../data/zoning/san-bruno.json' with { type: 'json' }
import sanCarlos from '../../data/zoning/san-carlos.json' with { type: 'json' }
import sanMateo from '../../data/zoning/san-mateo.json' with { type: 'json' }
import sanMateoCounty from '../../data/zoning/san-mateo-county.json' with { type: 'json' }
import southSanFrancisco from '../../data/zoning/south-san-francisco.json' with { type: 'json' }
import woodside from '../../data/zoning/woodside.json' with { type: 'json' }
import { findCity } from './markets.ts'
import type { District } from './zoning.ts'

interface ZoningFile {
  city: string
  districts: readonly Omit<District, 'city'>[]
}

const files = [
  atherton,
  belmont,
  brisbane,
  burlingame,
  colma,
  dalyCity,
  eastPaloAlto,
  fosterCity,
  halfMoonBay,
  hillsborough,
  losAltosHills,
  losAltos,
  menloPark,
  millbrae,
  mountainView,
  nantucket,
  pacifica,
  paloAlto,
  portolaValley,
  redwoodCity,
  sanBruno,
  sanCarlos,
  sanMateoCounty,
  sanMateo,
  southSanFrancisco,
  woodside,
] as unknown as readonly ZoningFile[]

export const districts: readonly District[] = files.flatMap((file) =>
  file.districts.map((district) => ({ ...district, city: file.city })),
)

const byCode = new Map(
  districts.flatMap((district) => district.codes.map((code) => [key(district.city, code), district] as const)),
)

/**
 * Finds the district of a zoning code in any spelling: "R1-10", "R-1-10" and "r1 10" are the same. Words after the code ("R-1,
 * Single Family") and combining suffixes that do not change size rules ("/DR/CD") are ignored. Any other suffix may change the
 * rules, so it is not ignored.
 */
export function districtOf(city: string, zoningCode: string | undefined): District | undefined {
  const slug = findCity(city)?.slug
  if (!slug || !zoningCode) return undefined
  let code = zoningCode.trim()
  for (;;) {
    const district = byCode.get(key(slug, code))
    if (district) return district
    const shorter = code.replace(/(?:\s*,.*|\s+[A-Za-z]{3,}.*|\s*\/\s*(?:DR|CD))$/i, '')
    if (shorter === code || shorter === '') return undefined
    code = shorter
  }
}

export function districtsOf(city: string): readonly District[] {
  const slug = findCity(city)?.slug
  return districts.filter((district) => district.city === slug)
}

function key(slug: string, code: string): string {
  return `${slug} ${code.toUpperCase().replace(/[^A-Z0-9]/g, '')}`
}
