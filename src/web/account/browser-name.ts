// A short name for a browser in the list of sessions. Only words of this list are stored: the header is text of the visitor.

/** The first match counts: Edge also says Chrome, and Chrome also says Safari. */
const browsers = [
  ['Edg', 'Edge'],
  ['OPR', 'Opera'],
  ['Firefox', 'Firefox'],
  ['Chrome', 'Chrome'],
  ['CriOS', 'Chrome'],
  ['Safari', 'Safari'],
] as const
const systems = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Windows', 'Windows'],
  ['Mac OS', 'macOS'],
  ['Linux', 'Linux'],
] as const

export const browserName = (userAgent = ''): string => {
  const named = (list: readonly (readonly [string, string])[]) => list.find(([word]) => userAgent.includes(word))?.[1]
  const system = named(systems)
  return `${named(browsers) ?? 'Unknown browser'}${system ? ` on ${system}` : ''}`
}
