// Webhook endpoints of a key. Secrets are encrypted here; only the delivery worker decrypts them.
import { columnsOf, type RowOf } from '../engine/columns.ts'
import { anyRow, type Db, execute, firstRow, firstValue, inTransaction, rowsOf, sql } from '../engine/database.ts'
import type { ApiKeyTable, WebhookEndpointTable } from '../engine/schema.ts'
import { newId } from '../keys/keys.ts'
import { rowsOfKey } from '../keys/rows-of-key.ts'
import { isSavedHome } from '../watches/watches.ts'

const endpoint = columnsOf<WebhookEndpointTable>()(
  'id url events filter everyChange onMarketOnly createdAt failingSince disabledAt disabledReason',
)
const columns = endpoint()

export type Endpoint = RowOf<typeof endpoint>

/** What an endpoint receives. */
export interface Selection {
  events: readonly string[]
  filter: object | null
  everyChange: boolean
  onMarketOnly: boolean
}

/** After a rotation, deliveries are also signed with the previous secret for this long. */
const previousSecretMs = 24 * 3600 * 1000

export const endpointRows = rowsOfKey<Endpoint>('webhook_endpoint', columns)

interface Registration extends Partial<Selection> {
  events: readonly string[]
  keyId: string
  url: string
  sealedSecret: Buffer
  /** Maximum number of endpoints of a key. */
  most: number
}

/** Undefined if the key has the maximum number of endpoints. A registered URL gets the new events and secret, and is enabled again. */
export const registerEndpoint = (
  db: Db,
  { keyId, url, sealedSecret, most, events, filter = null, everyChange = true, onMarketOnly = false }: Registration,
  now: Date,
): Promise<string | undefined> =>
  inTransaction(db, async (tx) => {
    const selection = { events, filter, everyChange, onMarketOnly }
    // Locking the row of the key keeps the count exact.
    await execute(tx)`select 1 from api_key where id = ${keyId} for update`
    const known = await firstValue<string>(tx)`
      update webhook_endpoint set ${selected(selection)}, previous_secret = secret,
        previous_until = ${new Date(now.getTime() + previousSecretMs)}, secret = ${sealedSecret},
        failing_since = null, disabled_at = null, disabled_reason = null
      where key_id = ${keyId} and url = ${url} returning id`
    if (known !== undefined) return known
    const id = newId('whk')
    return firstValue<string>(tx)`
      insert into webhook_endpoint (id, key_id, url, events, filter, every_change, on_market_only, secret, created_at)
      select ${id}, ${keyId}, ${url}, ${selection.events}, ${filterJson(selection)}::jsonb, ${selection.everyChange},
        ${selection.onMarketOnly}, ${sealedSecret}, ${now}
      where (select count(*) from webhook_endpoint where key_id = ${keyId}) < ${most} returning id`
  })

const filterJson = ({ filter }: Selection): string | null => filter && JSON.stringify(filter)

const selected = (selection: Selection) => sql`
  events = ${selection.events}, filter = ${filterJson(selection)}::jsonb, every_change = ${selection.everyChange},
  on_market_only = ${selection.onMarketOnly}`

export const updateEndpoint = (db: Db, { keyId, id, ...selection }: Selection & { keyId: string; id: string }) =>
  firstRow<Endpoint>(db)`
    update webhook_endpoint set ${selected(selection)} where key_id = ${keyId} and id = ${id} returning ${columns}`

export const rotateEndpoint = (
  db: Db,
  { keyId, id, sealedSecret }: { keyId: string; id: string; sealedSecret: Buffer },
  now: Date,
): Promise<(Endpoint & { previousUntil: Date }) | undefined> =>
  firstRow<Endpoint & { previousUntil: Date }>(db)`
    update webhook_endpoint set previous_secret = secret, secret = ${sealedSecret},
      previous_until = ${new Date(now.getTime() + previousSecretMs)}
    where key_id = ${keyId} and id = ${id} returning ${columns}, previous_until`

export const enableEndpoint = (db: Db, keyId: string, id: string) =>
  anyRow(db)`
    update webhook_endpoint set disabled_at = null, disabled_reason = null, failing_since = null
    where key_id = ${keyId} and id = ${id} returning id`

/** Its watches lose the channel; one home without another channel is a saved home. False if the key has no such endpoint. */
export const removeEndpoint = (db: Db, keyId: string, id: string): Promise<boolean> =>
  inTransaction(db, async (tx) => {
    await execute(tx)`
      update watch set endpoints = array_remove(endpoints, ${id}),
        saved_home = ${isSavedHome({ email: sql`email`, endpoints: sql`array_remove(endpoints, ${id})` })}
      where key_id = ${keyId} and ${id} = any(endpoints)`
    return endpointRows.remove(tx, keyId, id)
  })

/** Every endpoint of every key, for the operator. */
export const allEndpoints = (db: Db) =>
  rowsOf<Endpoint & Pick<WebhookEndpointTable, 'keyId'> & Pick<ApiKeyTable, 'email'> & { waiting: number }>(db)`
    select ${endpoint('e')}, e.key_id, k.email,
      (select count(*) from delivery d where d.endpoint_id = e.id and d.state = 'waiting') as waiting
    from webhook_endpoint e join api_key k on k.id = e.key_id order by e.created_at, e.id`
