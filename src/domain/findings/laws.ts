// State and local laws as an answer names them, and what they let an owner build. The laws themselves are in src/laws.
import type { Static } from 'typebox'
import { list, literals, object, optional, text, texts } from '../../common/shape.ts'
import { assessedOn, identity, listingStatus, searchedRow } from '../searched-row.ts'
import { ConfidenceLevel, modelVersion } from './findings.ts'
import { BlockReason, TraceRow } from './rules.ts'

/** What a law lets an owner do, in words. Each kind has a list of leads; the page of a use is made from `page`. */
export const leadKindTable = {
  lot_split: { words: 'lot splits' },
  accessory_unit: { words: 'accessory units' },
  small_lots: {
    words: 'small-lot subdivisions',
    page: { slug: 'small-lots', title: 'Small lots', lede: 'Lots that could be divided into several small ones.' },
  },
  transit: {
    words: 'buildings near transit',
    page: { slug: 'transit', title: 'Near transit', lede: 'Lots near a station that could hold five homes or more.' },
  },
  local_dwellings: {
    words: 'further dwellings',
    page: { slug: 'dwellings', title: 'Further dwellings', lede: 'Lots where a second or third dwelling is allowed.' },
  },
  divide: {
    words: 'lot divisions',
    page: { slug: 'divisions', title: 'Lot divisions', lede: 'Lots with area and frontage for two lots or more.' },
  },
} as const
export type LeadKind = keyof typeof leadKindTable
export const leadKinds = Object.keys(leadKindTable) as LeadKind[]
/** Kinds whose finding is only the uses that the law allows; one operation and one page list them all. */
export const useKinds = ['small_lots', 'transit', 'local_dwellings', 'divide'] as const satisfies readonly LeadKind[]
export type UseKind = (typeof useKinds)[number]
export const isUseKind = (kind: string): kind is UseKind => useKinds.some((each) => each === kind)

export const LawReference = object('LawReference', 'The law that a lead follows from', {
  id: text('Law id, as in GET /v1/markets'),
  title: text('What the law is about'),
  asOf: text('Day of the text that the rules follow'),
  url: text('Where the law can be read'),
})
export type LawReference = Static<typeof LawReference>

export const useSchemes = ['add_unit', 'two_units', 'split', ...useKinds] as const
export const allowances = ['yes', 'likely', 'conditional', 'no', 'unknown'] as const
export const approvals = ['none', 'ministerial', 'design_review', 'discretionary', 'unknown'] as const
export const useVariants = ['house_stays', 'house_goes', 'third_dwelling'] as const

const RuleText = object('LawfulUseCondition', {
  code: text('Stable code of the rule'),
  text: text('What it says here'),
  citation: text('Where it is written'),
})
const OpenRule = object('LawfulUseOpenRule', {
  code: text('Stable code of the rule'),
  rule: text('What the law asks'),
  text: text('What is not known'),
  citation: text('Where it is written'),
})

export const LawfulUse = object('LawfulUse', 'One use of a lot under one law', {
  scheme: literals(useSchemes, { description: 'What is done with the lot' }),
  variant: optional.literals(useVariants, { description: 'Which form of it; absent where there is one' }),
  allowed: literals(allowances, {
    description:
      'likely: nothing bars it, and the rules in untestedRules could not be tested. conditional: depends on what a buyer cannot choose. unknown: a rule that decides it is not known',
  }),
  approval: literals(approvals, {
    description: 'ministerial: without a hearing. design_review: of the look. discretionary: may be refused',
  }),
  decidedBy: optional.text('Who decides'),
  homes: optional.integer('Most homes on the land as it is today, existing ones included'),
  leastHomes: optional.integer('Fewest homes that the law accepts'),
  lots: optional.integer('Most lots'),
  sizes: optional(
    object('LawfulUseSizes', 'Sizes that the law sets, in square feet and feet', {
      guaranteedUnitSqft: optional.number('A unit of this size may not be prevented'),
      largestUnitSqft: optional.number('Largest unit'),
      averageUnitSqft: optional.number('Largest average of the units'),
      floorAreaSqft: optional.number('Floor area of all units that may not be prevented'),
      heightFt: optional.number('Height in feet that may not be prevented'),
      leastLotSqft: optional.number('Smallest new lot'),
    }),
  ),
  conditions: list(RuleText, { description: 'What is required' }),
  untestedRules: list(OpenRule, { description: 'Rules that decide it and could not be tested' }),
  because: texts('Why it is not allowed, or why that is not known'),
})
export type LawfulUse = Static<typeof LawfulUse>

export const testedRules = {
  trace: optional.list(TraceRow, { description: 'Every rule tested' }),
  used: texts('Rules that were tested'),
  missing: texts('Rules that could not be tested because data is missing'),
  confidence: ConfidenceLevel,
  modelVersion,
}

/** The uses of one law, best first, with the rules tested. */
export const UseFinding = object('UseFinding', {
  law: optional(LawReference),
  uses: list(LawfulUse),
  blockReasons: list(BlockReason),
  warnings: texts('Conditions that apply'),
  ...testedRules,
})
export type UseFinding = Static<typeof UseFinding>

export const UseLead = object('UseLead', {
  ...identity,
  listingStatus,
  price: optional.number('Listing price, dollars'),
  lotSize: optional.number('Lot size, square feet'),
  zoning: optional.text('Zoning district'),
  law: optional(LawReference),
  homes: optional.integer('Most homes of the uses'),
  uses: list(LawfulUse, { description: 'What the law allows, best first' }),
  confidence: ConfidenceLevel,
  ...searchedRow,
  asOf: assessedOn,
})
export type UseLead = Static<typeof UseLead>

const openFirst = ['yes', 'likely', 'conditional', 'unknown', 'no'] as const
/** Best first: by how sure it is, then by the number of homes. */
export const byAllowance = (one: LawfulUse, other: LawfulUse): number =>
  openFirst.indexOf(one.allowed) - openFirst.indexOf(other.allowed) || (other.homes ?? 0) - (one.homes ?? 0)

/** What `allows` finds: everything that is not barred and not undecided. */
export const isAllowed = ({ allowed }: Pick<LawfulUse, 'allowed'>): boolean =>
  allowed === 'yes' || allowed === 'likely' || allowed === 'conditional'

/** What `minHomes` compares: the most homes of any use that is yes or likely. */
export const mostHomes = (uses: readonly LawfulUse[]): number | undefined => {
  const sure = uses.flatMap(({ allowed, homes }) =>
    homes && (allowed === 'yes' || allowed === 'likely') ? [homes] : [],
  )
  return sure.length > 0 ? Math.max(...sure) : undefined
}
