// Leads as they are served: a property with one finding of its assessment.

import type { MarketId } from '../../domain/facts.ts'
import type { StoredAduFinding } from '../../domain/findings/adu.ts'
import type { StoredUses } from '../../domain/findings/decision.ts'
import type { LeadKind, UseFinding, UseKind } from '../../domain/findings/laws.ts'
import type { LotSplitFinding } from '../../domain/findings/lot-split.ts'
import type { RedevelopmentFinding } from '../../domain/findings/redevelopment.ts'
import { anyRow, type Db, type Known, onlyRow, sql } from '../engine/database.ts'
import { groupOf } from '../engine/shard-groups.ts'
import { type ParcelColumns, type PropertyKey, parcelRows } from '../properties/parcel-rows.ts'

type Findings = { [Kind in UseKind]: UseFinding } & {
  lot_split: LotSplitFinding
  accessory_unit: StoredAduFinding
  redevelopment: RedevelopmentFinding
}

export type LeadRow<Kind extends keyof Findings> = Known<ParcelColumns> & {
  finding: Findings[Kind]
  /** The id of the law; absent for redevelopment, which follows from zoning. */
  law?: string
  /** Of redevelopment. */
  land?: NonNullable<StoredUses['place']['land']>
  slopePct?: number
}

/** In the order of the keys. The facts of listings sold before the day `hiddenBefore`, and of `hiddenSources`, are not used. */
export const leadsByKey = async <Kind extends keyof Findings>(
  db: Db,
  kind: Kind,
  keys: readonly PropertyKey[],
  hiddenBefore?: string,
  hiddenSources?: readonly string[],
): Promise<LeadRow<Kind>[]> => {
  const rows = await parcelRows<ParcelColumns & { finding: Findings[Kind]; law: string | null }>(
    db,
    keys,
    kind === 'redevelopment'
      ? sql`a.redevelopment as finding, null as law, a.uses->'place'->'land' as land, p.slope_pct`
      : sql`d.finding, d.law`,
    hiddenBefore,
    kind === 'redevelopment' ? sql`` : bestLead('d', kind),
    hiddenSources,
  )
  return rows as LeadRow<Kind>[]
}

/** Joins the lead of this kind that lists show, to a property with the key `k`. A list of such leads needs no property without one. */
export const bestLead = (name: string, kind: LeadKind, key = sql`k.market, k.id`, join = sql`left join`) => sql`
  ${join} lead ${sql.id(name)} on (${sql.id(name)}.market, ${sql.id(name)}.property_id) = (${key})
    and ${sql.id(name)}.kind = ${sql.lit(kind)} and ${sql.id(name)}.best`

/** Of a market, or of one city of it. Undefined if the place has leads, so that no table is read as a whole there. */
export const leadInputs = async (from: Db, market: MarketId, citySlug: string | undefined) => {
  const db = groupOf(from, market)
  const inCity = citySlug === undefined ? sql`` : sql`and city_slug = ${citySlug}`
  const scored = await anyRow(db)`
    select 1 from property_search
    where market = ${market} ${inCity} and redevelopment_score is not null and not removed limit 1`
  if (scored) return undefined
  const place = sql`market = ${market} ${inCity} and removed_at is null and known_from = 'parcel'`
  return onlyRow<{
    parcels: boolean
    lotSizes: boolean
    houseSizes: boolean
    /** The zoning districts as the parcels name them. */
    zoning: readonly string[]
  }>(db)`
    select exists (select 1 from property where ${place}) as parcels,
      exists (select 1 from property where ${place} and lot_sqft is not null) as lot_sizes,
      exists (select 1 from property where ${place} and living_sqft is not null) as house_sizes,
      coalesce((select array_agg(distinct zoning) from property where ${place} and zoning is not null), '{}') as zoning
  `
}
