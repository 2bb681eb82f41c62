export type Fields = Readonly<Record<string, unknown>>

/** Reads a field by its name or by a dotted path into nested objects. */
export const fieldReader = (path: string): ((fields: Fields) => unknown) => {
  const steps = path.split('.')
  if (steps.length === 1) return (fields) => fields[path]
  return (fields) => (path in fields ? fields[path] : steps.reduce<unknown>(step, fields))
}
const step = (held: unknown, name: string): unknown => {
  if (Array.isArray(held)) return held.map((each) => step(each, name))
  return typeof held === 'object' && held !== null && Object.hasOwn(held, name) ? (held as Fields)[name] : undefined
}
