import { describe, expect, test } from 'vitest'
import { conditionScore, nearestLevel } from '../../../src/intelligence/condition/condition.ts'
import type { ConditionFacts, ConditionPermit } from '../../../src/intelligence/condition/condition-evidence.ts'
import { conditionLevels } from '../../../src/intelligence/condition/condition-phrases.ts'

const on = '2026-11-15'
const home = (facts: ConditionFacts) => conditionScore({ yearBuilt: 1955, ...facts }, on)
const score = (remarks: string) => home({ remarks }).score!
const plain = home({}).score!

describe('what the remarks say', () => {
  test.each([
    'Needs work throughout and priced to reflect it.',
    'Major fixer on a great street',
    'Original kitchen and baths, solid bones, great street.',
    'Deferred maintenance; cash or renovation loan preferred.',
    'Same owner since 1958; bring your contractor and your imagination.',
    'Value is in the land: level 7,500 sq ft lot on a block of newly built homes.',
    'House is not habitable, do not walk the floors; drive by only.',
    'A true tear-down.',
    'This home has not been updated since it was built.',
  ])('lowers the score: %s', (remarks) => {
    expect(score(remarks)).toBeLessThan(plain - 5)
  })

  test.each([
    'Taken to the studs in 2019: new foundation, plumbing, electrical, roof and windows.',
    'Kitchen redone in 2021 with quartz counters and induction range, permits on file.',
    'Light-filled mid-century ranch, opened up and tastefully updated.',
    'Turn-key and move-in ready!',
    'Not only renovated but landscaped.',
    'Original hardwood floors shine in this lovingly maintained home.',
    'Just completed, all-electric five-bedroom home with ten-foot ceilings and a builder’s warranty.',
    'Brand-new construction five blocks from downtown and Caltrain.',
  ])('raises the score: %s', (remarks) => {
    expect(score(remarks)).toBeGreaterThan(plain + 2)
  })

  test.each([
    'Not a fixer.',
    'This was a fixer before the owners bought it.',
    'No longer a fixer',
    'Fixer-free living.',
    'No fixer here!',
    'This is not a teardown.',
    'New construction nearby.',
    'A street of newly built homes.',
    'Updated disclosures available.',
    'Approved plans not included.',
    'Potential ADU in the rear yard.',
    'Buyer to verify floor-area ratio, lot-split and ADU potential with the planning department.',
    'Garage ready to be remodeled.',
    'Demographics and modems; a fixerupperish word.',
  ])('says nothing about condition: %s', (remarks) => {
    expect(score(remarks)).toBeCloseTo(plain, 6)
  })

  test('a renovation in 2003 counts less than one in 2021, and one in 1980 does not count', () => {
    const [old, recent, ancient] = [2003, 2021, 1980].map((year) => score(`Updated kitchen in ${year}.`))
    expect(recent).toBeGreaterThan(old!)
    expect(ancient).toBeCloseTo(plain, 6)
  })

  test('work that a buyer could do does not count as done: "wants to remodel", "remodel or build new"', () => {
    expect(score('Great potential for the buyer who wants to remodel over time.')).toBeLessThan(plain)
    expect(score('Remodel or build new.')).toBeLessThanOrEqual(plain)
    expect(score('Complete remodel in 2022.')).toBeGreaterThan(plain + 5)
  })

  test('"move-in ready" scores lower than renovated', () => {
    expect(score('Move-in ready.')).toBeLessThan(score('Completely remodeled.'))
  })

  test('"as is" in a trust sale moves the score only a little', () => {
    const legal = score('Trust sale, sold as-is, no repairs or credits.')
    expect(legal).toBeLessThan(plain)
    expect(legal).toBeGreaterThan(plain - 6)
  })

  test('repeating a phrase does not count twice', () => {
    expect(score('Fixer. Fixer! FIXER.')).toBeCloseTo(score('Fixer.'), 9)
  })

  test('evidence that is not used is listed with the reason', () => {
    expect(home({ remarks: 'Not a fixer. New construction nearby.' }).setAside).toEqual([
      { phrase: 'fixer', scope: 'negated' },
      { phrase: 'new construction', scope: 'elsewhere' },
    ])
  })

  test('the time to read remarks grows linearly with their length, also for hostile text', () => {
    const hostile = `${'not '.repeat(50_000)}fixer ${'a-'.repeat(50_000)}`
    expect(Number.isFinite(score(hostile))).toBe(true)
  })

  test('only phrases about this lot count as land phrases', () => {
    expect(home({ remarks: 'Value is in the land. Not a teardown. Build your dream home!' }).landPhrases).toEqual([
      'value is in the land',
      'build your dream home',
    ])
  })
})

