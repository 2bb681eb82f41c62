// Addresses of the sample as people mistype them: typing errors in the street, missing parts, another order. House number and
// unit are spared, except by `withNumberTypo`.

import { addressKey, apnKey } from '../../src/domain/address/address.ts'
import { cityBySlug, citySlug } from '../../src/domain/packs/markets.ts'
import { propertyIdPrefix } from '../../src/domain/property-id.ts'
import { type Db, sql } from '../../src/store/engine/database.ts'
import { makeTown, type SampleParcel } from '../../tools/sample/parcels.ts'
import { type Random, randomFor } from '../../tools/sample/random.ts'

export interface DamagedAddress {
  text: string
  kind: DamageKind
  /** The property it was made from. */
  id: string
}

export const damageKinds = [
  'as people type it',
  'typing error in the street',
  'two errors in the street',
  'suffix missing',
  'city missing',
  'city and ZIP missing',
  'swapped order',
  'several',
] as const
export type DamageKind = (typeof damageKinds)[number] | 'house number'

interface Parts {
  number: string
  street: string
  unit: string
  city: string
  state: string
  zip: string
}

export const sampleId = (parcel: SampleParcel): string =>
  `${propertyIdPrefix(parcel.zone.market)}s${String(parcel.index).padStart(6, '0')}`

export const sampleParcels = (seed = 7): SampleParcel[] => makeTown(seed).parcels

/** Loads parcels directly: lookup reads addresses, parcel numbers and points only. */
export const insertParcels = async (db: Db, parcels: readonly SampleParcel[]): Promise<void> => {
  await sql`
    insert into source (id, kind, holds, title, license, sample, config)
    values ('sample-parcels', 'csv', 'parcels', 'Sample parcels', 'CC0-1.0', true, '{}') on conflict do nothing`.execute(
    db,
  )
  for (let at = 0; at < parcels.length; at += 2_000) {
    const some = parcels.slice(at, at + 2_000)
    const column = <T>(of: (parcel: SampleParcel) => T) => some.map(of)
    await sql`
      insert into property (market, id, state, city, city_slug, address, address_key, county, apn, apn_key, lat, lng,
        zip, known_from, source_id, collected_at)
      select market, id, state, city, slug, address, key, county, apn, apn_key, lat, lng, zip, 'parcel', 'sample-parcels', now()
      from unnest(${column((p) => p.zone.market as string)}::text[], ${column(sampleId)}::text[],
        ${column((p) => stateOf(p))}::text[], ${column((p) => p.zone.city as string)}::text[],
        ${column((p) => citySlug(p.zone.city))}::text[], ${column((p) => p.address)}::text[],
        ${column((p) => addressKey(p.address))}::text[], ${column((p) => p.zone.county as string)}::text[],
        ${column((p) => p.apn)}::text[], ${column((p) => apnKey(stateOf(p), p.zone.county, p.apn)!)}::text[],
        ${column((p) => p.lat)}::float8[], ${column((p) => p.lng)}::float8[], ${column((p) => p.zip!)}::text[])
        as w (market, id, state, city, slug, address, key, county, apn, apn_key, lat, lng, zip)`.execute(db)
  }
  await sql`analyze property`.execute(db)
}

const stateOf = ({ zone }: SampleParcel) => cityBySlug(citySlug(zone.city))!.state

export const damagedAddresses = (parcels: readonly SampleParcel[], count: number, seed = 1): DamagedAddress[] =>
  Array.from({ length: count }, (_, at) => {
    const random = randomFor(seed, 'damaged', at)
    const parcel = random.pick(parcels)
    const kind = damageKinds[at % damageKinds.length]!
    return { text: damaged(partsOf(parcel), kind, random), kind, id: sampleId(parcel) }
  })

/** A wrong digit in the house number, everything else as it should be. */
export const withNumberTypo = (parcels: readonly SampleParcel[], count: number, seed = 1): DamagedAddress[] =>
  Array.from({ length: count }, (_, at) => {
    const random = randomFor(seed, 'number', at)
    const parcel = random.pick(parcels)
    const parts = partsOf(parcel)
    const place = random.int(0, parts.number.length - 1)
    const digit = String((Number(parts.number[place]) + random.int(1, 9)) % 10)
    const number = `${parts.number.slice(0, place)}${digit}${parts.number.slice(place + 1)}`
    return { text: written({ ...parts, number }, random), kind: 'house number', id: sampleId(parcel) }
  })

