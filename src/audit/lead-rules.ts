// SB 9, accessory units and redevelopment: units, lots and status agree, sizes agree.
import type { LotSplitItem } from '../domain/findings/lot-split.ts'
import type { DeepPartial, PropertyRecord } from './records.ts'
import { propertyRules, same, unless, unlessAll } from './rule.ts'

const splitsOf = ({ lotSplit, detail }: PropertyRecord): readonly DeepPartial<LotSplitItem>[] =>
  [lotSplit, detail.explanation?.sb9].filter((found) => found !== undefined)

const allows = (status: string | undefined): boolean => status === 'eligible' || status === 'likely'

export const leadRules = propertyRules({
  'lot-split-units: SB 9 units, lots, split and status agree.': (record) =>
    splitsOf(record).flatMap(({ sb9Status, maxUnits = 0, lotSplit = {} }) =>
      unlessAll({
        [`${maxUnits} units need the lot split, which is ${lotSplit.eligible === true ? 'eligible' : 'not eligible'}`]:
          maxUnits <= 2 || lotSplit.eligible === true,
        [`${lotSplit.lots?.length} lots are listed although the split is not eligible`]:
          lotSplit.eligible === true || (lotSplit.lots ?? []).length === 0,
        [`${maxUnits} units with status ${sb9Status}`]: allows(sb9Status) === maxUnits > 0,
      }),
    ),
  'lot-split-untested-rules: An SB 9 status of likely names the rules that could not be tested.': (record) =>
    splitsOf(record).flatMap(({ sb9Status, untestedRules }) =>
      unlessAll({
        'the status is likely, but no rule is named that could not be tested':
          sb9Status !== 'likely' || (untestedRules ?? []).length > 0,
        'the status is eligible, but rules are named that could not be tested':
          sb9Status !== 'eligible' || (untestedRules ?? []).length === 0,
      }),
    ),
  'lot-split-unknown-zone: A parcel without a known zoning district is neither eligible nor likely.': ({
    detail,
    ...record
  }) => {
    const zoning = detail.facts?.zoning ?? record.lotSplit?.zoning
    const untestedZone = detail.explanation?.sb9?.missing?.includes('NOT_SF_ZONE') ?? false
    return splitsOf({ detail, ...record }).flatMap(({ sb9Status }) =>
      unless(
        !allows(sb9Status) || (zoning !== undefined && !untestedZone),
        `the status is ${sb9Status} although the zoning district is not known`,
      ),
    )
  },
  'lot-size: Every list and finding states the same lot size.': ({ detail, signal, lotSplit, adu, redevelopment }) =>
    same('lot size', {
      facts: detail.facts?.lotSqft,
      list: signal?.metadata?.lotSize,
      'SB 9 list': lotSplit?.lotSize,
      'ADU list': adu?.lot?.sqft,
      'redevelopment list': redevelopment?.lotSize,
      'ADU finding': detail.explanation?.adu?.lot?.sqft,
      'redevelopment finding': detail.explanation?.redevelopment?.lotSize,
    }),
  'build-size: The allowable area and the size to build are the same in leads and pro forma.': (record) => {
    const { detail, whatIf, redevelopment } = record
    const found = redevelopment ?? detail.explanation?.redevelopment
    const modeled = detail.proforma?.unmodellableReason === null ? detail.proforma.buildSqft : undefined
    const { allowableSqft, buildableSqft, buildSqft, allowableConfidence } = found ?? {}
    return [
      ...same('allowable area', {
        redevelopment: allowableSqft,
        envelope: detail.explanation?.envelope?.maxSqft,
        'what-if envelope': whatIf?.envelope?.maxSqft,
      }),
      ...unlessAll({
        [`redevelopment ${buildSqft === undefined ? 'does not state the size to build' : `builds ${buildSqft} sq ft`}, the pro forma ${modeled} sq ft`]:
          modeled === undefined || found === undefined || buildSqft === modeled,
        'the allowable area has no confidence': allowableSqft === undefined || allowableConfidence !== undefined,
        [`${buildableSqft} sq ft can be built, more than the allowed ${allowableSqft}`]:
          (buildableSqft ?? 0) <= (allowableSqft ?? Number.POSITIVE_INFINITY),
      }),
    ]
  },
  'adu-units: As many accessory units are listed as maxUnits says.': ({ adu, detail }) => {
    const finding = adu ?? detail.explanation?.adu
    if (!finding?.units || finding.maxUnits === undefined) return []
    return unless(
      finding.maxUnits === finding.units.length || finding.maxUnits === 0,
      `maxUnits is ${finding.maxUnits}, ${finding.units.length} units are listed`,
    )
  },
  'vacant-lots: A vacant lot with a known zoning limit is a vacant_lot lead or has a pro forma, and it has no house.':
    ({ detail, redevelopment }) => {
      const { facts, explanation } = detail
      const land =
        facts?.propertyType === 'land' ||
        (facts?.assessedImprovementUsd === 0 && !facts.livingSqft && facts.yearBuilt === undefined && !facts.units)
      const envelope = explanation?.envelope?.maxSqft
      if (!facts || !land) return []
      const finding = redevelopment ?? explanation?.redevelopment
      const because = explanation?.proforma?.because ?? ''
      return unlessAll({
        [`a vacant lot is said to have a house: “${because}”`]: !/\bhouse (?:contributes|has)\b/.test(because),
        [`a vacant lot that allows ${envelope} sq ft has no vacant_lot lead, no blocker and no pro forma`]:
          envelope === undefined ||
          envelope <= 0 ||
          (finding?.class === 'vacant_lot' && finding.buildSqft !== undefined) ||
          (finding?.blockers?.length ?? 0) > 0 ||
          detail.proforma?.buildSqft !== undefined,
      })
    },
  /** Without a reason a reader takes "no pro forma" for "nothing can be built here". */
  'unmodeled-says-why: A property without a pro forma says why in words.': (record) => {
    const { proforma, explanation } = record.detail
    const reason = proforma?.unmodellableReason
    return unless(
      reason === undefined || reason === null || (explanation?.proforma?.because ?? '') !== '',
      `there is no pro forma (${reason}), and no reason in words`,
    )
  },
})