describe('other evidence', () => {
  test('a recent renovation and a large remodel permit raise the score; a canceled permit does not', () => {
    expect(home({ yearRenovated: 2022 }).score!).toBeGreaterThan(plain + 5)
    const permit = {
      permitClass: 'remodel',
      status: 'finaled',
      finaledOn: '2023-05-01',
      valuationUsd: 250_000,
    } as const
    expect(home({ permits: [permit] }).score!).toBeGreaterThan(plain + 5)
    expect(home({ permits: [{ ...permit, status: 'cancelled' }] }).score!).toBeCloseTo(plain, 9)
  })

  test('work never lowers a good rating, and wear never raises a bad one', () => {
    const permits = (...classes: ConditionPermit['permitClass'][]): ConditionPermit[] =>
      classes.map((permitClass) => ({ permitClass, status: 'issued', issuedOn: '2025-05-01', valuationUsd: 900_000 }))
    const done = permits('remodel', 'addition', 'roof')
    const good = {
      condition: 95,
      yearRenovated: 2024,
      permits: done,
      remarks: 'Beautifully remodeled, well maintained.',
    }
    expect(home(good).score!).toBeCloseTo(95, 9)
    expect(home({ condition: 15, remarks: 'Needs TLC. Dated baths. Not updated.' }).score!).toBeCloseTo(15, 9)
    expect(home({ condition: 10, permits: permits('whole_house_demolition') }).score!).toBeCloseTo(10, 9)
    expect(home({ condition: 40, permits: done }).score!).toBeGreaterThan(60)
  })

  test('a finished new house counts from its permit', () => {
    const finished = home({ permits: [{ permitClass: 'new_house', status: 'finaled', finaledOn: '2026-03-01' }] })
    expect(finished.score!).toBeGreaterThan(90)
  })

  test('photos count more than remarks', () => {
    const words = 'Renovated and turnkey.'
    expect(home({ remarks: words, visionCondition: 'C5' }).score!).toBeLessThan(55)
    expect(home({ visionAnalysis: 'Overall C2: new kitchen, new baths.' }).score!).toBeGreaterThan(75)
  })

  test('an analysis that names two neighboring grades gets a score between them; grades far apart are not averaged', () => {
    const between = home({ visionAnalysis: 'Dated but sound. C4 to C5.' })
    const above = home({ visionAnalysis: 'Dated but sound. C4.' }).score!
    const below = home({ visionAnalysis: 'Dated but sound. C5.' }).score!
    expect(between.score!).toBeLessThan(above)
    expect(between.score!).toBeGreaterThan(below)
    expect(home({ visionAnalysis: 'Kitchen C2, roof C6.' }).parts.some((part) => part.because.includes('C2 to'))).toBe(
      false,
    )
  })

  test('without any fact there is no score', () => {
    const nothing = conditionScore({}, on)
    expect(nothing.score).toBeUndefined()
    expect(nothing.missing).toContain('yearBuilt')
  })
})

