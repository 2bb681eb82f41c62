// The kinds of schemes, their variants and the words of both.

type SchemeWords = ReturnType<typeof words>

const words = (title: string, noun: string, doing: string, as = `as ${noun}`) => ({
  title,
  /** "a new house": what is nearest; "as a new house": how it works; "building a new house": what does not earn its target. */
  noun,
  as,
  doing,
})

export const schemeTable = {
  keep: words('Keep it as it is', 'keeping it', 'keeping it', 'kept as it is'),
  renovate: words('Renovate and resell', 'a renovation', 'renovating and reselling'),
  rent: words('Rent it out', 'renting it out', 'renting it out', 'rented out'),
  add_unit: words('Add an accessory unit', 'adding a unit', 'adding a unit', 'with a unit added'),
  new_house: words('New house', 'a new house', 'building a new house'),
  new_house_basement: words(
    'New house with a basement',
    'a new house with a basement',
    'building a new house with a basement',
  ),
  new_house_and_unit: words(
    'New house and accessory unit',
    'a new house with a unit',
    'building a new house with a unit',
  ),
  two_units: words('Two homes on the lot', 'two homes', 'building two homes'),
  split: words('Split into two lots', 'a lot split', 'splitting the lot'),
  small_lots: words('Small-lot subdivision', 'a small-lot subdivision', 'dividing it into small lots'),
  transit: words('Building near transit', 'a building near transit', 'building near transit'),
  local_dwellings: words('Further dwelling', 'a further dwelling', 'adding a dwelling', 'with a further dwelling'),
  divide: words('Divide into lots', 'a division into lots', 'dividing it into lots'),
} as const satisfies Record<string, SchemeWords>

export type SchemeKind = keyof typeof schemeTable
export const schemeKinds = Object.keys(schemeTable) as SchemeKind[]

export const variantWords = {
  house_stays: 'the house stays',
  house_goes: 'the house goes',
  third_dwelling: 'third dwelling',
  set: 'several units',
  sell_unit: 'unit sold apart',
  basement: 'with a basement',
  townhouses: 'townhouses',
  flats: 'flats',
} as const
export type SchemeVariantName = keyof typeof variantWords
export const schemeVariants = Object.keys(variantWords) as SchemeVariantName[]
