// Steps for addresses, cities and ZIP codes: those of the homes, not of their owners.
import { addressParts, nameKey } from '../column-names.ts'
import { agrees, areHouseNumbers, areLines, areStreets, type Column, share } from './columns.ts'
import { type Draft, leaveOutIf, type Step } from './draft.ts'
import { readColumn } from './read-column.ts'
import { mailingPart } from './table.ts'

/** Positions in `addressParts`. */
const [houseNumber, direction, streetName, streetType, lastDirection] = [0, 2, 3, 4, 5]

/** Finds the parts before other steps use their columns; `joinAddress` joins them when the other addresses are settled. */
export const findAddressParts: Step = (draft) => {
  const found = addressParts.map((pattern, at) =>
    draft.unusedNamed(pattern, ({ values }) => (at !== streetName && at !== streetType) || !areHouseNumbers(values)),
  )
  // "SITUS_ADDRESS" may be the number of the house beside "SITUS_STREET".
  found[houseNumber] ??= draft.unusedNamed('(situs|site|prop(erty)?|street)?addr(ess)?1?', ({ values }) =>
    areHouseNumbers(values),
  )
  if (found[houseNumber] && found[streetName]) {
    found[streetType] ??= draft.unusedNamed('type', ({ values }) => share(values, streetWord) > 0.8)
    // "Type", then "Direction": "ALHAMBRA DR W".
    const [before, type] = [direction, streetType].map((part) => draft.filled.indexOf(found[part]!))
    if (type !== -1 && before! > type! && !found[lastDirection])
      [found[direction], found[lastDirection]] = [undefined, found[direction]]
  }
  draft.addressParts = found
}
const streetWord = /^(ave?|blvd|bv|cir|ct|cv|dr|hwy|la?n|loop|pk(w?y)?|pl|pt|rd|row|run|st|ter|trl|way|wy)\.?$/i
const hasAddressParts = (draft: Draft): boolean =>
  Boolean(draft.addressParts[houseNumber] && draft.addressParts[streetName])

/** Beside a house number and a street, the first line of an address is the owner's, as is an address with other numbers. */
export const leaveOutOwnersAddress = leaveOutIf(
  'address',
  "it is probably the owner's: the home has a number and a street of its own",
  (draft) => {
    const [address, number] = [draft.columnFor('address'), draft.addressParts[houseNumber]]
    if (!hasAddressParts(draft) || !address || !number) return false
    const differs = agrees(address, number, (text, own) => text.startsWith(own)) === false
    return /^addr(ess)?(line)?1$/.test(draft.keyFor('address')) || (areHouseNumbers(number.values) && differs)
  },
)

/** "CITY" and "ZIP" are the owner's where there is a second address, or where they are in many states. */
export const leaveOutOwnersCity: Step = (draft) => {
  if (!areInManyStates(draft) && !hasMailingAddress(draft)) return
  for (const field of ['city', 'zip'])
    if (mailingPart.test(draft.keyFor(field)))
      draft.leaveOut(
        field,
        "it is probably the owner's: its ZIP codes are from many states, or the file has a second address",
      )
}
const hasMailingAddress = (draft: Draft): boolean => {
  const own = draft.columnFor('address')
  const isOwn = (column: Column) =>
    own !== undefined && agrees(own, column, (text, other) => text.slice(0, 6) === other.slice(0, 6)) === true
  const isMailing = (column: Column) => {
    const key = nameKey(column.name)
    return (
      /^(st)?addr(ess)?(line)?1?$|^street$/.test(key) &&
      'rule' in readColumn(draft.holds, 'address', column) &&
      !(key === 'street' && isOwn(column))
    )
  }
  return draft.holds !== 'permits' && draft.holds !== 'rents' && draft.unused(isMailing).length > 0
}
/** The owners of the homes of one county live in many states, most of them in its own. */
const areInManyStates = (draft: Draft): boolean => {
  const { holds, filled } = draft
  const zips = draft.columnFor('zip')?.values ?? []
  const regions = [...Map.groupBy(zips, (zip) => String(zip)[0]).values()]
  const states = filled
    .filter(({ name }) => /^st(ate)?(abbr|cd|code)?$/.test(nameKey(name)))
    .flatMap(({ values }) => values)
  const counts = [...Map.groupBy(states, String).values()].map(({ length }) => length)
  return (
    (holds === 'parcels' &&
      draft.has('apn') &&
      regions.filter(({ length }) => length > 0.02 * zips.length).length > 4) ||
    (holds !== 'listings' && counts.length > 4 && Math.max(...counts) > 0.5 * states.length)
  )
}

/** Homes of one town are in a few postal areas, their owners in many. */
export const leaveOutOwnersZip: Step = (draft) => {
  const [zip, city] = [draft.columnFor('zip'), draft.columnFor('city')]
  if (!zip || !city || !draft.has('apn')) return
  for (const [name, rows] of Map.groupBy(draft.rows.keys(), (row) => String(city.all[row] ?? ''))) {
    const areas = [...Map.groupBy(rows, (row) => String(zip.all[row]).slice(0, 3)).values()]
    if (!/^(unincorp|$)/i.test(name) && areas.filter(({ length }) => length > 0.01 * rows.length).length > 10)
      draft.leaveOut(
        'zip',
        `it is probably the owner's: homes in ${name.trim()} would be in more than ten postal areas`,
      )
  }
}

/** "Where" and other names that no pattern knows: the values are streets. */
export const addAddressByValues: Step = (draft) => {
  if (!hasAddressParts(draft)) draft.addByValues('address', areStreets)
}

/** Values of several lines begin with the street; the city is on the next line. */
export const splitLines: Step = (draft) => {
  const [address, column] = [draft.find('address'), draft.columnFor('address')]
  if (!address || !column || !areLines(column)) return
  const field = column.name
  if (!draft.has('city'))
    draft.fields.push({ ...address, field: 'city', rule: { field, pattern: '\\n\\s*([^,\\d]+?)\\s*,' } })
  address.rule = { field, before: '\n' }
}

/** "0012" "ELM" "ST" "000" is "12 ELM ST". */
export const joinAddress: Step = (draft) => {
  if (!hasAddressParts(draft)) return
  const isPadded = draft.addressParts.some((part) => part && share(part.values, /^\s*0/) > 0.5)
  draft.addJoined('address', draft.addressParts, isPadded ? { strip: '\\b0+(?=\\w)|\\s0+$' } : {})
}
