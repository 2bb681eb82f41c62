// The assumptions of a market, and the assumption sets of a key.

import { badRequest } from '../common/errors.ts'
import { pick } from '../common/typed.ts'
import { visibleName } from '../common/unseen.ts'
import { assumptionOf, boundsOf, ownNames, retiredIn } from '../criteria/own-assumptions.ts'
import { readOwnNumbers } from '../criteria/read-own-numbers.ts'
import { type FinalName, isDefault, isFinalName, marketAssumption } from '../domain/assumptions/assumptions.ts'
import { datasets } from '../domain/facts.ts'
import type { MarketPack } from '../domain/packs/pack.ts'
import { packOf } from '../domain/packs/use-packs.ts'
import { type PermitTimes, referenceFigures } from '../intelligence/proforma/project-duration.ts'
import { latestModel } from '../store/assessments/models.ts'
import { asOf } from '../store/ingest/freshness.ts'
import {
  type AssumptionSetRow,
  assumptionSetRows,
  insertAssumptionSet,
  updateAssumptionSetRow,
} from '../store/keys/assumption-sets.ts'
import { watchWithSet } from '../store/watches/watches.ts'
import type { InputOf } from '../wire/operation.ts'
import * as wire from '../wire/operations/assumptions.ts'
import { mostAssumptionSets } from '../wire/plans.ts'
import { type Context, implement } from './context.ts'
import { listAnswer } from './listing-page.ts'
import { ownerOf as ownerOfKey } from './mailbox.ts'
import { ownedRows } from './owned-rows.ts'
import { requestedMarket } from './requested-market.ts'

export const listAssumptionsRun = implement(wire.listAssumptions, async ({ db }, input) => {
  const market = requestedMarket(input.market)
  const pack = packOf(market)
  const times = await latestModel<PermitTimes>(db, 'permit-times', market)
  const items = ownNames.map((name) => {
    const { label, unit, range, reason, source, confidence, value } = assumptionOf(name)
    const [min, max] = boundsOf(name)
    // The reason and source of the pack's own value, where it has one.
    const packValue = isFinalName(name) ? referenceOf(name, pack, times) : marketAssumption(pack, name)
    const served = { value, reason, source, confidence, ...packValue }
    return {
      name,
      label,
      unit,
      value: served.value,
      min,
      max,
      usualMin: range[0],
      usualMax: range[1],
      ...(packValue?.byCity ? { byCity: packValue.byCity } : {}),
      isDefault: isDefault(pack, name),
      ...pick(served, 'reason', 'source', 'confidence'),
    }
  })
  return listAnswer({ limit: items.length, offset: 0 }, items, items.length, { asOf: await asOf(db, datasets, market) })
})

/** A figure that follows from others: of the reference house, in the market and where a city differs. */
const referenceOf = (name: FinalName, pack: MarketPack | undefined, times: PermitTimes | undefined) => {
  const { [name]: value } = referenceFigures(pack, '', times)
  const cities = (pack?.cities ?? []).map(({ slug }) => [slug, referenceFigures(pack, slug, times)[name]] as const)
  const differing = cities.filter(([, each]) => each !== value)
  return { value, ...(differing.length > 0 ? { byCity: Object.fromEntries(differing) } : {}) }
}

export const listAssumptionSetsRun = implement(wire.listAssumptionSets, (context, input) => sets.list(context, input))

export const createAssumptionSetRun = implement(wire.createAssumptionSet, async (context, input) => {
  const { db, caller, now } = context
  const owner = ownerOf(context)
  const most = mostAssumptionSets[caller.plan]
  const made = await insertAssumptionSet(db, owner, contentOf(input), most, now)
  if (!made)
    throw badRequest(
      `The ${caller.plan} keys of a mailbox may have ${most} assumption ${most === 1 ? 'set' : 'sets'}${most === 1 ? '' : ' together'}. Change one with PUT /v1/assumption-sets/{id} or delete one.`,
    )
  return { success: true, data: served(made), asOf: now.toISOString() }
})

export const getAssumptionSetRun = implement(wire.getAssumptionSet, (context, input) => sets.get(context, input))

export const updateAssumptionSetRun = implement(wire.updateAssumptionSet, async (context, { id, ...input }) => {
  const { db, now } = context
  const content = contentOf(input)
  const { keyId } = ownerOf(context)
  const stored = await sets.own(context, id)
  // A watch would return to the assumptions of the market. A set without a market applies to all.
  const watch =
    content.market === null || content.market === stored.market ? undefined : await watchWithSet(db, keyId, id)
  if (watch !== undefined)
    throw badRequest(
      `The watch "${watch}" uses this set, so its market cannot change. Create another set, or change the watch with PUT /v1/watches/{id} first.`,
    )
  const changed = await updateAssumptionSetRow(db, ownerOf(context), id, content, now)
  if (!changed) throw sets.missing(id)
  return { success: true, data: served(changed), asOf: now.toISOString() }
})

export const deleteAssumptionSetRun = implement(wire.deleteAssumptionSet, async (context, { id }) => {
  const { keyId } = ownerOf(context)
  const watch = await watchWithSet(context.db, keyId, id)
  if (watch !== undefined)
    throw badRequest(
      `The watch "${watch}" uses this set. Change the watch with PUT /v1/watches/{id} or delete it first.`,
    )
  return sets.remove(context, { id })
})

type SetInput = InputOf<typeof wire.createAssumptionSet>

const contentOf = ({ name, market, values, byCity }: SetInput) => {
  return {
    name: visibleName(name, 'My builder'),
    market: market === undefined ? null : requestedMarket(market),
    ...readSet(values, byCity),
  }
}

const readSet = (values: SetInput['values'], places: SetInput['byCity']) => {
  const { byCity, ...read } = readOwnNumbers(
    Array.isArray(values) ? values : { ...values, byCity: places },
    'values',
    'byCity',
  )
  // Names of an earlier version stay in the set, so that an answer can name them.
  const retired = Object.fromEntries(retiredIn(values).map(({ name }) => [name, values[name]]))
  return { values: { ...read, ...retired }, byCity: byCity ?? null } as Pick<AssumptionSetRow, 'values' | 'byCity'>
}

const retiredOf = (values: AssumptionSetRow['values']) => {
  const retired = retiredIn(values)
  return retired.length > 0 ? { retired } : {}
}

const ownerOf = (context: Context) => ownerOfKey(context, 'assumption sets')

const served = ({ id, name, market, values, byCity, createdAt, updatedAt }: AssumptionSetRow) => ({
  id,
  name,
  ...(market === null ? {} : { market }),
  values,
  ...(byCity === null ? {} : { byCity }),
  ...retiredOf(values),
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
})

const sets = ownedRows('assumption set', assumptionSetRows, (context) => ownerOf(context).keyId, served)
