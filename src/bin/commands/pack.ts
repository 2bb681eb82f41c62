// `lotline pack`: lists, checks and creates market packs.
import { join, resolve } from 'node:path'
import { Command, InvalidArgumentError } from 'commander'
import { OperatorError } from '../../common/operator-error.ts'
import { packFolders } from '../../config.ts'
import { allDefaultedAssumptions } from '../../domain/assumptions/assumptions.ts'
import { dayOf } from '../../domain/day.ts'
import { outdatedFacts } from '../../domain/packs/city-facts.ts'
import type { Box } from '../../domain/packs/market-pack.ts'
import { defaultMarket, markets } from '../../domain/packs/markets.ts'
import { packOf, packs } from '../../domain/packs/use-packs.ts'
import { failedVectors } from '../../packs/failed-vectors.ts'
import { isTimeZone, loadPack } from '../../packs/load-pack.ts'
import { writeSkeleton } from '../../packs/skeleton.ts'
import { textTable } from '../text-table.ts'
import { packCapabilities } from '../use-market-packs.ts'
import { subcommands } from './arguments.ts'

export const packCommand = (): Command => {
  const command = new Command('pack').description('List, check and create market packs.')
  const add = subcommands(command)
  add('list', 'List the loaded packs.', listPacks)
  add('check', 'Check every file of a pack and run its worked examples.', checkPack, (sub) =>
    sub.argument('<folder>', 'the folder of the pack'),
  )
  add('new', 'Create the files of a new pack.', newPack, (sub) =>
    sub
      .argument('<id>', 'id of the pack, for example springfield', packId)
      .requiredOption('--name <name>', 'display name')
      .requiredOption('--box <west,south,east,north>', 'bounding box in degrees', boxOf)
      .requiredOption('--state <XX>', 'state in two letters, for example IL')
      .requiredOption('--state-name <state>', 'name of the state, for example Illinois')
      .requiredOption('--county <county>', 'county of its first city')
      .option('--time-zone <zone>', 'IANA time zone', timeZoneOf, 'America/New_York')
      .option('--folder <folder>', 'folder of packs; defaults to PACKS_DIR, otherwise packs'),
  )
  return command
}

const listPacks = () => {
  const rows = markets().map(({ id, number, name, state, ranking, laws, version }) => ({
    ...{ id, name, state, number, version, ranking, isDefault: id === defaultMarket() },
    laws: laws.map((law) => law.id),
    defaultAssumptions: allDefaultedAssumptions(packOf(id)).length,
  }))
  const text = textTable(rows, [
    { title: 'Id', value: ({ id, isDefault }) => `${id}${isDefault ? ' (default)' : ''}` },
    { title: 'Name', value: ({ name }) => name },
    { title: 'State', value: ({ state }) => state },
    { title: 'Number', value: ({ number }) => number, number: true },
    { title: 'Version', value: ({ version }) => version, number: true },
    { title: 'Ranked by', value: ({ ranking }) => ranking },
    { title: 'Default assumptions', value: ({ defaultAssumptions }) => defaultAssumptions, number: true },
    { title: 'Laws', value: ({ laws }) => laws.join(', ') || 'none' },
  ])
  return { json: { success: true, packs: rows }, text }
}

const checkPack = (folder: string) => {
  const dir = resolve(folder)
  const others = packs().filter((other) => other.dir !== dir)
  const pack = loadPack(dir, { ...packCapabilities, checksSample: true }, others)
  const { count: vectors, failed } = failedVectors(pack)
  if (failed.length > 0) throw new OperatorError(failed.map(({ message }) => message).join('\n'))
  const defaults = allDefaultedAssumptions(pack)
  const outdated = outdatedFacts(pack, dayOf(new Date()))
  const [cities, districts] = [pack.cities.length, pack.districts.length]
  const text = [
    `${pack.market.name}: ${cities} ${cities === 1 ? 'city' : 'cities'}, ${districts} zoning districts, ${vectors} worked examples give the expected results.`,
    defaults.length > 0 && `Defaults are used for: ${defaults.join(', ')}. Set them in assumptions.json.`,
    outdated.length > 0 && `Facts older than a year, to be read again:\n  ${outdated.join('\n  ')}`,
    districts === 0 && 'No zoning is known, so there are no pro formas and no redevelopment leads.',
  ].filter((line) => line !== false)
  return { json: { success: true, id: pack.market.id, cities, districts, vectors, defaults, outdated }, text }
}

type NewOptions = Omit<Parameters<typeof writeSkeleton>[1], 'id' | 'number'> & { folder?: string }

const newPack = (id: string, { folder, ...options }: NewOptions) => {
  const parent = resolve(folder ?? packFolders()[0] ?? 'packs')
  const written = writeSkeleton(parent, { id, number: freeNumber(), ...options }, dayOf(new Date()).slice(0, 7))
  const next = `Next: edit cities.json, then run: lotline pack check ${join(parent, id)}`
  return { json: { success: true, id, files: written }, text: [`Wrote ${written.join('\n      ')}`, next] }
}

/** The lowest number that no market has. */
export const freeNumber = (): number => {
  const used = new Set(markets().map(({ number }) => number))
  let number = 1
  while (used.has(number)) number += 1
  return number
}

const packId = (text: string): string => {
  if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(text))
    throw new InvalidArgumentError('It must be lower-case words joined by hyphens, for example springfield.')
  return text
}

export const timeZoneOf = (text: string): string => {
  if (!isTimeZone(text)) throw new InvalidArgumentError('It must be an IANA time zone, for example America/Chicago.')
  return text
}

export const boxOf = (text: string): Box => {
  const [west, south, east, north] = text.split(',').map(Number)
  const isBox = [west, south, east, north].every(Number.isFinite) && south! < north! && west! < east!
  // Latitudes of the United States, from American Samoa to Alaska. A box with the latitudes first is outside of them.
  if (!isBox || south! < -15 || north! > 72)
    throw new InvalidArgumentError(
      'It must be west,south,east,north in degrees, longitude first, for example -122.5,47.1,-121.1,47.8.',
    )
  return { south: south!, north: north!, west: west!, east: east! }
}