describe('the finding', () => {
  test('parts add up to the score, which is between 0 and 100', () => {
    for (const remarks of ['Fixer with land value', 'renovated turnkey new kitchen 2024', 'trust sale as is', '']) {
      const finding = home({ remarks, yearRenovated: 2010 })
      expect(finding.parts.reduce((sum, part) => sum + part.points, 0)).toBeCloseTo(finding.score!, 9)
      expect(finding.score!).toBeGreaterThanOrEqual(15)
      expect(finding.score!).toBeLessThanOrEqual(95)
    }
  })

  test('the confidence is high with photos or two strong kinds of evidence, medium with one or with the age', () => {
    const confidence = (facts: ConditionFacts) => conditionScore(facts, on).confidence
    const slight = 'Trust sale, sold as-is.'
    expect(confidence({ visionCondition: 'C4' })).toBe('high')
    expect(confidence({ yearRenovated: 2022, remarks: 'Completely remodeled.' })).toBe('high')
    expect(confidence({ yearRenovated: 2022 })).toBe('medium')
    expect(confidence({ yearBuilt: 1955, remarks: slight })).toBe('medium')
    expect(confidence({ yearBuilt: 1955 })).toBe('low')
    expect(confidence({ remarks: slight })).toBe('low')
  })

  test('the six grades score 95, 85, 70, 55, 35 and 15', () => {
    expect(Object.values(conditionLevels)).toEqual([95, 85, 70, 55, 35, 15])
    for (const [level, points] of Object.entries(conditionLevels)) expect(nearestLevel(points)).toBe(level)
    // Halfway it is the better grade, but C3 between C2 and C3.
    expect([90, 77.5, 62.5, 45, 25].map(nearestLevel)).toEqual(['C1', 'C3', 'C3', 'C4', 'C5'])
  })
})

describe('permits of a house that was replaced', () => {
  const demolition = (issuedOn: string, finaledOn?: string): ConditionPermit => ({
    permitClass: 'whole_house_demolition',
    status: finaledOn ? 'finaled' : 'issued',
    issuedOn,
    finaledOn,
  })
  const scoreWith = (yearBuilt: number, ...permits: ConditionPermit[]) => conditionScore({ yearBuilt, permits }, on)

  test('do not count for the new house, even if they were closed after it was finished', () => {
    const alone = scoreWith(2026).score!
    expect(scoreWith(2026, demolition('2025-02-01')).score).toBe(alone)
    expect(scoreWith(2026, demolition('2026-01-10')).score).toBe(alone)
    expect(scoreWith(2024, demolition('2023-02-01', '2025-03-01')).score).toBe(scoreWith(2024).score)
    expect(
      scoreWith(2020, { permitClass: 'remodel', status: 'finaled', issuedOn: '2014-01-01', valuationUsd: 300_000 })
        .parts,
    ).toHaveLength(1)
  })

  test('are recognized by the permit of the new house if the assessor’s roll still has the old year', () => {
    const permits = [
      demolition('2023-02-01'),
      { permitClass: 'new_house', status: 'finaled', issuedOn: '2023-05-01', finaledOn: '2025-06-01' } as const,
    ]
    expect(scoreWith(1952, ...permits).score).toBe(scoreWith(1952, permits[1]!).score)
  })

  test('a demolition permit issued after the house was built is about this house', () => {
    expect(scoreWith(1952, demolition('2025-02-01')).score).toBeLessThan(scoreWith(1952).score! - 15)
  })
})

test('names what was known, what was not, and the phrases that do not apply', () => {
  const bare = conditionScore({}, on)
  expect(bare).toMatchObject({ used: [], confidence: 'low', landPhrases: [], setAside: [] })
  expect(bare.missing).toEqual(['remarks', 'yearBuilt', 'yearRenovated', 'condition', 'permits', 'visionAnalysis'])
  const known = conditionScore(
    { remarks: 'Not a fixer.', yearBuilt: 1955, yearRenovated: 2010, condition: 3, permits: [] },
    on,
  )
  expect(known.used).toEqual(['remarks', 'yearBuilt', 'yearRenovated', 'condition', 'permits'])
  expect(known.missing).toEqual(['visionAnalysis'])
  expect(known.setAside).toEqual([{ phrase: 'fixer', scope: 'negated' }])
  expect(conditionScore({ remarks: 'Major fixer.' }, on).setAside).toEqual([])
})
