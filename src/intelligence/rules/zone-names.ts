// Recognizes zoning districts that are not single-family by their names. Peninsula cities use, RM and similar
// names for multifamily districts, and C, M and MU for business and mixed use. A single-family name is not proof, so it
// decides nothing.

const notSingleFamily = [
  /^R-?[2-5](?!\d)/,
  /^R-?(?:M|MD|MU|HD|UHD)(?![A-Z])/,
  /^[CM]-?\d/,
  /MU(?:[^A-Z]|$)|^MU|MIXED/,
  /^(?:CN|CS|CT|CD|CO|CC|CG|CRS|CBD|PF|TOD|MX)(?![A-Z])/,
]

export function namedOtherThanSingleFamily(zoning: string): boolean {
  const name = zoning.trim().toUpperCase()
  return notSingleFamily.some((pattern) => pattern.test(name))
}
