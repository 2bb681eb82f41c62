// Made-up permits with wording as varied as real cities': a few phrases in most permits, and a long tail of street names,
// people, firms, model numbers, references and misspellings, drawn by Zipf's law. Every row depends on the seed and its number.
import { type Random, randomFor } from '../tools/sample/random.ts'

/** What a permit is for, as the sample words it. */
export interface Phrase {
  projectType: string
  description: string
  permitClass: string
}

export interface City {
  city: string
  citySlug: string
  market: string
  state: string
}

export interface BenchPermit extends City {
  permitId: string
  address: string
  projectType: string
  description: string
  valuation: number | null
  sqft: number | null
  contractor: string | null
  architect: string | null
  issuedOn: string | null
  permitClass: string
}

const sizes = { streets: 30_000, people: 120_000, firms: 40_000, studios: 8_000, trade: 200_000, models: 150_000 }
const cities = 60
const days = 7300

export const permitWording = (phrases: readonly Phrase[], known: readonly City[], newest: Date, seed = 1) => {
  const people = names(randomFor(seed, 'people'), sizes.people, 2, 3)
  const streets = names(randomFor(seed, 'streets'), sizes.streets, 2, 3)
  const trade = names(randomFor(seed, 'trade'), sizes.trade, 2, 4).map((name) => name.toLowerCase())
  const models = modelNumbers(randomFor(seed, 'models'), sizes.models)
  const firms = withEndings(randomFor(seed, 'firms'), people, sizes.firms, firmEndings)
  const studios = withEndings(randomFor(seed, 'studios'), people, sizes.studios, ['Architects', 'Design', 'Studio'])
  const places = [...known, ...inventedCities(randomFor(seed, 'cities'), cities - known.length)].slice(0, cities)

  const described = (random: Random): { phrase: Phrase; text: string } => {
    const phrase = zipf(random, phrases)
    const parts = [phrase.description]
    if (random.chance(0.3)) parts.push(`Also ${zipf(random, phrases).description.toLowerCase()}`)
    if (random.chance(0.45)) parts.push(Array.from({ length: random.int(1, 4) }, () => zipf(random, trade)).join(' '))
    if (random.chance(0.15)) parts.push(`Model ${zipf(random, models)}`)
    if (random.chance(0.12)) parts.push(`Owner ${zipf(random, people)} ${zipf(random, people)}`)
    if (random.chance(0.12)) parts.push(`${random.int(4, 60)}x${random.int(4, 60)} at ${zipf(random, streets)}`)
    if (random.chance(0.08))
      parts.push(`See ${numberOf(random.int(0, 4), random.int(2006, 2026), random.int(1, 40_000))}`)
    const text = parts.join('. ')
    return { phrase, text: random.chance(0.05) ? misspelled(random, text) : text }
  }

  /** The permits of one city in the order of their dates, as its feed brings them. */
  const ofCity = function* (at: number, count: number): Generator<BenchPermit> {
    const place = places[at]!
    for (let i = 0; i < count; i++) {
      const random = randomFor(seed, 'permit', at, i)
      const daysAgo = Math.floor(days * (1 - ((i + random.unit()) / count) ** 0.7))
      const issuedOn = new Date(newest.getTime() - daysAgo * 86_400_000).toISOString().slice(0, 10)
      const { phrase, text } = described(random)
      const unit = random.chance(0.15) ? ` ${random.pick(['Unit', 'Apt', '#', 'Ste'])} ${random.int(1, 400)}` : ''
      yield {
        ...place,
        permitId: numberOf(at % 5, Number(issuedOn.slice(0, 4)), i + 1),
        address: `${Math.floor(10 ** random.between(0.5, 4))} ${zipf(random, streets)} ${random.pick(streetEndings)}${unit}`,
        projectType: phrase.projectType,
        permitClass: phrase.permitClass,
        description: text,
        valuation: random.chance(0.1) ? null : Math.max(1, Math.round(25_000 * Math.exp(1.6 * random.normal()))),
        sqft: random.chance(0.6) ? null : random.int(80, 6000),
        contractor: random.chance(0.15) ? null : zipf(random, firms),
        architect: random.chance(0.6) ? null : zipf(random, studios),
        issuedOn: random.chance(0.03) ? null : issuedOn,
      }
    }
  }

  return {
    places,
    /** `total` permits, larger and smaller cities, one city after another. */
    permits: function* (total: number): Generator<BenchPermit> {
      const weights = places.map((_, at) => 1 / (at + 3))
      const sum = weights.reduce((a, b) => a + b, 0)
      let left = total
      for (const [at, weight] of weights.entries()) {
        const count = at === weights.length - 1 ? left : Math.round((total * weight) / sum)
        left -= count
        yield* ofCity(at, count)
      }
    },
  }
}

