// Listing remarks, written for the sample. They reflect the true condition imperfectly: agents omit things.

import { clamp } from '../../src/intelligence/statistics/clamp.ts'
import { yearOf } from './calendar.ts'
import { type Random, randomFor } from './random.ts'
import type { ListingRecord } from './simulation.ts'
import { isHistoricIsland } from './zones.ts'

export function remarksOf(listing: ListingRecord, seed: number): string {
  const random = randomFor(seed, 'remarks', listing.listingId)
  if (random.chance(0.02)) return ''
  const { parcel, home } = listing
  if (home.propertyType === 'land') return random.pick(landSentences)
  const island = isHistoricIsland(parcel.zone.market)
  const sentences = [opener(listing, random)]
  if (home.yearBuilt >= yearOf(listing.listedOn) - 1) sentences.push(random.pick(newSentences))
  else sentences.push(...drawConditionSentences(home.condition, random))
  if (island && random.chance(0.45))
    sentences.push(random.pick(home.yearBuilt >= 1900 ? islandSentences : antiqueSentences(home.condition)))
  if (listing.teardownProbability > 0.2 && random.chance(0.45)) sentences.push(random.pick(teardownSentences))
  else if (listing.teardownProbability > 0.08 && random.chance(0.15)) sentences.push(random.pick(teardownSentences))
  if (home.livingSqft < parcel.envelopeSqft * 0.62 && random.chance(0.25)) sentences.push(random.pick(roomSentences))
  if (random.chance(parcel.hill > 0.4 || island ? 0.42 : 0.14)) sentences.push(random.pick(viewSentences))
  if (random.chance(0.5)) sentences.push(random.pick(placeSentences))
  // Phrases that look like condition evidence but are not.
  if (random.chance(0.03)) sentences.push(random.pick(misleadingSentences))
  return sentences.join(' ')
}

/** A photo analysis, present on the 5% of listings whose feed includes one. */
export function visionOf(listing: ListingRecord, seed: number): string {
  const random = randomFor(seed, 'vision', listing.listingId)
  if (listing.home.propertyType === 'land' || !random.chance(0.05)) return ''
  const texts = visionTexts[conditionBucket(listing.home.condition, random)] ?? []
  return random.pick(texts)
}

/** Most remarks describe the overall condition, many also the kitchen, baths or systems; some mention neither. */
function drawConditionSentences(condition: number, random: Random): string[] {
  const words: string[] = []
  if (random.chance(0.88)) words.push(random.pick(conditionSentences[conditionBucket(condition, random)] ?? []))
  if (random.chance(0.6)) words.push(random.pick(detailSentences[conditionBucket(condition, random)] ?? []))
  return words
}

/** 0 worst .. 3 best, as an agent judges it: with a small random error, and 5% of the time one bucket off. */
function conditionBucket(condition: number, random: Random): number {
  const judged = condition + 0.05 * random.normal()
  const bucket = judged < 0.3 ? 0 : judged < 0.48 ? 1 : judged < 0.66 ? 2 : 3
  const error = random.chance(0.05) ? (random.chance(0.5) ? 1 : -1) : 0
  return clamp(bucket + error, 0, 3)
}

