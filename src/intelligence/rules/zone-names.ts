// What a district's name alone gives away. Cities of the Peninsula write, RM and the like for several homes,
// C, M and MU for business and mixed use. A name that says single-family is not proof, so it decides nothing.

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
