// The files of a new pack, from its name, state and box. Unknown values are left out, so that they are reported as missing.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Box } from '../domain/packs/market-pack.ts'
import { lawsOfState } from '../laws/list.ts'

type NewPack = Record<'id' | 'name' | 'state' | 'stateName' | 'county' | 'timeZone', string> & {
  number: number
  box: Box
}

/** Returns the paths written. */
export const writeSkeleton = (folder: string, { id, box, county, ...given }: NewPack, month: string): string[] => {
  const dir = join(folder, id)
  mkdirSync(join(dir, 'zoning'), { recursive: true })
  mkdirSync(join(dir, 'sources'), { recursive: true })
  const center = { lat: middle(box.south, box.north), lng: middle(box.west, box.east) }
  const source = 'Written by lotline pack new; replace with your sources.'
  const files: Record<string, object> = {
    'pack.json': {
      id,
      number: given.number,
      version: '0.1.0',
      name: given.name,
      aliases: [],
      country: 'US',
      state: given.state,
      stateName: given.stateName,
      timeZone: given.timeZone,
      center,
      box,
      ranking: 'teardown',
      laws: lawsOfState(given.state).map(({ id: law, since }) => ({ id: law, since })),
      apn: [],
      license: 'not stated',
      source,
      asOf: month,
    },
    'cities.json': {
      source,
      asOf: month,
      cities: [
        {
          name: given.name,
          slug: `${id}-${given.state.toLowerCase()}`,
          county,
          zipCodes: [],
          center,
          box,
          aliases: [],
          incorporated: true,
          urbanized: true,
          charter: false,
          coastal: false,
        },
      ],
    },
    'assumptions.json': { assumptions: {} },
    'vectors.json': { vectors: [] },
  }
  return Object.entries(files).map(([name, value]) => {
    const path = join(dir, name)
    writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`, { flag: 'wx' })
    return path
  })
}

const middle = (a: number, b: number): number => Math.round(((a + b) / 2) * 1000) / 1000