function opener({ home, parcel }: ListingRecord, random: Random): string {
  const size = home.livingSqft.toLocaleString('en-US')
  const lot = parcel.lotSqft.toLocaleString('en-US')
  const rooms = `${home.beds}-bedroom, ${home.baths}-bath`
  const kind = home.propertyType === 'condo' ? 'condominium' : home.propertyType === 'townhouse' ? 'townhome' : 'home'
  if (home.propertyType === 'condo') return `${capital(rooms)} ${kind} of about ${size} sq ft.`
  return random.pick([
    `${capital(rooms)} ${kind} on ${parcel.street}.`,
    `${capital(rooms)} ${kind}, about ${size} sq ft on a ${lot} sq ft lot.`,
    `${capital(rooms)} ${kind} in ${parcel.zone.area ?? parcel.zone.city}, near ${parcel.street}.`,
    `Welcome to ${parcel.street}: ${rooms}, ${size} sq ft.`,
    `${capital(rooms)} ${kind} with ${parcel.cornerLot ? 'a sunny corner' : 'a private yard'}.`,
    `${home.yearBuilt}-built ${kind}, ${rooms}, ${size} sq ft.`,
    `Charming ${rooms} ${kind} in ${parcel.zone.area ?? parcel.zone.city}.`,
    `${parcel.zone.area ?? parcel.zone.city} ${kind} with ${home.beds} bedrooms and ${home.baths} baths.`,
    `Custom ${rooms} ${kind} with ${parcel.cornerLot ? 'a corner lot' : 'a private yard'}.`,
  ])
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const conditionSentences: readonly (readonly string[])[] = [
  [
    'Same owner for decades; bring your contractor and your imagination.',
    'Needs work throughout and priced to reflect it.',
    'Trust sale, sold as is, no repairs or credits.',
    'Deferred maintenance; cash or renovation loan preferred.',
    'A true fixer on a great street.',
    'Needs TLC inside and out; bring your ideas.',
    'House is not habitable, do not walk the floors; drive by only.',
  ],
  [
    'Original kitchen and baths, solid bones, great street.',
    'Well loved and largely original, ready for your updates.',
    'Great potential for the buyer who wants to remodel over time.',
    'Vintage details remain; baths are dated but clean.',
    'Original condition, offered as is.',
  ],
  [
    'Well kept and comfortable, with hardwood floors and a sunny kitchen.',
    'Fresh paint and refinished oak floors.',
    'Move-in ready, with newer furnace and water heater.',
    'Bright living room, dual-pane windows, attached garage.',
    'Kitchen remodel some years ago; comfortable as it is.',
    'Updated kitchen; baths with a classic look.',
  ],
  [
    'Kitchen remodeled with quartz counters and induction range, permits on file.',
    'Taken to the studs a few years ago: new foundation, plumbing, electrical, roof and windows.',
    'Fresh paint, refinished oak floors and a new composition roof.',
    'Owned solar, battery and EV charging keep bills low.',
    'Light-filled, opened up and tastefully updated.',
    'Beautifully remodeled kitchen and baths, designer finishes throughout.',
    'Recently remodeled from top to bottom.',
    'Remodeled in stages, most recently the primary suite.',
    'Completely remodeled, updated systems, turnkey.',
  ],
]

/** Kitchen, baths and systems. */
const detailSentences: readonly (readonly string[])[] = [
  [
    'Foundation and roof need attention; inspection reports on request.',
    'Kitchen and baths need full replacement.',
    'Contractor special: knob-and-tube wiring, galvanized pipes, no central heat.',
    'Water damage in the rear bedrooms.',
    'Needs updating throughout.',
    'Major repairs required; not financeable by a conventional loan.',
  ],
  [
    'Kitchen and baths are original to the house.',
    'Dated finishes, single-pane windows and wall heater.',
    'Systems are original and serviceable.',
    'Ready for cosmetic updates.',
    'Original tile baths, linoleum kitchen.',
    'Never remodeled.',
  ],
  [
    'Kitchen updated about ten years ago.',
    'Newer appliances and a refreshed hall bath.',
    'Roof, furnace and water heater all newer.',
    'Well maintained inside and out.',
    'Pride of ownership shows.',
    'Lovingly maintained, with refinished hardwood floors.',
  ],
  [
    'Remodeled kitchen and baths, new electrical and plumbing.',
    'Chef kitchen with quartz island; spa-like primary bath.',
    'New windows, new roof, central air.',
    'Fully renovated inside and out.',
    'Turnkey, nothing to do but move in.',
    'New kitchen, new baths, wide-plank oak floors.',
  ],
]

const newSentences = [
  "Just completed, all-electric home with ten-foot ceilings and a builder's warranty.",
  'Brand-new construction by a local builder, never lived in.',
  'New construction with great room, chef kitchen and fire sprinklers.',
]

const teardownSentences = [
  'Value is in the land: level lot on a block of newly built homes.',
  'Build your dream home or hold; plans are in process with the city.',
  'Builder alert: wide lot, no heritage trees, utilities at street.',
  'Approved plans convey for a two-story home with basement and detached ADU.',
  'Buyer to verify floor-area ratio, lot-split and ADU potential with the planning department.',
  'Lot value; opportunity to develop.',
]

const roomSentences = [
  'Generous rear yard with room to expand or add an ADU.',
  'Detached garage ready for conversion, alley access.',
  'Large lot with expansion potential.',
]

const viewSentences = [
  'Sweeping views from the main rooms.',
  'Peek-a-boo water views from upstairs.',
  'Canyon views and evening light.',
  'Views to the hills.',
]

const placeSentences = [
  'Close to parks, schools and downtown.',
  'Easy walk to shops and the train.',
  'Quiet street, wide sidewalks, friendly neighbors.',
  'Minutes to commute routes.',
  'Open Saturday and Sunday.',
  'Large level lot with fruit trees.',
]

const islandSentences = [
  'Rose-covered cottage a short walk from the bluff path, same family for three generations.',
  'Room to expand: unused ground cover and HDC-approved plans for a cottage and pool.',
  'Near the dunes, with a strong rental history.',
  'Outdoor shower, bluestone patio and mature hydrangeas.',
]

const antiqueSentences = (condition: number): string[] => [
  'Antique house in the Old Historic District with wide-board floors, fireplaces and a walled garden.',
  condition > 0.6
    ? 'Renovated antique with a new foundation and sidewall, harbor views from the roof walk.'
    : 'Antique with its old sidewall, harbor views from the roof walk.',
  'Period woodwork, captain’s staircase and a brick walk to the door.',
]

const landSentences = [
  'Buildable lot, utilities at the street; buyer to verify everything with the planning department.',
  'Vacant parcel with survey on file. Bring your architect.',
]

const misleadingSentences = [
  'Fixer-free living.',
  'No fixer here.',
  'This is not a teardown.',
  'New construction nearby adds to the appeal.',
  'Updated disclosures available on request.',
  'Plans not included.',
]

const visionTexts: readonly (readonly string[])[] = [
  [
    'Exterior: peeling paint and a sagging porch roof. Kitchen and baths original, stained ceilings in two rooms. Reads as C6.',
    'Overgrown yard, boarded side window, worn subfloor visible. Heavy repair expected; C5 to C6.',
  ],
  [
    'Kitchen with tile counters and older cabinets; carpet throughout, single-pane windows. Dated but sound, about C5.',
    'Original baths in colored tile, roof near the end of its life. C4 to C5.',
  ],
  [
    'Clean and maintained; mix of newer and older finishes. About C4.',
    'Newer appliances, older cabinets, tidy yard. C3 to C4.',
  ],
  [
    'Recently renovated kitchen with stone counters, new flooring and recessed lighting. About C2 to C3.',
    'High-grade finishes throughout, landscaped yard, new windows. C2.',
  ],
]