/** Of rank r with a chance in proportion to 1 / r. */
const zipf = <T>(random: Random, items: readonly T[]): T =>
  items[Math.floor(Math.exp(random.unit() * Math.log(items.length + 1))) - 1]!

const onsets = 'b br c ch cl d dr f fl g gr h j k l m n p pr qu r s sh st t th tr v w y z'.split(' ')
const vowels = 'a e i o u a e i o ai ea ee io ou'.split(' ')
const codas = ['', '', 'n', 'r', 'l', 's', 'm', 't', 'nd', 'rk', 'ss', 'll', 'ng', 'ck', 'x']
const syllable = (random: Random) => random.pick(onsets) + random.pick(vowels) + random.pick(codas)

const distinct = (count: number, make: () => string): string[] => {
  const made = new Set<string>()
  while (made.size < count) made.add(make())
  return [...made]
}

const names = (random: Random, count: number, fewest: number, most: number): string[] =>
  distinct(count, () => {
    const name = Array.from({ length: random.int(fewest, most) }, () => syllable(random)).join('')
    return name[0]!.toUpperCase() + name.slice(1)
  })

const modelNumbers = (random: Random, count: number): string[] =>
  distinct(count, () => {
    const letters = Array.from({ length: random.int(1, 4) }, () => String.fromCharCode(65 + random.int(0, 25))).join('')
    return `${letters}${random.pick(['', '-'])}${random.int(10, 99_999)}${random.chance(0.5) ? String.fromCharCode(65 + random.int(0, 25)) : ''}`
  })

const firmEndings =
  'Builders,Construction Inc,& Sons,& Sons Contracting,Roofing,Solar,Plumbing & Heating,Electric,LLC,Homes'.split(',')
const streetEndings = 'St St St Ave Ave Dr Rd Ct Way Ln Blvd Pl'.split(' ')

const withEndings = (random: Random, people: readonly string[], count: number, endings: readonly string[]): string[] =>
  distinct(count, () => {
    const first = random.chance(0.3) ? `${zipf(random, people)} ` : ''
    return `${first}${random.pick(people)} ${random.pick(endings)}`
  })

const inventedCities = (random: Random, count: number): City[] =>
  names(random, Math.max(0, count), 2, 3).map((city) => ({
    city,
    citySlug: city.toLowerCase(),
    market: 'sf-peninsula',
    state: 'CA',
  }))

const numberOf = (style: number, year: number, serial: number): string => {
  const five = String(serial).padStart(5, '0')
  return [
    `BLD${year % 100}-${five}`,
    `B${year}-${five}`,
    `${year}-${five}`,
    `BP-${year}-${five}`,
    `${year % 100}-${five}`,
  ][style]!
}

/** One letter of one longer word is dropped, doubled or replaced. */
const misspelled = (random: Random, text: string): string => {
  const words = text.split(' ')
  const at = random.int(0, words.length - 1)
  const word = words[at]!
  if (word.length < 5) return text
  const place = random.int(1, word.length - 2)
  const letter = random.pick(['', word[place]! + word[place]!, String.fromCharCode(97 + random.int(0, 25))])
  words[at] = word.slice(0, place) + letter + word.slice(place + 1)
  return words.join(' ')
}
