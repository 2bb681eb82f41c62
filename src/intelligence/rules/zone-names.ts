// Recognizes zoning districts that are not single-family by their names. Peninsula cities use, RM and similar
// names for multifamily districts, and C, M and MU for business and mixed use. A single-family name is not proof, so it
// decides nothing.

const multifamily = [/^R-?[2-5](?!\d)/, /^R-?(?:M|MD|MU|HD|UHD)(?![A-Z])/, /MU(?:[^A-Z]|$)|^MU|MIXED/]

const notSingleFamily = [...multifamily, /^[CM]-?\d/, /^(?:CN|CS|CT|CD|CO|CC|CG|CRS|CBD|PF|TOD|MX)(?![A-Z])/]

const named = (patterns: readonly RegExp[]) => (zoning: string) => {
  const name = zoning.trim().toUpperCase()
  return patterns.some((pattern) => pattern.test(name))
}

export const namedOtherThanSingleFamily = named(notSingleFamily)
/** Districts for several homes and for mixed use. */
export const namedMultifamily = named(multifamily)
