import { Type } from 'typebox'
import { choices, literals, object, optional } from '../../common/shape.ts'
import { assumptionsUsed, ownInputs } from '../../criteria/own-assumptions.ts'
import { lotSplitCriteria, parcelCriteria } from '../../criteria/vocabulary.ts'
import { AduLead } from '../../domain/findings/adu.ts'
import { UseLead, useKinds } from '../../domain/findings/laws.ts'
import { LotSplitItem, lotSplitStatuses } from '../../domain/findings/lot-split.ts'
import { RedevelopmentLead, redevelopmentClasses } from '../../domain/findings/redevelopment.ts'
import { describe } from '../operation.ts'
import { leadListOf } from '../pagination.ts'
import { exampleAdu, exampleLaw, examplePlace, place, searchExample } from './examples.ts'
import { listControls } from './paging.ts'

export const defaultMinScore = 60

const minScore = optional.number(`Lowest score listed; defaults to ${defaultMinScore}`, {
  minimum: 0,
  maximum: 100,
  examples: [defaultMinScore],
})

export const listLotSplits = describe({
  name: 'list_sb9_inventory',
  title: 'SB 9 inventory',
  tag: 'Leads',
  path: '/v1/sb9-inventory',
  shared: true,
  oneMarket: true,
  summary: 'Homes for sale whose lot could be split or hold a duplex under SB 9, with what blocks the others.',
  description:
    'Lists eligible and likely homes for sale (active or coming soon) by default; status selects other SB 9 results, and listingStatus=onMarket adds pending homes. untestedRules names the rules that keep a home at likely. Where SB 9 does not apply, notApplicable says why. Not legal advice.',
  input: Type.Object({
    status: choices([...lotSplitStatuses, 'any'], 'SB 9 results. Defaults to eligible and likely'),
    ...lotSplitCriteria,
    ...listControls(['-maxUnits', 'price'], ['address', 'price', 'lotSplit.status']),
  }),
  output: leadListOf(LotSplitItem),
  example: {
    input: { city: examplePlace.city, status: ['any' as const] },
    output: searchExample(
      {
        ...place,
        listingStatus: 'active' as const,
        price: 2_681_500,
        lotSize: 7_500,
        zoning: 'R-1',
        law: exampleLaw,
        sb9Status: 'likely' as const,
        maxUnits: 4,
        lotSplit: {
          eligible: true,
          status: 'likely' as const,
          lots: [
            {
              sqft: 3_750,
              sharePct: 50,
              frontageFt: 48,
              access: 'street' as const,
              note: 'Front lot, about 78 ft deep.',
            },
            {
              sqft: 3_750,
              sharePct: 50,
              frontageFt: 12,
              access: 'flag_strip' as const,
              note: 'Rear lot, reached by a 12-ft strip.',
            },
          ],
        },
        blockReasons: [],
        untestedRules: [
          {
            code: 'TENANT_3Y',
            rule: 'Tenant-occupied in the last three years',
            reason: 'Unknown: tenant-occupied in the last three years.',
            citation: 'Gov. Code 65852.21(a)(3)(C), 66411.7(a)(3)(D)(iv)',
            appliesTo: 'both' as const,
          },
        ],
        warnings: ['UNTESTED: 1 rule could not be confirmed: tenant-occupied in the last three years.'],
        confidence: 'medium' as const,
      },
      {
        city: examplePlace.city,
        status: ['any'],
        listingStatus: ['active', 'coming_soon'],
        sort: ['sb9Status', '-maxUnits'],
      },
      { totalCapped: false },
    ),
  },
})

