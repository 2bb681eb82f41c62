// Leads as they are served: a property with one finding of its assessment.
import type { StoredAduFinding } from '../../domain/findings/adu.ts'
import type { StoredUses } from '../../domain/findings/decision.ts'
import type { LeadKind, UseFinding, UseKind } from '../../domain/findings/laws.ts'
import type { LotSplitFinding } from '../../domain/findings/lot-split.ts'
import type { RedevelopmentFinding } from '../../domain/findings/redevelopment.ts'
import { type Db, type Known, sql } from '../engine/database.ts'
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
