// The events of permits, written in the transaction of the run. The first load of a source writes none.

import { rowBeforePermit } from '../../criteria/row-readings.ts'
import type { MarketId, PermitStatus } from '../../domain/facts.ts'
import { permitUrl, propertyUrl } from '../../domain/page-urls.ts'
import type { EventData } from '../../wire/events.ts'
import { tableOfRows } from '../engine/columns.ts'
import { type Db, execute, rowsOf, sql, withoutNulls } from '../engine/database.ts'
import type { Queue } from '../engine/queue.ts'
import type { PermitTable } from '../engine/schema.ts'
import { permitRowsOf } from '../search/search-rows.ts'
import { type NewEvent, newEvent, recordEvents } from '../webhooks/events.ts'
import type { Merge } from './merge.ts'

export interface PermitAnnouncement extends Merge {
  queue: Queue
  publicUrl: string
  highValueUsd: number
}

/** Permits whose rows, with their searchable text, are in memory at once. */
export const permitsAtOnce = 5_000

type PermitKey = Pick<PermitTable, 'market' | 'citySlug' | 'permitId'>

/** Permits that this run records, or records as issued, for the first time. Called before the merge, which overwrites the old state. */
export const newHighValuePermits = async (tx: Db, { highValueUsd, today, stage, firstLoad }: PermitAnnouncement) => {
  if (firstLoad) return []
  return rowsOf<PermitKey>(tx)`
    select s.market, s.permit_id, s.city_slug from ${stage.rows} s
    left join permit p on p.market = s.market and p.city_slug = s.city_slug and p.permit_id = s.permit_id
    where s.valuation_usd >= ${highValueUsd}
      and s.issued_on between (${today}::timestamptz at time zone 'utc')::date - 30 and (${today}::timestamptz at time zone 'utc')::date + 1
      and p.issued_on is null and p.announced_at is null
    order by s.issued_on, s.city_slug, s.permit_id`
}

/** Called after the merge, with the number of permits it updated. Returns the number of events. */
export const announcePermits = async (
  tx: Db,
  load: PermitAnnouncement,
  created: readonly PermitKey[],
  updated: number,
): Promise<number> => {
  if (load.firstLoad) return 0
  // Changes are found by the time of the run: a run that updated nothing has none, even at the time of an earlier run.
  const changed = updated > 0 ? await changesOfRun(tx, load) : []
  await recordInParts(tx, load, await createdPermits(tx, created), createdEvent(load.publicUrl))
  await recordInParts(tx, load, changed, statusEvent(load.publicUrl))
  if (created.length > 0)
    await execute(tx)`
      update permit p set announced_at = ${load.now} from (${keysOf(created)}) a
      where p.market = a.market and p.city_slug = a.city_slug and p.permit_id = a.permit_id`
  return created.length + changed.length
}

const recordInParts = async <Permit extends PermitKey>(
  tx: Db,
  { queue, now }: PermitAnnouncement,
  permits: readonly Permit[],
  event: (permit: Permit) => NewEvent,
): Promise<void> => {
  for (let at = 0; at < permits.length; at += permitsAtOnce)
    await recordEvents(tx, queue, await withRows(tx, permits.slice(at, at + permitsAtOnce), event), now)
}

type Created = Omit<EventData<'permit.created'>, 'permitUrl' | 'url'> & PermitKey

const createdPermits = async (tx: Db, keys: readonly PermitKey[]): Promise<Created[]> => {
  if (keys.length === 0) return []
  const rows = await rowsOf<Nullable<Created>>(tx)`
    select p.market, p.permit_id, p.city_slug, p.city, coalesce(p.project_type, p.permit_class) as type, p.address,
      p.valuation_usd as estimated_value, p.status, p.description, round(a.teardown_score) as teardown_score, p.property_id,
      p.issued_on as issued_date, p.permit_class, p.units
    from permit p join (${keysOf(keys)}) k using (market, city_slug, permit_id)
    left join assessment a on a.market = p.market and a.property_id = p.property_id
    order by p.issued_on, p.city_slug, p.permit_id`
  return rows.map(withoutNulls) as unknown as Created[]
}