const partsOf = (parcel: SampleParcel): Parts => {
  const city = cityBySlug(citySlug(parcel.zone.city))!
  return {
    number: String(parcel.houseNumber),
    street: parcel.street,
    unit: parcel.address.match(/ (#.*)$/)?.[1] ?? '',
    city: city.name,
    state: city.state,
    zip: parcel.zip!,
  }
}

const damaged = (parts: Parts, kind: Exclude<DamageKind, 'house number'>, random: Random): string => {
  switch (kind) {
    case 'as people type it':
      return written(parts, random)
    case 'typing error in the street':
      return written({ ...parts, street: mistyped(parts.street, random) }, random)
    case 'two errors in the street':
      return written({ ...parts, street: mistyped(mistyped(parts.street, random), random) }, random)
    case 'suffix missing':
      return written({ ...parts, street: withoutSuffix(parts.street) }, random)
    case 'city missing':
      return written({ ...parts, city: '' }, random)
    case 'city and ZIP missing':
      return written({ ...parts, city: '', zip: '', state: random.chance(0.5) ? parts.state : '' }, random)
    case 'swapped order':
      return swapped(parts, random)
    case 'several':
      return random.chance(0.5)
        ? swapped({ ...parts, street: mistyped(parts.street, random) }, random)
        : written({ ...parts, street: withoutSuffix(mistyped(parts.street, random)), zip: '' }, random)
  }
}

/** With or without commas, in any case, with short or long suffixes, with parts of the end left out. */
const written = ({ number, street, unit, city, state, zip }: Parts, random: Random): string => {
  const end =
    random.chance(0.3) && city ? '' : [state, random.chance(0.7) || !city ? zip : ''].filter(Boolean).join(' ')
  const line = [number, respelled(street, random), unitOf(unit, random)].filter(Boolean).join(' ')
  return cased([line, city, end].filter(Boolean).join(random.chance(0.5) ? ', ' : ' '), random)
}

const swapped = ({ number, street, unit, city, state, zip }: Parts, random: Random): string => {
  const line = [number, street, unitOf(unit, random)].filter(Boolean).join(' ')
  const orders = [
    [city, line],
    [`${city} ${state} ${zip}`, line],
    [zip, city, line],
    [`${street} ${number}${unit ? ` ${unit}` : ''}`, city, `${state} ${zip}`],
    [`${state} ${zip}`, city, line],
  ]
  return cased(random.pick(orders).join(random.chance(0.5) ? ', ' : ' '), random)
}

const cased = (text: string, random: Random): string =>
  random.pick([text, text.toLowerCase(), text.toUpperCase(), text.replaceAll(' ', '  ')])

const longSuffixes: Readonly<Record<string, string>> = {
  St: 'Street',
  Ave: 'Avenue',
  Dr: 'Drive',
  Rd: 'Road',
  Ln: 'Lane',
  Ct: 'Court',
  Blvd: 'Boulevard',
  Pl: 'Place',
}

const respelled = (street: string, random: Random): string =>
  street.replace(/\w+$/, (word) => random.pick([word, longSuffixes[word] ?? word, `${word}.`]))

const unitOf = (unit: string, random: Random): string =>
  unit === '' ? '' : random.pick([unit, unit.replace('#', 'Apt '), unit.replace('#', 'Unit '), unit.replace('#', '# ')])

const withoutSuffix = (street: string): string => street.replace(/ \S+$/, '')

/** One letter of the name dropped, doubled, replaced or swapped with the next; the first letter and the suffix stay. */
const mistyped = (street: string, random: Random): string => {
  const words = street.split(' ')
  const longest = words.reduce((best, word, at) => (word.length > words[best]!.length ? at : best), 0)
  const word = words[longest]!
  if (word.length < 4) return street
  const at = random.int(1, word.length - 2)
  const letters = 'abcdefghijklmnopqrstuvwxyz'
  words[longest] = random.pick([
    word.slice(0, at) + word.slice(at + 1),
    word.slice(0, at) + word[at] + word.slice(at),
    word.slice(0, at) + letters[random.int(0, 25)] + word.slice(at + 1),
    word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2),
  ])
  return words.join(' ')
}
