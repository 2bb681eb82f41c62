// The deals of a key: homes that its owner may buy, with a stage, own numbers and own facts.
import { ApiError, badRequest } from '../common/errors.ts'
import { pick } from '../common/typed.ts'
import { unseenInLines } from '../common/unseen.ts'
import { readOwnNumbers } from '../criteria/read-own-numbers.ts'
import { changeDeal, type DealContent, type DealRow, dealRows, insertDeal } from '../store/keys/deals.ts'
import { notifyKey } from '../store/keys/keys.ts'
import type { InputOf, OutputOf } from '../wire/operation.ts'
import { createDeal, deleteDeal, getDeal, listDeals, updateDeal } from '../wire/operations/deals.ts'
import { mostDeals, mostSavedHomes } from '../wire/plans.ts'
import { type Context, implement } from './context.ts'
import { blankDeal, changesBetween, type HomeNow, homesNow } from './deal-homes.ts'
import { getPropertyRun } from './get-property.ts'
import { cursorPageOf, listAnswer } from './listing-page.ts'
import { ownerOf as ownerOfKey } from './mailbox.ts'
import { ownedRows } from './owned-rows.ts'
import { noProperty } from './visible-property.ts'
import { savedHome } from './watches.ts'

export const createDealRun = implement(createDeal, async (context, { propertyId, ...input }) => {
  const { db, now } = context
  const owner = ownerOf(context)
  const content = contentOf(input)
  const home = (await homesNow(context, [{ propertyId }])).get(propertyId)
  if (!home) throw noProperty(propertyId)
  const watch = await savedHome(context, {
    name: `${home.address}, ${home.city}`.slice(0, 80),
    market: home.market,
    id: propertyId,
  })
  const deal = await insertDeal(db, owner, { propertyId, saved: home.snapshot }, content, watch, limitsOf(context), now)
  if ('exists' in deal) {
    const row = await deals.own(context, deal.exists)
    // Saving the home made this deal; its note is that of the saved home.
    if (blankDeal(row)) return updateDealRun.run(context, { id: row.id, note: row.note ?? undefined, ...input })
    throw badRequest(`This key has the deal ${row.id} for this home. Change it with PUT /v1/deals/${row.id}.`)
  }
  if ('full' in deal) throw deal.full === 'deals' ? tooMany(context) : tooManyHomes()
  return getDealRun.run(context, { id: deal.id })
})

export const updateDealRun = implement(updateDeal, async (context, { id, ...input }) => {
  await deals.own(context, id)
  if (!(await changeDeal(context.db, ownerOf(context), id, contentOf(input), limitsOf(context), context.now)))
    throw tooMany(context)
  return getDealRun.run(context, { id })
})

export const listDealsRun = implement(listDeals, async (context, input) => {
  const page = cursorPageOf(context.caller, input)
  const { rows, total } = await dealRows.page(context.db, ownerOf(context).keyId, page)
  return listAnswer(page, await withHomes(context, rows), total, { asOf: context.now.toISOString() })
})

/** Every deal of the key, for the pages. */
export const everyDeal = async (context: Context): Promise<ServedDeal[]> =>
  withHomes(context, (await dealRows.page(context.db, ownerOf(context).keyId, { limit: 1_000, offset: 0 })).rows)

const withHomes = async (context: Context, rows: readonly DealRow[]) => {
  const homes = await homesNow(context, rows)
  return rows.map((row) => served(row, homes.get(row.propertyId)))
}

export const getDealRun = implement(getDeal, async (context, { id }) => {
  const row = await deals.own(context, id)
  const home = (await homesNow(context, [row])).get(row.propertyId)
  const data = served(row, home)
  const decision = home && (await completeDecision(context, row))
  return {
    success: true,
    data: decision ? { ...data, now: { ...data.now, decision } } : data,
    asOf: context.now.toISOString(),
  }
})

/** At the assumptions and facts of the deal. */
const completeDecision = async (context: Context, { propertyId: id, assumptions }: DealRow) => {
  try {
    const { data } = await getPropertyRun.run(context, { id, ...(assumptions ? { assumptions } : {}) })
    return data.decision
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined
    throw error
  }
}

export const deleteDealRun = implement(deleteDeal, async (context, input) => {
  const removed = await deals.remove(context, input)
  await notifyKey(context.db, ownerOf(context).keyId)
  return removed
})

const contentOf = ({ stage = 'looking', scheme, price, assumptions, note, facts }: DealInput): DealContent => {
  const clean = note?.replace(unseenInLines, '').trim()
  if (assumptions) readOwnNumbers(assumptions, 'assumptions')
  if (assumptions?.byCity !== undefined)
    throw badRequest('A deal is about one home: give its numbers in assumptions without byCity.')
  const ownFacts = facts && Object.keys(facts).length > 0 ? facts : null
  return {
    stage,
    scheme: scheme ?? null,
    priceUsd: price ?? null,
    assumptions: assumptions && Object.keys(assumptions).length > 0 ? assumptions : null,
    note: clean ? clean : null,
    facts: ownFacts,
  }
}

type DealInput = Omit<InputOf<typeof createDeal>, 'propertyId'>
export type ServedDeal = OutputOf<typeof getDeal>['data']

const served = (row: DealRow, home: HomeNow | undefined): ServedDeal => ({
  ...pick(row, 'id', 'propertyId', 'watchId'),
  address: home?.address,
  city: home?.city,
  stage: row.stage,
  scheme: row.scheme ?? undefined,
  price: row.priceUsd ?? undefined,
  assumptions: numbersOf(row),
  note: row.note ?? undefined,
  facts: row.facts ?? undefined,
  now: {
    ...pick(home, 'price', 'status', 'decision'),
    changedSince: home && row.saved ? changesBetween(row.saved, home.snapshot, home.hidden) : [],
  },
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})

/** Earlier versions stored `byCity`, which the answer has no field for. */
const numbersOf = ({ assumptions }: DealRow) => {
  const { byCity: _, ...numbers } = assumptions ?? {}
  return assumptions ? numbers : undefined
}

const ownerOf = (context: Context) => ownerOfKey(context, 'deals')

const limitsOf = ({ caller }: Context) => ({ deals: mostDeals[caller.plan], savedHomes: mostSavedHomes })

const tooMany = ({ caller: { plan } }: Context) =>
  badRequest(
    `The ${plan} keys of a mailbox may have ${mostDeals[plan]} deals beyond the stage looking. Move one back to looking or delete one.`,
  )

const tooManyHomes = () =>
  badRequest(
    `The keys of a mailbox may save ${mostSavedHomes} homes, and every deal has one. Delete one with DELETE /v1/watches/{id}.`,
  )

const deals = ownedRows(
  'deal',
  dealRows,
  (context) => ownerOf(context).keyId,
  (row: DealRow) => served(row, undefined),
)
