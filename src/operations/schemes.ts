// Every lawful use of one lot with its money, at the market's assumptions or the caller's own, from what the caller may see.
import { createHash } from 'node:crypto'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { badRequest } from '../common/errors.ts'
import { pick } from '../common/typed.ts'
import { type OwnNumbers, ownIn } from '../criteria/own-assumptions.ts'
import { dayOf } from '../domain/day.ts'
import { isOnMarket } from '../domain/facts.ts'
import type { StoredAduFinding } from '../domain/findings/adu.ts'
import type { SchemeOffer } from '../domain/findings/decision.ts'
import type { SchemesAnswer } from '../domain/findings/schemes.ts'
import { parcelWithHome } from '../domain/home-facts.ts'
import { packOf } from '../domain/packs/use-packs.ts'
import { bestUses } from '../intelligence/decision/best-use.ts'
import { priceToBeat } from '../intelligence/decision/decision.ts'
import { noComps } from '../intelligence/proforma/proforma.ts'
import { type PermitTimes, projectAssumptions } from '../intelligence/proforma/project-duration.ts'
import { parcelLeads } from '../laws/parcel-leads.ts'
import { type ComputedScheme, computeSchemes, offersOf, residualValue, schemeFigures } from '../schemes/compute.ts'
import { makeSite } from '../schemes/make-site.ts'
import { schemeRisk } from '../schemes/risk.ts'
import { latestModel } from '../store/assessments/models.ts'
import { asOf } from '../store/ingest/freshness.ts'
import { type AssessmentRow, assessmentOf, currentListing, propertyById } from '../store/properties/properties.ts'
import { getPropertySchemes } from '../wire/operations/properties.ts'
import { type Context, implement } from './context.ts'
import { earningsOf } from './earnings.ts'
import { ownAssumptionsOf } from './own-assumptions.ts'
import { ownInputsUsed, withOwnFacts } from './own-facts.ts'
import { provenanceOf } from './provenance.ts'
import { resaleOf } from './run-proforma.ts'
import { valueConfidence, valueRange } from './served-values.ts'
import { type VisibleProperty, visibleProperty } from './visible-property.ts'

export const getPropertySchemesRun = implement(
  getPropertySchemes,
  async (context, { id, price: priceInput, scheme, include = [], assumptionSet, assumptions }) => {
    const { db, surface } = context
    if (include.length > 0 && !scheme)
      throw badRequest('include needs one scheme, for example scheme=new_house&include=cashFlow,risk.')
    const visible = await visibleProperty(context, id)
    const { property, listing } = visible
    const [found, current] = await Promise.all([
      assessmentOf(db, id),
      asOf(db, ['parcels', 'listings', 'sales'], property.market),
    ])
    const ownSet = await ownAssumptionsOf(context, { assumptionSet, assumptions }, property.market)
    const assessment = found && (await withOwnFacts(context, visible, found, ownSet?.values))
    const { site, computed, offers } = await schemesOf(context, visible, assessment, ownSet?.values)
    const { best, ifApproved } = bestUses(offers)
    const beat = priceToBeat({
      status: listing?.status,
      askingUsd: listing?.price,
      expected: listing && assessment?.proforma?.expectedPrice,
      value: site.value,
      premiumPct: site.assumptions.offMarketPremiumPct,
    })
    // A vacant lot that is not for sale has no value but what its best use could bear.
    const price = priceInput ?? beat?.usd ?? (best && residualValue([best]))
    const chosen = [best, ifApproved].flatMap((each) => each ?? [])
    const first = (each: ComputedScheme) => (each.kind === best?.kind ? 2 : each.kind === ifApproved?.kind ? 1 : 0)
    const listedSchemes = computed
      .filter(({ kind }) => scheme === undefined || kind === scheme)
      .map((each) => chosenFirst(each, chosen))
      .toSorted((a, b) => first(b) - first(a) || mostOf(b) - mostOf(a))
    const data: SchemesAnswer = {
      ...pick(property, 'id', 'address', 'city'),
      ...(price === undefined
        ? {}
        : { priceUsd: price, against: priceInput === undefined ? (beat?.against ?? 'value') : 'given' }),
      ...(best ? { best: nameOf(best) } : {}),
      ...(ifApproved ? { bestIfApproved: nameOf(ifApproved) } : {}),
      ...(assessment?.assessedOn ? { asOf: assessment.assessedOn } : {}),
      schemes: listedSchemes.map((each) => ({
        ...schemeFigures(site, each, { price, beat, withCashFlow: include.includes('cashFlow') }),
        source: provenanceOf(listing ?? property, surface),
      })),
    }
    if (include.includes('risk') && price !== undefined && listedSchemes[0]) {
      const { kind, variants } = listedSchemes[0]
      const drawing = schemeRisk(site, kind, variants[0].variant, { price, seed: seedOf(property.id) })
      const risk = drawing && (await finished(drawing))
      if (risk) data.schemes[0]!.risk = risk
    }
    return { success: true, data, asOf: current, ...ownInputsUsed(visible, ownSet) }
  },
)

/** Lets other requests work between the steps. */
const finished = async <T>(steps: Generator<void, T>): Promise<T> => {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    await yieldToEventLoop()
  }
}

