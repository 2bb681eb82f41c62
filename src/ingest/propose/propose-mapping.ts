// Proposes how the columns of a feed map to Lotline's fields, from their names and a sample of their values. A unit or a
// date order that the sample does not show leaves the field unmapped: a wrong value is worse than a missing one.
import { type Dataset, datasets } from '../../domain/facts.ts'
import * as addresses from './addresses.ts'
import * as areas from './areas.ts'
import { sumBaths } from './baths.ts'
import { mapByName } from './candidates.ts'
import type { Row } from './columns.ts'
import * as coordinates from './coordinates.ts'
import { type Draft, newDraft, type ProposedField, type Step, type UnclearField } from './draft.ts'
import { emptyWords } from './empty-words.ts'
import { contradictions } from './field-evidence.ts'
import { evidence, likeliest, missingFields } from './likeliest-kind.ts'
import * as listings from './listings.ts'
import * as parcelNumbers from './parcel-numbers.ts'
import * as permitWork from './permit-work.ts'
import { leaveOutForeignAmounts } from './prices.ts'
import { useFirstRent } from './rents.ts'
import * as sales from './sales.ts'
import { splitAddress } from './split-address.ts'
import { tableOf } from './table.ts'

export interface ProposedMapping {
  holds: Dataset
  /** The columns that show what the rows are. */
  because?: string
  fields: ProposedField[]
  /** Column of the feed that holds a point. */
  point?: string
  /** Fields whose column was found but not mapped, with the reason. */
  unclear: UnclearField[]
  /** Required fields without a column. */
  missing: string[]
  /** Words that the feed writes for an empty value: `where.nulls`. */
  nulls?: string[]
  unusedColumns: string[]
  /** Rents with a column per number of bedrooms: each column is a source of its own. */
  rentColumns?: { column: string; bedrooms: number }[]
}

/** Without `given`, the mapping of the data set that the columns most probably are. */
export const proposeMapping = (rows: readonly Row[], given?: Dataset, now = new Date()): ProposedMapping => {
  const table = tableOf(rows)
  const draftFor = (holds: Dataset): Draft => {
    const draft = newDraft(table, holds, now)
    for (const step of steps) step(draft)
    return draft
  }
  if (given) return mappingOf(draftFor(given))
  const best = likeliest(datasets.map(draftFor))
  const because = evidence(best)
  return { ...mappingOf(best), ...(because ? { because } : {}) }
}

/** Leaves out fields that other fields of the same rows contradict. */
const leaveOutContradictions: Step = ({ holds, fields, rows, now, filled, leaveOut }) => {
  const acres = filled.find(({ name }) => areas.namesAcres.test(name))?.all
  for (const { field, reason } of contradictions(holds, fields, rows, now, acres)) leaveOut(field, reason)
}

/** A field that another column gives, and a column that another field reads, need no explanation. */
const dropSettled: Step = (draft) => {
  draft.unclear = draft.unclear.filter(({ field, column }) => !draft.has(field) && !draft.used.has(column))
}

/**
 * What turns columns into fields, in this order. A column that a step uses is not free for later steps, and one that a step leaves out
 * is free again.
 */
const steps: readonly Step[] = [
  mapByName,
  // Fields whose name fits a column of something else.
  coordinates.leaveOutHalfPoint,
  coordinates.swapCoordinates,
  parcelNumbers.leaveOutWebsiteNumber,
  areas.leaveOutLotBesideMeters,
  // The owner's address is known by the parts of the home's, which must be found before other steps use their columns.
  addresses.findAddressParts,
  addresses.leaveOutOwnersAddress,
  addresses.leaveOutOwnersCity,
  addresses.leaveOutOwnersZip,
  areas.leaveOutVagueLivingArea,
  // Columns whose values say more than their names.
  listings.addStatusByValues,
  listings.addRowId,
  listings.addListingArea,
  areas.leaveOutVagueLotArea,
  listings.addTypeByValues,
  addresses.addAddressByValues,
  // Several fields in one column, and one field in several columns.
  addresses.splitLines,
  splitAddress,
  addresses.joinAddress,
  parcelNumbers.joinParcelNumber,
  permitWork.joinKindsOfWork,
  permitWork.addEstimate,
  sales.addDayByValues,
  sales.addPriceByName,
  sales.joinMonthOfSale,
  // Reads the rows with all fields that were found so far; the fields below follow from those that remain.
  leaveOutContradictions,
  leaveOutForeignAmounts,
  sales.leaveOutUnsold,
  sales.leaveOutEarlierSale,
  sales.leaveOutUndatedSoldPrice,
  coordinates.leaveOutHalfPoint,
  sales.nameSale,
  areas.useOutline,
  sumBaths,
  sales.reportUndatedPrice,
  useFirstRent,
  coordinates.usePoint,
  dropSettled,
]

const mappingOf = (draft: Draft): ProposedMapping => {
  const { holds, fields, unclear, used, columns, point, rentColumns } = draft
  const nulls = emptyWords(draft)
  return {
    holds,
    fields,
    ...(nulls.length > 0 ? { nulls } : {}),
    ...(point ? { point } : {}),
    ...(rentColumns.length > 0 ? { rentColumns } : {}),
    unclear,
    missing: missingFields(draft),
    unusedColumns: columns.flatMap(({ name }) => (used.has(name) || name.startsWith('geometry.') ? [] : name)),
  }
}