const createdEvent = (publicUrl: string) => (data: Created) =>
  newEvent('permit.created', data.market, { ...data, ...linksOf(data, publicUrl) })

type StatusChange = Omit<EventData<'permit.status_changed'>, 'permitUrl' | 'url' | 'previous'> &
  PermitKey & { previousStatus: PermitStatus }

const changesOfRun = (tx: Db, { stage, now }: PermitAnnouncement) =>
  statusChanges(
    tx,
    sql`select c.* from ${stage.rows} s
      join permit_change c on c.market = s.market and c.city_slug = s.city_slug and c.permit_id = s.permit_id
        and c.changed_at = ${now}::timestamptz`,
  )

const statusChanges = async (tx: Db, changes: ReturnType<typeof sql>): Promise<StatusChange[]> => {
  const rows = await rowsOf<Nullable<StatusChange>>(tx)`
    select p.market, p.permit_id, p.city_slug, p.city, p.address, p.property_id, coalesce(p.project_type, p.permit_class) as type,
      p.permit_class, c.status, c.previous_status
    from (${changes}) c
    join permit p on p.market = c.market and p.city_slug = c.city_slug and p.permit_id = c.permit_id
    where c.previous_status is not null order by p.city_slug, p.permit_id`
  return rows.map(withoutNulls) as unknown as StatusChange[]
}

const statusEvent =
  (publicUrl: string) =>
  ({ previousStatus, ...data }: StatusChange) =>
    newEvent('permit.status_changed', data.market, {
      ...data,
      previous: { status: previousStatus },
      ...linksOf(data, publicUrl),
    })

/** The events of one past day, of the generated history. */
export const permitEventsOf = async (
  tx: Db,
  market: MarketId,
  day: string,
  { highValueUsd, publicUrl }: Pick<PermitAnnouncement, 'highValueUsd' | 'publicUrl'>,
): Promise<NewEvent[]> => {
  const rows = await rowsOf<PermitKey>(tx)`
    select market, city_slug, permit_id from permit
    where market = ${market} and issued_on = ${day}::date and valuation_usd >= ${highValueUsd}`
  const changes = sql`select * from permit_change where market = ${market} and changed_on = ${day}::date`
  const created = await withRows(tx, await createdPermits(tx, rows), createdEvent(publicUrl))
  const changed = await withRows(tx, await statusChanges(tx, changes), statusEvent(publicUrl))
  return [
    ...created.map((event) => asOfChange({ ...event, data: { ...event.data, status: 'issued' } })),
    ...changed.map(asOfChange),
  ]
}

/** The searchable row with the status that the event reports. */
const asOfChange = ({ searchRow, ...event }: NewEvent): NewEvent => ({
  ...event,
  searchRow: searchRow && rowBeforePermit(searchRow, (event.data as { status: PermitStatus }).status),
})

const linksOf = ({ citySlug, permitId, propertyId }: PermitKey & { propertyId?: string }, publicUrl: string) => ({
  permitUrl: permitUrl(publicUrl, citySlug, permitId),
  ...(propertyId === undefined ? {} : { url: propertyUrl(publicUrl, propertyId) }),
})

/** Each event with the searchable row of its permit. `market` is a part of the event, not of its data. */
const withRows = async <Permit extends PermitKey>(
  tx: Db,
  permits: readonly Permit[],
  event: (permit: Permit) => NewEvent,
): Promise<NewEvent[]> => {
  if (permits.length === 0) return []
  const searchRows = await permitRowsOf(tx, keysOf(permits))
  const rows = new Map(searchRows.map(({ permitId, row }) => [`${row.citySlug}/${permitId}`, row]))
  return permits.map((permit) => {
    const { data, ...rest } = event(permit)
    const { market: _, ...eventData } = data as { market: string }
    return { ...rest, data: eventData, searchRow: rows.get(`${permit.citySlug}/${permit.permitId}`) }
  })
}

const keysOf = (keys: readonly PermitKey[]) => sql`
  select * from ${tableOfRows(keys, { market: 'text', citySlug: 'text', permitId: 'text' })}`

type Nullable<T> = { [K in keyof T]: T[K] | null }