const seedOf = (id: string): number => createHash('sha256').update(id).digest().readUInt32BE(0)

const nameOf = ({ kind, variant }: SchemeOffer) => ({ kind, ...(variant ? { variant } : {}) })

/** The form that the decision is about comes first: another one may bear more and be refused. */
export const chosenFirst = (scheme: ComputedScheme, chosen: readonly SchemeOffer[]): ComputedScheme => {
  const named = chosen.find(({ kind }) => kind === scheme.kind)
  const isNamed = ({ variant }: ComputedScheme['variants'][number]) => variant.variant === named?.variant
  const variants = scheme.variants.toSorted((a, b) => Number(isNamed(b)) - Number(isNamed(a)))
  return named ? { ...scheme, variants: variants as [...ComputedScheme['variants']] } : scheme
}

const mostOf = ({ variants: [{ variant, offer }] }: ComputedScheme): number =>
  variant.allowed === 'no' ? -2 : (offer?.maximumOffer ?? -1)

/** The uses behind a decision at the caller's own numbers or facts, every one computed again. */
export const usesAt = async (...args: Parameters<typeof schemesOf>) => {
  const { offers } = await schemesOf(...args)
  const stored = args[2]?.uses
  return { allOffers: offers, uses: stored && { ...stored, ...bestUses(offers) } }
}

/** `usesAt` for a home whose listing the caller may see. Undefined unless it is on the market and `numbers` are given. */
export const ownUsesOf = async (
  context: Pick<Context, 'db' | 'now'>,
  { id, status }: Listed,
  numbers: OwnNumbers | undefined,
) => {
  if (!numbers || !isOnMarket(status)) return undefined
  const { db } = context
  const [property, listing, assessment] = await Promise.all([
    propertyById(db, id),
    currentListing(db, id),
    assessmentOf(db, id),
  ])
  const visible = property && { property, facts: parcelWithHome(property, listing), listing, hidden: false }
  return visible && usesAt(context, visible, assessment, numbers)
}

interface Listed {
  id: string
  status?: string | undefined
}
export type OwnUses = Awaited<ReturnType<typeof ownUsesOf>>

/** A home takes about 7 ms of processor time. The decisions of later rows compare the uses that a row can compute itself, and say so. */
const mostRows = 25

/** The rows of a page, the first ones with every use at own numbers, as the single read has them. */
export const withOwnUses = async <Row extends Listed>(
  context: Pick<Context, 'db' | 'now'>,
  rows: readonly Row[],
  numbers: OwnNumbers | undefined,
) => {
  const withUses = []
  // One after another, so that a request that has ended computes no more: its next query fails.
  for (const [at, row] of rows.entries())
    withUses.push({ ...row, ownUses: at < mostRows ? await ownUsesOf(context, row, numbers) : undefined })
  return withUses
}

/** The last schemes of a request: the decision and the table of uses of a page ask for the same. */
const lastOf = new WeakMap<object, { key: string; schemes: ReturnType<typeof computedOf> }>()

export const schemesOf = (...args: Parameters<typeof computedOf>): ReturnType<typeof computedOf> => {
  const [context, visible, assessment, numbers] = args
  // By value, since each operation reads the home anew. What it changes in the assessment follows from the facts and own numbers.
  const key = JSON.stringify([visible, assessment?.assessedAt, numbers])
  const last = lastOf.get(context)
  if (last?.key === key) return last.schemes
  const schemes = computedOf(...args)
  lastOf.set(context, { key, schemes })
  return schemes
}

/** The schemes of a property, from its facts and what its assessment stored of prices. */
const computedOf = async (
  context: Pick<Context, 'db' | 'now'>,
  visible: VisibleProperty,
  assessment: AssessmentRow | undefined,
  numbers: OwnNumbers | undefined,
) => {
  const { property, facts, listing } = visible
  const pack = packOf(facts.market)
  const [times, earnings, comps] = await Promise.all([
    latestModel<PermitTimes>(context.db, 'permit-times', property.market),
    earningsOf(context, visible, { priceUsd: undefined, leads: [] }),
    assessment?.uses?.comps ??
      (listing ? resaleOf(context.db, property, assessment).then((resale) => resale.comps) : noComps),
  ])
  const { uses, explanation, redevelopment } = assessment ?? {}
  const site = makeSite({
    facts,
    pack,
    // As of the day of the assessment, so that they match what is stored.
    byLaw: parcelLeads(facts, assessment?.assessedOn ?? dayOf(context.now), pack).byLaw,
    ...projectAssumptions(pack, facts.city, times, numbers),
    changed: numbers && ownIn(numbers, property.citySlug),
    newHouses: redevelopment?.newHouses,
    comps,
    accessory: assessment?.leads.find(({ kind }) => kind === 'accessory_unit')?.finding as StoredAduFinding | undefined,
    rentUsd: earnings.monthlyRent?.amount,
    value: valueRange(assessment ?? {}, {
      confidence: valueConfidence(explanation?.value?.confidence, listing && assessment?.proforma) ?? 'low',
    }),
    renovation: uses?.renovation,
    place: uses?.place ?? {},
  })
  const computed = computeSchemes(site)
  return { site, computed, offers: offersOf(computed) }
}