export const listAduLeads = describe({
  name: 'list_adu_leads',
  title: 'Accessory-unit leads',
  tag: 'Leads',
  path: '/v1/adu-leads',
  shared: true,
  oneMarket: true,
  summary: 'Lots ranked for an accessory unit, with units, cost, rent and return.',
  description:
    'With own assumptions, adu is computed with them; the order stays that of the market. Where no accessory-unit law applies, notApplicable says why. Not legal advice.',
  input: Type.Object({
    minScore,
    ...parcelCriteria,
    ...listControls(['-adu.economics.gainUsd', '-aduScore'], ['address', 'aduScore', 'lot.sqft']),
    ...ownInputs,
  }),
  ownInputs: Object.keys(ownInputs),
  output: object('AduLeadList', { ...leadListOf(AduLead).properties, ...assumptionsUsed }),
  example: {
    input: { city: examplePlace.city, minScore: 80 },
    output: searchExample(
      {
        ...place,
        aduScore: 84,
        maxUnits: 2,
        buildableSqft: 1_900,
        lot: { sqft: 7_500, widthFt: 60, depthFt: 125, rearYardSqft: 2_600, coveragePct: 24.1 },
        units: [
          { kind: 'detached' as const, sqft: 800 },
          { kind: 'junior' as const, sqft: 467 },
        ],
        adu: { economics: exampleAdu },
        blockers: [],
        warnings: [],
        confidence: 'medium' as const,
      },
      { city: examplePlace.city, minScore: 80, sort: ['-aduScore'] },
      { totalCapped: false },
    ),
  },
})

export const listRedevelopmentLeads = describe({
  name: 'list_redevelopment_leads',
  title: 'Redevelopment leads',
  tag: 'Leads',
  path: '/v1/redevelopment-leads',
  shared: true,
  oneMarket: true,
  summary: 'Underbuilt and vacant parcels scored against the floor area zoning allows.',
  description:
    'Where the floor area that zoning allows cannot be known, notApplicable says what is missing. Not legal advice.',
  input: Type.Object({
    minScore,
    class: optional.literals(
      [...redevelopmentClasses, 'underbuilt'],
      'One class only; underbuilt is teardown_candidate and expansion',
    ),
    ...parcelCriteria,
    ...listControls(['-redevelopmentScore', 'yearBuilt'], ['address', 'redevelopmentScore', 'source.title']),
  }),
  output: leadListOf(RedevelopmentLead),
  example: {
    input: { city: examplePlace.city, class: 'teardown_candidate' },
    output: searchExample(
      {
        ...place,
        redevelopmentScore: 78,
        class: 'teardown_candidate' as const,
        yearBuilt: 1951,
        lotSize: 7_500,
        existingSqft: 1_400,
        allowableSqft: 3_000,
        buildableSqft: 3_000,
        buildSqft: 3_000,
        allowableBasis: 'zoning limit of 3,000 sq ft (floor area), within the cap of 2.5 × the existing 1,400 sq ft',
        allowableConfidence: 'high' as const,
        far: { existing: 0.187, allowed: 0.4, countedSqft: 1_400, headroomSqft: 1_600, utilisationPct: 46.7 },
        blockers: [],
        warnings: [],
        confidence: 'high' as const,
      },
      { city: examplePlace.city, minScore: 60, class: 'teardown_candidate', sort: ['-redevelopmentScore'] },
      { totalCapped: false },
    ),
  },
})

export const listUseLeads = describe({
  name: 'list_use_leads',
  title: 'Leads by law',
  tag: 'Leads',
  path: '/v1/use-leads',
  shared: true,
  oneMarket: true,
  summary: 'Lots where a law allows more homes: small lots, a building near transit, further dwellings, a division.',
  description:
    'Lists the lots where a law allows the use, likely or on a condition, most homes of that use first, those with a condition last. uses says how many homes and lots, who decides, what is required and what could not be tested. Where no such law applies, notApplicable says why. Not legal advice.',
  input: Type.Object({
    use: literals(useKinds, { description: 'The use', examples: ['transit'] }),
    ...parcelCriteria,
    ...listControls(['-homes', 'lotSize'], ['address', 'homes', 'uses']),
  }),
  output: leadListOf(UseLead),
  example: {
    input: { use: 'small_lots' as const, city: examplePlace.city },
    output: searchExample(
      {
        ...place,
        lotSize: 6_000,
        law: exampleLaw,
        homes: 5,
        uses: [
          {
            scheme: 'small_lots' as const,
            allowed: 'likely' as const,
            approval: 'ministerial' as const,
            decidedBy: 'city staff, within 60 days',
            homes: 5,
            lots: 5,
            conditions: [],
            untestedRules: [],
            because: [],
          },
        ],
        confidence: 'medium' as const,
      },
      { city: examplePlace.city, allows: 'small_lots' as const, sort: ['-homes'] },
      { totalCapped: false },
    ),
  },
})
