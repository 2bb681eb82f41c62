// A lead as the lead pages show it: what could be built, how it ranks, and why it may not be possible.
import { pick } from '../../common/typed.ts'
import type { AduLead, AduUnit } from '../../domain/findings/adu.ts'
import type { BestUse } from '../../domain/findings/best-use.ts'
import type { LawReference, UseLead } from '../../domain/findings/laws.ts'
import type { LotSplitItem } from '../../domain/findings/lot-split.ts'
import type { RedevelopmentLead } from '../../domain/findings/redevelopment.ts'
import type { ScoreRank } from '../../domain/findings/score-rank.ts'
import { allowedWords, approvalWords, homesWords, sizeWords } from '../../domain/findings/use-words.ts'
import { capitalized, plural, sqft, usdShort } from '../formats.ts'
import { unitWords } from './property-earnings.ts'

export interface LeadView {
  id: string
  address: string
  city: string
  lat?: number
  lng?: number
  listingStatus?: LotSplitItem['listingStatus']
  /** Dollars, if the lead is for sale. */
  price?: number
  lotSqft?: number
  /** What could be built, in one sentence. */
  potential: string
  /** Of a vacant lot: what is known before buying it. */
  checklist?: RedevelopmentLead['checklist']
  landValue?: number
  /** What the best unit costs and earns, or what land nearby sold for. */
  money?: string
  /** Shown beside the grade, which rates the lot and not the money. */
  losesMoney?: boolean
  bestUse?: BestUse
  /** "Eligible", "Possibly eligible"; only lot splits have a status. */
  status?: string
  score?: number
  rank?: ScoreRank
  /** Why it cannot be built, with the rule. */
  blockers: readonly { reason: string; citation?: string }[]
  /** The law that allows it; absent where only zoning decides. */
  law?: LawReference
  /** What is not known and could still rule it out. */
  untested: readonly string[]
  confidence: string
}

export const splitStatusWords: Record<LotSplitItem['sb9Status'], string> = {
  eligible: 'Eligible',
  likely: 'Possibly eligible',
  unknown_zone: 'Unknown zoning',
  blocked: 'Blocked',
}

/** What every lead has. */
const common = (lead: LotSplitItem | AduLead | RedevelopmentLead | UseLead) =>
  pick(lead, 'id', 'address', 'city', 'lat', 'lng', 'listingStatus', 'price', 'confidence', 'bestUse')

export const lotSplitView = (item: LotSplitItem): LeadView => ({
  ...common(item),
  lotSqft: item.lotSize,
  potential: splitPotential(item),
  status: splitStatusWords[item.sb9Status],
  law: item.law,
  blockers: item.blockReasons,
  untested: item.untestedRules.map(({ reason }) => reason),
})

const splitPotential = ({ maxUnits, lotSplit, zoning }: LotSplitItem): string => {
  const zone = zoning ? ` (${zoning})` : ''
  if (maxUnits === 0) return `No extra units${zone}`
  if (!lotSplit.eligible) return `${plural(maxUnits, 'unit')} on one lot${zone}`
  return `${plural(maxUnits, 'unit')} on two lots of ${lotSplit.lots.map((lot) => sqft(lot.sqft)).join(' and ')}${zone}`
}

const unitKinds: Record<AduUnit['kind'], string> = {
  detached: 'detached',
  conversion: 'garage or interior conversion',
  junior: 'junior',
}

export const aduView = (lead: AduLead): LeadView => ({
  ...common(lead),
  lotSqft: lead.lot.sqft,
  potential:
    lead.units.length === 0
      ? 'No unit fits'
      : `${plural(lead.maxUnits, 'unit')}: ${lead.units.map((unit) => `${unitKinds[unit.kind]} ${sqft(unit.sqft)}`).join(', ')}`,
  money: lead.adu.economics && `Best unit: ${unitWords(lead.adu.economics)}`,
  losesMoney: (lead.adu.economics?.gainUsd ?? 0) < 0,
  law: lead.law,
  score: lead.aduScore,
  rank: lead.ranks?.aduScore,
  blockers: lead.blockers,
  untested: lead.warnings.map(withoutCode),
})

/** A warning of a law begins with the code of its rule: "RENTAL_TERM: Units may not be rented for 30 days or less." */
const withoutCode = (warning: string): string => warning.replace(/^[A-Z][A-Z0-9_]+: /, '')

export const redevelopmentView = (lead: RedevelopmentLead): LeadView => ({
  ...common(lead),
  lotSqft: lead.lotSize,
  potential: redevelopmentPotential(lead),
  ...pick(lead, 'checklist', 'landValue'),
  money:
    lead.landValue === undefined
      ? undefined
      : `Worth ${usdShort(lead.landValue)} as land, from ${plural(lead.landSales ?? 0, 'sale')} of land nearby`,
  score: lead.redevelopmentScore,
  rank: lead.ranks?.redevelopmentScore,
  blockers: lead.blockers,
  untested: lead.warnings,
})

export const useView = (lead: UseLead): LeadView => {
  const [use] = lead.uses
  const parts = use ? [homesWords(use), sizeWords(use), approvalWords[use.approval]].filter(Boolean) : []
  return {
    ...common(lead),
    lotSqft: lead.lotSize,
    potential: use ? `${capitalized(allowedWords[use.allowed])}: ${parts.join('; ')}` : '',
    law: lead.law,
    blockers: [],
    untested: (use?.untestedRules ?? []).map(({ text }) => text),
  }
}

const redevelopmentPotential = ({ class: kind, existingSqft, allowableSqft, yearBuilt }: RedevelopmentLead): string => {
  const allowed = allowableSqft === undefined ? 'floor area limit not known' : `${sqft(allowableSqft)} allowed`
  if (kind === 'vacant_lot') return `Vacant lot, ${allowed}`
  const existing =
    existingSqft === undefined ? 'size not known' : `${sqft(existingSqft)}${yearBuilt ? ` built ${yearBuilt}` : ''}`
  return `${existing}, ${allowed}`
}
