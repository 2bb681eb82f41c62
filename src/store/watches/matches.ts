// Announced matches of watches, and their deliveries to webhooks.
import type { MarketId } from '../../domain/facts.ts'
import { events as eventTable } from '../../wire/events/table.ts'
import type { EventData } from '../../wire/events.ts'
import { columnsOf, type RowOf, tableOfRows } from '../engine/columns.ts'
import { type Db, execute, rowsOf, valuesOf } from '../engine/database.ts'
import type { Queue } from '../engine/queue.ts'
import type { WatchMatchTable } from '../engine/schema.ts'
import { generatedData } from '../ingest/generated.ts'
import { newId } from '../keys/keys.ts'
import { enqueueDeliveries, eventBody } from '../webhooks/events.ts'
import { changeTypes, recordOf } from './changes.ts'

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
  const written = matches.map((match) => ({ ...match, record: recordOf(match) }))
  const types = {
    ...{ ...changeTypes, id: 'text', watchId: 'text', market: 'text', triggers: 'jsonb' },
    ...{ changedAt: 'timestamptz', mailed: 'boolean' },
  }
  await execute(tx)`
    insert into watch_match (announced_at, record, property_id, permit_id, address, before, after, id, watch_id, market, triggers,
      changed_at, mail_due)
    select ${now}, record, property_id, permit_id, address, before, after, id, watch_id, market,
      array(select jsonb_array_elements_text(triggers)), changed_at, mailed
    from ${tableOfRows(written, types)}`
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
