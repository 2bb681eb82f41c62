// Listing remarks, written for the sample. They reflect the true condition imperfectly: agents omit things.

import { clamp } from '../../src/intelligence/statistics/clamp.ts'
import { yearOf } from './calendar.ts'
import { type Random, randomFor } from './random.ts'
import type { ListingRecord } from './simulation.ts'
import texts from './texts.json' with { type: 'json' }

const { photos, ...sentences } = texts.remarks

export function remarksOf(listing: ListingRecord, seed: number): string {
  const random = randomFor(seed, 'remarks', listing.listingId)
  if (random.chance(0.02)) return ''
  const { parcel, home, teardownProbability } = listing
  if (home.propertyType === 'land') return random.pick(sentences.land)
  const { island } = parcel.zone
  const remarks = [opener(listing, random)]
  const add = (share: number, from: readonly string[]): void => {
    if (random.chance(share)) remarks.push(random.pick(from))
  }
  // Most describe the overall condition, many also the kitchen, baths or systems; some mention neither.
  const addCondition = (share: number, from: readonly (readonly string[])[]): void => {
    if (random.chance(share)) remarks.push(random.pick(from[conditionBucket(home.condition, random)]!))
  }
  if (home.yearBuilt >= yearOf(listing.listedOn) - 1) remarks.push(random.pick(sentences.new))
  else {
    addCondition(0.88, sentences.condition)
    addCondition(0.6, sentences.detail)
  }
  const antique = home.condition > 0.6 ? sentences.renovatedAntique : sentences.antique
  if (island) add(0.45, home.yearBuilt >= 1900 ? sentences.island : antique)
  const isTold =
    (teardownProbability > 0.2 && random.chance(0.45)) || (teardownProbability > 0.08 && random.chance(0.15))
  if (isTold) remarks.push(random.pick(sentences.teardown))
  if (home.livingSqft < parcel.envelopeSqft * 0.62) add(0.25, sentences.room)
  add(parcel.hill > 0.4 || island ? 0.42 : 0.14, sentences.view)
  add(0.5, sentences.place)
  // Phrases that look like condition evidence but are not.
  add(0.03, sentences.misleading)
  return remarks.join(' ')
}

/** A photo analysis, present on the 5% of listings whose feed includes one. */
export function visionOf({ home, listingId }: ListingRecord, seed: number): string {
  const random = randomFor(seed, 'vision', listingId)
  if (home.propertyType === 'land' || !random.chance(0.05)) return ''
  return random.pick(photos[conditionBucket(home.condition, random)]!)
}

/** 0 worst .. 3 best, as an agent judges it: with a small random error, and 5% of the time one bucket off. */
function conditionBucket(condition: number, random: Random): number {
  const judged = condition + 0.05 * random.normal()
  const bucket = judged < 0.3 ? 0 : judged < 0.48 ? 1 : judged < 0.66 ? 2 : 3
  const error = random.chance(0.05) ? (random.chance(0.5) ? 1 : -1) : 0
  return clamp(bucket + error, 0, 3)
}

function opener({ home, parcel }: ListingRecord, random: Random): string {
  const { street, zone, cornerLot } = parcel
  const [size, lot] = [home.livingSqft, parcel.lotSqft].map((sqft) => sqft.toLocaleString('en-US'))
  const rooms = `${home.beds}-bedroom, ${home.baths}-bath`
  if (home.propertyType === 'condo') return `${rooms} condominium of about ${size} sq ft.`
  const kind = home.propertyType === 'townhouse' ? 'townhome' : 'home'
  const place = zone.area ?? zone.city
  return random.pick([
    `${rooms} ${kind} on ${street}.`,
    `${rooms} ${kind}, about ${size} sq ft on a ${lot} sq ft lot.`,
    `${rooms} ${kind} in ${place}, near ${street}.`,
    `Welcome to ${street}: ${rooms}, ${size} sq ft.`,
    `${rooms} ${kind} with ${cornerLot ? 'a sunny corner' : 'a private yard'}.`,
    `${home.yearBuilt}-built ${kind}, ${rooms}, ${size} sq ft.`,
    `Charming ${rooms} ${kind} in ${place}.`,
    `${place} ${kind} with ${home.beds} bedrooms and ${home.baths} baths.`,
    `Custom ${rooms} ${kind} with ${cornerLot ? 'a corner lot' : 'a private yard'}.`,
  ])
}
