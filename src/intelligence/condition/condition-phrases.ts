// Phrases in listing remarks that describe a house's condition. `level` is the point on the UAD scale that the phrase
// indicates and `weight` how strongly, compared with 1 for the house's age alone. The weights are assumptions.

import { type Phrase, words } from './phrase-scan.ts'

type PhraseKind = 'land' | 'fixer' | 'dated' | 'kept' | 'updated' | 'new'

export interface ConditionPhrase extends Phrase {
  readonly kind: PhraseKind
  readonly level: number
  readonly weight: number
}

/** UAD C1..C6 on the 0-100 scale. */
export const conditionLevels = { C1: 95, C2: 85, C3: 70, C4: 55, C5: 35, C6: 15 } as const
export type ConditionLevel = keyof typeof conditionLevels

const { C1, C2, C3, C5, C6 } = conditionLevels

/** `texts` are separated by commas. */
const phrases = (kind: PhraseKind, level: number, weight: number, texts: string): ConditionPhrase[] =>
  texts.split(/,\s+/).map((text) => ({ text, kind, level, weight }))

/** Near one of these words, "potential" is about what could be added and not about the condition of the house. */
const additions = words(`adu adus jadu unit units rental income expansion expand lot split sb9 sb view views studio
  law office pool cottage subdivide subdivision development bedroom guest`)

export const conditionPhrases: readonly ConditionPhrase[] = [
  ...phrases(
    'land',
    C6,
    2,
    `tear down, teardown, land value, lot value, value is in the land, value in the land, uninhabitable,
    not habitable, do not enter, do not walk, red tagged, red tag, scraper`,
  ),
  ...phrases(
    'land',
    25,
    1,
    `build your dream home, build your dream house, builder's delight, builders delight, builder alert,
    builder special, builders special, builder's special, attention builders, attention developers, drive by only,
    plans approved, approved plans, ready to build, rti, bring your architect, demo, vacant lot, house has no value,
    do not disturb occupants`,
  ),
  ...phrases('land', 30, 0.4, 'developer, developers'),
  {
    text: 'no access',
    kind: 'land',
    level: 30,
    weight: 0.4,
    unlessNear: ['freeway', 'highway', 'alley', 'elevator', 'road'],
  },

  ...phrases(
    'fixer',
    C5,
    2,
    `fixer, fixer upper, major fixer, needs work, needs tlc, needs some tlc, needs a little tlc, in need of tlc,
    in need of repair, in need of repairs, needs updating, needs repairs, handyman, handyman special,
    contractor special, contractor's special, contractors special, bring your contractor, deferred maintenance,
    diamond in the rough, bring your imagination, major repairs, water damage, foundation issues,
    foundation problems, foundation repair, foundation work, cracked foundation, sweat equity, rehab,
    needs attention, need attention, needs full replacement, need full replacement, not financeable, knob and tube,
    galvanized pipes, galvanized plumbing`,
  ),
  ...phrases('fixer', 25, 2.5, 'fire damage, fire damaged, structural damage, mold, condemned'),
  ...phrases('fixer', C5, 0.5, 'cash only, cash or renovation loan, investor special, investors special'),
  // Trust and probate sales say "as is" for legal reasons in any condition, so these phrases have a low weight.
  ...phrases('fixer', 45, 0.15, 'as is, estate sale, probate, trust sale, investor, investors, no repairs'),
  { text: 'potential', kind: 'fixer', level: 45, weight: 0.15, unlessNear: additions },
  // "Foundation" alone is not counted: it occurs in "new foundation" as often as in a complaint.

  ...phrases(
    'dated',
    42,
    1.5,
    `original condition, original kitchen, original kitchens, original baths, original bathrooms, original bath,
    never updated, never remodeled, never been updated, time capsule, largely original, mostly original,
    original throughout, original to the house, are original, original tile, dated finishes, is dated, are dated,
    ready for your updates, ready for updating, ready for cosmetic updates, ready for a remodel,
    ready for renovation, cosmetic updates, cosmetic updating, single pane windows, wall heater`,
  ),
  ...phrases(
    'dated',
    45,
    1,
    `to remodel, remodel over time, remodel or, or remodel, to renovate, renovate or, or renovate, needs a remodel`,
  ),

  ...phrases(
    'kept',
    C3,
    1,
    `well maintained, meticulously maintained, lovingly maintained, lovingly cared, well kept, pride of ownership,
    immaculate, pristine`,
  ),
  ...phrases(
    'kept',
    72,
    0.4,
    `original hardwood floors, original hardwood floor, original hardwood, original oak floors, refinished hardwood,
    refinished hardwood floors, refinished oak floors, fresh paint, freshly painted, original details,
    original charm, original character, original moldings`,
  ),

  ...phrases(
    'updated',
    C2,
    2,
    `remodeled, renovated, completely remodeled, fully remodeled, totally remodeled, beautifully remodeled,
    newly remodeled, completely renovated, fully renovated, newly renovated, turnkey, turn key, complete remodel,
    full remodel, recent remodel, complete renovation, full renovation, recent renovation, gut renovation`,
  ),
  // "Remodel" alone is not counted: "remodel or build new" is as common as "after the remodel".
  ...phrases('updated', C3, 1.5, 'move in ready'),
  ...phrases('updated', 88, 3, 'down to the studs, to the studs, taken to the studs, from the studs'),
  ...phrases(
    'updated',
    78,
    1,
    `updated, kitchen remodel, bath remodel, bathroom remodel, tastefully updated, beautifully updated, upgraded,
    redone, remodeled kitchen, updated kitchen, updated baths, updated bathrooms, updated bathroom, kitchen redone,
    new kitchen, brand new kitchen, chef's kitchen, chef kitchen, chefs kitchen, spa like, gourmet kitchen`,
  ),
  ...phrases(
    'updated',
    76,
    0.5,
    `new roof, newer roof, new composition roof, new foundation, new windows, new plumbing, new electrical,
    new furnace, quartz, new baths, new bathrooms`,
  ),

  ...phrases(
    'new',
    C1,
    3,
    `newly built, new construction, brand new construction, newly constructed, just completed, brand new home,
    brand new house, builder's warranty, builders warranty, never lived in`,
  ),
]

/** Phrases that indicate a sale for the value of the land. */
export const isLandPhrase = (phrase: ConditionPhrase): boolean => phrase.kind === 'land'
