// Announced matches of watches, and their deliveries to webhooks.
import type { MarketId } from '../../domain/facts.ts'
import { events as eventTable } from '../../wire/events/table.ts'
import type { EventData } from '../../wire/events.ts'
import { columnsOf, type RowOf } from '../engine/columns.ts'
import { type Db, execute, rowsOf, valuesOf } from '../engine/database.ts'
import type { Queue } from '../engine/queue.ts'
import type { WatchMatchTable } from '../engine/schema.ts'
import { generatedData } from '../ingest/generated.ts'
import { newId } from '../keys/keys.ts'
import { enqueueDeliveries, eventBody } from '../webhooks/events.ts'
import { recordOf } from './changes.ts'

const match = columnsOf<WatchMatchTable>()(
  'id market propertyId permitId address triggers before after changedAt announcedAt',
)
export const matchColumns = match('m')

export type StoredMatch = RowOf<typeof match>

export const announcedMatches = (db: Db, watchId: string, most: number) =>
  rowsOf<StoredMatch>(db)`
    select ${matchColumns} from watch_match m where m.watch_id = ${watchId} and m.announced_at is not null
    order by m.announced_at desc, m.id limit ${most}`

type NewMatch = Omit<StoredMatch, 'announcedAt'> & { watchId: string; mailed: boolean }

export const writeAnnounced = async (tx: Db, matches: readonly NewMatch[], now: Date): Promise<void> => {
  const written = matches.map(({ id, watchId, market, propertyId, permitId, address, triggers, mailed, ...match }) => {
    const { before, after, changedAt } = match
    const record = recordOf({ propertyId, permitId, after })
    return JSON.stringify({
      ...{ id, watch_id: watchId, market, record, property_id: propertyId, permit_id: permitId, address, triggers },
      ...{ before, after, changed_at: changedAt, mail_due: mailed },
    })
  })
  await execute(tx)`
    insert into watch_match (announced_at, id, watch_id, market, record, property_id, permit_id, address, triggers, before, after,
      changed_at, mail_due)
    select ${now}, c.* from unnest(${written}::jsonb[]) as m (match) cross join lateral jsonb_to_record(m.match) as c (id text,
      watch_id text, market text, record text, property_id text, permit_id text, address text, triggers text[], before jsonb, after jsonb,
      changed_at timestamptz, mail_due boolean)`
}

/** Returns the ids of the deliveries. Endpoints are locked, so that none is deleted before its deliveries are written. */
export const deliverWatch = async (
  tx: Db,
  queue: Queue,
  market: MarketId,
  endpoints: readonly string[],
  data: EventData<'watch.matched'>,
  now: Date,
  /** The day of its values, if the data of the market ends in the past. */
  asOf?: string,
): Promise<string[]> => {
  const ids = await valuesOf<string>(tx)`
    select id from webhook_endpoint where id = any(${endpoints}::text[]) order by id for key share`
  const generated = await generatedData(tx)
  const sample = generated(market, eventTable['watch.matched'].removedWith)
  const body = eventBody({ event: 'watch.matched', market, data, sample, asOf }, now)
  const eventId = newId('evt')
  return enqueueDeliveries(
    tx,
    queue,
    ids.map((endpointId) => ({ endpointId, eventId, eventType: 'watch.matched', body })),
    now,
  )
}
